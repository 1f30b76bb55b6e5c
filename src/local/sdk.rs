//! The AWS SDK over this program's own connections.

use std::sync::Arc;

use aws_sdk_dynamodb::config::Credentials;
use aws_smithy_runtime_api::client::{
    http::{HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn},
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
};
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;

use crate::{aws::Account, outbound::Connection};

pub fn credentials(account: &Account) -> Credentials {
    let token = account.session_token.as_ref().map(|token| token.0.clone());
    Credentials::new(&account.access_key, &account.secret_key.0, token, None, "environment")
}

pub fn http_client(connection: &Arc<dyn Connection>) -> SharedHttpClient {
    let connector = SharedHttpConnector::new(Connector(Arc::clone(connection)));
    http_client_fn(move |_, _| connector.clone())
}

#[derive(Debug)]
struct Connector(Arc<dyn Connection>);

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let connection = Arc::clone(&self.0);
        HttpConnectorFuture::new(async move {
            let request = request.try_into_http1x().map_err(|error| ConnectorError::user(error.into()))?;
            let bytes = |body: SdkBody| Bytes::copy_from_slice(body.bytes().expect("the body is in memory"));
            let sent = connection.send(request.map(bytes)).await;
            let response = sent.map_err(|error| ConnectorError::io(error.into()))?;
            HttpResponse::try_from(response.map(SdkBody::from))
                .map_err(|error| ConnectorError::other(error.into(), None))
        })
    }
}

//! Calls to AWS with the SDK's types, codecs and signatures, but without its orchestrator.
//!
//! The orchestrator builds its configuration for each call, runs two dozen interceptors and evaluates endpoint rules.
//! That takes twice the CPU of everything else in a call. The parts that this program needs are below. This module does
//! not know what the calls are for.

use std::time::Duration;

use aws_credential_types::Credentials;
use aws_sigv4::{
    http_request::{SignableBody, SignableRequest, SigningSettings, sign},
    sign::v4::SigningParams,
};
use aws_smithy_runtime_api::{
    box_error::BoxError,
    client::{
        http::{HttpConnector, SharedHttpConnector},
        identity::Identity,
        interceptors::context::{Error, Input},
        orchestrator::{HttpRequest, HttpResponse, OrchestratorError},
        result::SdkError,
        ser_de::{DeserializeResponse, SerializeRequest, SharedRequestSerializer, SharedResponseDeserializer},
    },
};
use aws_smithy_types::{
    config_bag::{ConfigBag, FrozenLayer},
    error::{metadata::ProvideErrorMetadata, operation::BuildError},
};
use jiff::Timestamp;
use tokio::time::timeout;

/// The time limit of one attempt: a call that hangs must leave time for another.
const ATTEMPT: Duration = Duration::from_secs(4);

/// The time limit of a call with all its attempts; a turn has 25 s.
const CALL: Duration = Duration::from_secs(9);

/// After the first attempt.
const RETRIES: u8 = 2;

const CODECS: &str = "an operation brings its codecs";

/// Region and credentials, which Lambda puts into a function's environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub region: String,
    pub credentials: Credentials,
}

impl Account {
    /// A role's keys come with a session token.
    pub fn new(region: &str, access_key: &str, secret_key: &str, session_token: Option<String>) -> Account {
        let credentials = Credentials::new(access_key, secret_key, session_token, None, "environment");
        Account { region: region.into(), credentials }
    }
}

/// One AWS service for this account.
#[derive(Debug, Clone)]
pub struct Service {
    /// The name in signatures and host names, for example `dynamodb`.
    pub name: &'static str,
    pub account: Account,
    /// Without a path.
    pub endpoint: String,
    /// Returns a response with its body in memory.
    pub connector: SharedHttpConnector,
    pub time: Time,
}

/// The clock and the pauses of calls.
#[derive(Debug, Clone, Copy)]
pub struct Time {
    /// The time for signatures, which are valid for some minutes.
    pub now: fn() -> Timestamp,
    /// The pause before the given retry.
    pub pause: fn(retry: u8) -> Duration,
}

/// Why there is no output; tells whether there was an answer.
pub type Failure<E> = SdkError<E, HttpResponse>;

/// The input of one of the SDK's operations.
pub trait Operation: std::fmt::Debug + Sized + Send + Sync + 'static {
    type Output: std::fmt::Debug + Send + Sync + 'static;
    type Error: std::error::Error + ProvideErrorMetadata + Send + Sync + 'static;

    /// Holds the codecs.
    fn configuration() -> &'static FrozenLayer;
}

/// Implements [`Operation`] for an SDK's operations: `aws_sdk_dynamodb: get_item::{GetItem, GetItemInput, …}`.
macro_rules! operations {
    ($($module:path: $name:ident, $input:ident, $output:ident, $error:ident;)*) => {
        $(const _: () = {
            use $module::*;

            impl $crate::aws::Operation for $input {
                type Output = $output;
                type Error = $error;

                fn configuration() -> &'static aws_smithy_types::config_bag::FrozenLayer {
                    use aws_smithy_runtime_api::client::runtime_plugin::RuntimePlugin;
                    static CODECS: std::sync::LazyLock<aws_smithy_types::config_bag::FrozenLayer> =
                        std::sync::LazyLock::new(|| $name::new().config().expect("an operation is configured"));
                    &CODECS
                }
            }
        };)*
    };
}
pub(crate) use operations;

impl Service {
    /// Uses AWS's own endpoint if `endpoint` is none.
    pub fn new(
        name: &'static str,
        account: Account,
        endpoint: Option<String>,
        connector: impl HttpConnector + 'static,
        time: Time,
    ) -> Service {
        let endpoint =
            endpoint.unwrap_or_else(|| format!("https://{name}.{}.{}", account.region, domain(&account.region)));
        Service { name, account, endpoint, connector: SharedHttpConnector::new(connector), time }
    }

    /// Sends a call, and retries transient failures: three attempts at most.
    pub async fn call<I: Operation>(&self, input: Result<I, BuildError>) -> Result<I::Output, Failure<I::Error>> {
        let request = self.request(input).map_err(SdkError::construction_failure)?;
        let mut sent = 0;
        let sending = async {
            loop {
                let result = self.send::<I>(request.try_clone().expect("its body is in memory")).await;
                match &result {
                    Err(error) if sent < RETRIES && is_transient(error) => {}
                    _ => return result,
                }
                tokio::time::sleep((self.time.pause)(sent)).await;
                sent += 1;
            }
        };
        timeout(CALL, sending).await.map_err(SdkError::timeout_error)?
    }

    /// Waits before the rest of a batch is sent again.
    pub async fn pause_before(&self, attempt: u8) {
        if let Some(retry) = attempt.checked_sub(1) {
            tokio::time::sleep((self.time.pause)(retry)).await;
        }
    }

    /// Sends once, for calls that must not be retried here.
    pub async fn call_once<I: Operation>(&self, input: Result<I, BuildError>) -> Result<I::Output, Failure<I::Error>> {
        self.send::<I>(self.request(input).map_err(SdkError::construction_failure)?).await
    }

    fn request<I: Operation>(&self, input: Result<I, BuildError>) -> Result<HttpRequest, BoxError> {
        let mut configuration = configuration::<I>();
        let codec = configuration.load::<SharedRequestSerializer>().expect(CODECS).clone();
        let mut request = codec.serialize_input(Input::erase(input?), &mut configuration)?;
        request.set_uri(self.endpoint.as_str())?;
        self.sign(&mut request)?;
        Ok(request)
    }

    fn sign(&self, request: &mut HttpRequest) -> Result<(), BoxError> {
        let identity = Identity::from(self.account.credentials.clone());
        let params = SigningParams::builder()
            .identity(&identity)
            .region(&self.account.region)
            .name(self.name)
            .time((self.time.now)().into())
            .settings(SigningSettings::default())
            .build()?
            .into();
        let body = SignableBody::Bytes(request.body().bytes().unwrap_or_default());
        let signable = SignableRequest::new(request.method(), request.uri(), request.headers().iter(), body)?;
        let (headers, _) = sign(signable, &params)?.into_parts().0.into_parts();
        for header in headers {
            request.headers_mut().try_insert(header.name(), header.value().to_owned())?;
        }
        Ok(())
    }

    async fn send<I: Operation>(&self, request: HttpRequest) -> Result<I::Output, Failure<I::Error>> {
        let response = timeout(ATTEMPT, self.connector.call(request)).await.map_err(SdkError::timeout_error)?;
        let response = response.map_err(SdkError::dispatch_failure)?;
        let configuration = configuration::<I>();
        let codec = configuration.load::<SharedResponseDeserializer>().expect(CODECS);
        match codec.deserialize_nonstreaming_with_config(&response, &configuration) {
            Ok(output) => Ok(output.downcast().expect("an operation's codec makes its output")),
            Err(error) => Err(failure(error, response)),
        }
    }
}

/// Whether the same call may succeed later: there was no answer, or a transient error.
pub fn is_transient<E: ProvideErrorMetadata>(error: &Failure<E>) -> bool {
    match error {
        SdkError::ConstructionFailure(_) => false,
        SdkError::ServiceError(service) => {
            service.raw().status().is_server_error() || is_throttling(service.err().code())
        }
        _ => true,
    }
}

/// A short text for the log. Debug forms of errors and bodies are left out: they can hold whole items or a key.
pub fn cause<E: ProvideErrorMetadata>(error: &Failure<E>) -> String {
    match error {
        SdkError::ServiceError(service) => {
            let (code, message) = (service.err().code(), service.err().message());
            format!("{}: {}", code.unwrap_or("no code"), message.unwrap_or_default())
        }
        SdkError::ResponseError(response) => {
            format!("an answer of status {} that cannot be read", response.raw().status().as_u16())
        }
        SdkError::DispatchFailure(failure) => {
            let mut text = "it cannot be reached".to_owned();
            let mut next = failure.as_connector_error().map(|error| error as &dyn std::error::Error);
            while let Some(error) = next {
                text.push_str(&format!(": {error}"));
                next = error.source();
            }
            text
        }
        SdkError::TimeoutError(_) => "there was no answer in time".to_owned(),
        _ => "the call could not be made".to_owned(),
    }
}

pub fn is_throttling(code: Option<&str>) -> bool {
    matches!(
        code,
        Some(
            "ProvisionedThroughputExceededException"
                | "ProvisionedThroughputExceeded"
                | "RequestLimitExceeded"
                | "ThrottlingException"
                | "ThrottlingError"
                // A single-item call that met a transaction in progress.
                | "TransactionConflictException"
        )
    )
}

fn domain(region: &str) -> &'static str {
    if region.starts_with("cn-") { "amazonaws.com.cn" } else { "amazonaws.com" }
}

fn configuration<I: Operation>() -> ConfigBag {
    let mut configuration = ConfigBag::base();
    configuration.push_shared_layer(I::configuration().clone());
    configuration
}

fn failure<E: std::error::Error + Send + Sync + 'static>(
    error: OrchestratorError<Error>,
    response: HttpResponse,
) -> Failure<E> {
    // A successful response that cannot be read is not a refusal: the call took effect.
    if !error.is_operation_error() || response.status().is_success() {
        return SdkError::response_error(error, response);
    }
    let mut operation_error = None;
    let _ = error.map_operation_error(|error| operation_error = Some(error));
    let operation_error =
        operation_error.and_then(|error| error.downcast().ok()).expect("an operation's codec makes its error");
    SdkError::service_error(operation_error, response)
}

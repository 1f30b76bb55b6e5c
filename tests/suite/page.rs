//! The web page as the service sends it: its files, their headers, and how it learns to sign in.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
};

use flate2::read::GzDecoder;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::harness::{Person, Response, Service, Setup, runtime_api::Function};

async fn service() -> Service {
    Setup::default().start().await
}

async fn get(person: &Person<'_>, path: &str, headers: &[(&str, &str)]) -> Response {
    person.send_with(Method::GET, path, vec![], headers).await
}

/// Files are sent compressed.
fn text(response: &Response) -> String {
    assert_eq!(response.headers["content-encoding"], "gzip");
    let mut text = String::new();
    GzDecoder::new(response.bytes.as_slice()).read_to_string(&mut text).expect("compressed text");
    text
}

/// What a text names between quotes under `page/`.
fn named(text: &str) -> BTreeSet<String> {
    text.split(['"', '\''])
        .filter(|part| part.starts_with("page/") && part.contains('.'))
        .map(|part| format!("/{part}"))
        .collect()
}

#[tokio::test]
async fn the_page_opens_with_headers_that_allow_only_its_own_files() {
    let service = service().await;
    let page = get(&service.person(), "/", &[]).await;
    let header = |name: &str| page.headers[name].to_str().expect("ASCII");
    assert_eq!((page.status, header("content-type")), (StatusCode::OK, "text/html; charset=utf-8"));
    assert_eq!(
        header("content-security-policy"),
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; manifest-src \
         'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    assert_eq!(
        ["referrer-policy", "x-content-type-options", "cache-control"].map(header),
        ["no-referrer", "nosniff", "no-cache"]
    );
}

#[tokio::test]
async fn every_file_that_the_page_and_its_service_worker_name_is_served_and_kept_for_good() {
    let service = service().await;
    let person = service.person();
    let (page, worker) = (get(&person, "/", &[]).await, get(&person, "/service-worker.js", &[]).await);
    let files: BTreeSet<String> = named(&text(&page)).union(&named(&text(&worker))).cloned().collect();
    assert!(files.iter().any(|file| file.ends_with("/vendor/preact.js")), "{files:?}");
    for file in files {
        let sent = get(&person, &file, &[]).await;
        let types: [(&str, &str); 2] = [(".js", "text/javascript; charset=utf-8"), (".css", "text/css; charset=utf-8")];
        let (_, media_type) = types.iter().find(|(ending, _)| file.ends_with(ending)).expect("a script or a style");
        let header = |name: &str| sent.headers.get(name).and_then(|value| value.to_str().ok());
        assert_eq!((sent.status, header("content-type")), (StatusCode::OK, Some(*media_type)), "{file}");
        assert_eq!(header("cache-control"), Some("public, max-age=31536000, immutable"), "{file}");
    }
    let manifest = get(&person, "/manifest.webmanifest", &[]).await;
    assert_eq!(manifest.headers["content-type"], "application/manifest+json");
    assert_eq!(serde_json::from_str::<Value>(&text(&manifest)).expect("JSON")["name"], "sayso");
}

#[tokio::test]
async fn a_file_that_the_browser_has_is_not_sent_again() {
    let service = service().await;
    let person = service.person();
    let tag = get(&person, "/", &[]).await.headers["etag"].clone();
    let tag = tag.to_str().expect("ASCII");
    let again = get(&person, "/", &[("if-none-match", tag)]).await;
    assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    assert_eq!(again.headers["etag"], tag);
}

#[tokio::test]
async fn a_file_that_does_not_exist_is_no_route() {
    let service = service().await;
    for path in
        ["/page/none.js", "/page/../Cargo.toml", "/page/vendor/README.md", "/page/0123456789abcdef/app.js", "/page/"]
    {
        let sent = get(&service.person(), path, &[]).await;
        assert_eq!(
            (sent.status, &sent.body["type"]),
            (StatusCode::NOT_FOUND, &json!("urn:sayso:problem:no-such-route")),
            "{path}"
        );
    }
}

#[tokio::test]
async fn in_development_the_page_learns_that_people_pick_who_they_are() {
    let service = service().await;
    let config = get(&service.person(), "/config.json", &[]).await.body;
    let version = config["version"].as_str().expect("a version");
    assert_eq!(config, json!({ "auth": "dev", "version": version }));
    assert!(text(&get(&service.person(), "/", &[]).await).contains(&format!("\"page/{version}/app.js\"")));
}

/// An event of the deployment's HTTP API for a route without authorizer.
fn event(route: &str, path: &str) -> Value {
    let rest: BTreeMap<&str, &str> = path.strip_prefix("/page/").map(|file| ("file", file)).into_iter().collect();
    json!({
        "version": "2.0", "routeKey": format!("GET {route}"), "rawPath": path, "rawQueryString": "",
        "headers": { "accept-encoding": "gzip", "host": "api.example.com" },
        "pathParameters": rest,
        "requestContext": { "http": { "method": "GET", "path": path }, "stage": "$default" },
        "isBase64Encoded": false,
    })
}

#[tokio::test]
async fn the_function_serves_the_page_and_how_to_sign_in_without_claims() {
    let function = Function::start_with(&[
        ("OIDC_ISSUER", "https://cognito-idp.eu-west-2.amazonaws.com/eu-west-2_EXAMPLE"),
        ("OIDC_CLIENT_ID", "client"),
        ("OIDC_TOKEN_ORIGIN", "https://example.auth.eu-west-2.amazoncognito.com/"),
    ])
    .await;
    let config = function.invoke(&event("/config.json", "/config.json")).await;
    let body: Value = serde_json::from_str(config["body"].as_str().expect("a body")).expect("JSON");
    let expected = json!({
        "auth": "oidc",
        "issuer": "https://cognito-idp.eu-west-2.amazonaws.com/eu-west-2_EXAMPLE",
        "clientId": "client",
        "scope": "openid profile",
        "version": body["version"],
    });
    assert_eq!((&config["statusCode"], &body), (&json!(200), &expected));
    let page = function.invoke(&event("/", "/")).await;
    let policy = page["headers"]["content-security-policy"].as_str().expect("a policy");
    let connect = "connect-src 'self' https://cognito-idp.eu-west-2.amazonaws.com \
                   https://example.auth.eu-west-2.amazoncognito.com; ";
    assert!(policy.contains(connect), "{policy}");
    let file = function.invoke(&event("/page/{file+}", "/page/vendor/preact.js")).await;
    assert_eq!((&file["statusCode"], &file["isBase64Encoded"]), (&json!(200), &json!(true)));
}

#[tokio::test]
async fn without_a_client_the_page_is_told_that_it_has_no_sign_in() {
    let function = Function::start().await;
    let config = function.invoke(&event("/config.json", "/config.json")).await;
    let body: Value = serde_json::from_str(config["body"].as_str().expect("a body")).expect("JSON");
    assert_eq!(
        body,
        json!({
            "type": "urn:sayso:problem:no-sign-in",
            "title": "No sign-in",
            "status": 404,
            "detail": "The page of this service has no sign-in. Set OIDC_ISSUER and OIDC_CLIENT_ID.",
        })
    );
}

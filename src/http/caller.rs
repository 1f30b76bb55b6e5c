//! The caller of a request, from claims that the gateway verified or, in development builds, from plain headers.

use axum::http::request::Parts;

use crate::{
    app::App,
    config::Auth,
    identity::{Caller, IdentityError, VerifiedClaims},
};

pub fn caller(app: &App, parts: &Parts) -> Result<Caller, IdentityError> {
    match app.auth {
        Auth::Gateway => {
            let claims = parts.extensions.get::<VerifiedClaims>().ok_or(IdentityError::NoClaims)?;
            Caller::from_claims(claims, &app.claim_names)
        }
        #[cfg(feature = "local")]
        Auth::Dev => dev::caller(&parts.headers, &app.claim_names),
    }
}

#[cfg(feature = "local")]
mod dev {
    use axum::http::HeaderMap;
    use serde_json::Value;

    use crate::identity::{Caller, ClaimNames, IdentityError, VerifiedClaims};

    const ROLES: &str = "roles";

    /// Roles always apply here, even if the deployment configures none.
    pub fn caller(headers: &HeaderMap, names: &ClaimNames) -> Result<Caller, IdentityError> {
        Caller::from_claims(&claims(headers, names), &ClaimNames { roles: Some(ROLES.into()), ..names.clone() })
    }

    fn claims(headers: &HeaderMap, names: &ClaimNames) -> VerifiedClaims {
        let name = headers.contains_key("x-user-name").then(|| (names.name.clone(), claim(headers, "x-user-name", "")));
        VerifiedClaims(
            [
                (names.tenant.clone(), claim(headers, "x-tenant-id", "demo")),
                (names.user.clone(), claim(headers, "x-user-id", "me")),
                (ROLES.to_owned(), claim(headers, "x-roles", "admin")),
            ]
            .into_iter()
            .chain(name)
            .collect(),
        )
    }

    /// A repeated header is a list, as it would be in a token.
    fn claim(headers: &HeaderMap, name: &str, absent: &str) -> Value {
        let values: Vec<Value> =
            headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()).into()).collect();
        match <[Value; 1]>::try_from(values) {
            Ok([one]) => one,
            Err(none) if none.is_empty() => absent.into(),
            Err(several) => Value::Array(several),
        }
    }
}

//! The caller's identity: only verified claims can become a [`Caller`].
//!
//! Tenant and user never come from a body, a path or a tool argument. This module does not verify tokens and does not
//! know where claims come from.

use std::{collections::BTreeMap, fmt};

use serde::Serialize;
use serde_json::Value;

use crate::phrases::plain;

pub use members::Members;

mod members;

/// The longest accepted tenant or user id, in bytes. It becomes part of keys, whose length DynamoDB limits.
const ID_BYTES: usize = 128;

/// The length of a display name, in characters. A longer one is cut.
const NAME_CHARS: usize = 60;

/// A tenant's id, from verified claims only.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct TenantId(String);

/// A user's id within a tenant, from verified claims only.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct UserId(String);

/// What a person may do: viewers read, members also add and change their own records, admins change all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Viewer,
    Member,
    Admin,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Caller {
    tenant: TenantId,
    user: UserId,
    role: Role,
    name: Option<String>,
}

/// The claims that name tenant, user, roles and the user's display name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClaimNames {
    pub tenant: String,
    pub user: String,
    pub name: String,
    /// If none, every user of a tenant is a member.
    pub roles: Option<String>,
}

/// Claims that the gateway's authorizer has verified, or the development headers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct VerifiedClaims(pub BTreeMap<String, Value>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    #[error("sign in first. The request has no verified claims")]
    NoClaims,
    #[error("the token must name exactly one tenant. Sign in again, or ask your administrator")]
    Tenant,
    #[error("the token must name exactly one user. Sign in again")]
    User,
    #[error("the token has none of the roles viewer, member or admin. Ask your administrator for one")]
    Role,
}

impl Caller {
    /// Requires exactly one tenant and one user, and takes the highest role. A list is refused, even of one: its
    /// content depends on the settings of an identity provider.
    pub fn from_claims(claims: &VerifiedClaims, names: &ClaimNames) -> Result<Caller, IdentityError> {
        let one = |name: &str| claims.0.get(name).and_then(Value::as_str).map(str::trim).filter(|id| is_id(id));
        let tenant = one(&names.tenant).ok_or(IdentityError::Tenant)?;
        let user = one(&names.user).ok_or(IdentityError::User)?;
        let role = match &names.roles {
            Some(name) => claims.0.get(name).and_then(highest_role).ok_or(IdentityError::Role)?,
            None => Role::Member,
        };
        let name = claims.0.get(&names.name).and_then(Value::as_str).map(display_name);
        let name = name.filter(|name| !name.is_empty());
        Ok(Caller { tenant: TenantId(tenant.into()), user: UserId(user.into()), role, name })
    }

    /// What other members call this user. Users may choose it, so it identifies nobody.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub fn tenant(&self) -> &TenantId {
        &self.tenant
    }

    pub fn user(&self) -> &UserId {
        &self.user
    }

    pub fn role(&self) -> Role {
        self.role
    }

    pub fn may_add(&self) -> bool {
        self.role >= Role::Member
    }

    /// Whether this caller may change a record, or decide a proposal, of `owner`.
    pub fn may_change(&self, owner: &str) -> bool {
        self.role == Role::Admin || (self.may_add() && self.user.as_str() == owner)
    }
}

impl TenantId {
    /// From a stored key, which was made for a verified tenant.
    pub(crate) fn of_stored(tenant: String) -> TenantId {
        TenantId(tenant)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl UserId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TenantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn display_name(claim: &str) -> String {
    let name: String = plain(claim).chars().take(NAME_CHARS).collect();
    name.trim().to_owned()
}

/// API Gateway flattens a list claim to `[a b]`, so brackets, commas and white space mark a list.
fn is_id(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= ID_BYTES
        && !id.contains(|c: char| c.is_control() || c.is_whitespace() || "[],".contains(c))
}

/// Roles are a list, or a list that API Gateway flattened: `[admin member]`, `admin,member`.
fn highest_role(claim: &Value) -> Option<Role> {
    let role = |name: &str| match name {
        "viewer" => Some(Role::Viewer),
        "member" => Some(Role::Member),
        "admin" => Some(Role::Admin),
        _ => None,
    };
    match claim {
        Value::String(text) => {
            text.split(|c: char| c == ',' || c.is_whitespace() || "[]\"".contains(c)).filter_map(role).max()
        }
        Value::Array(items) => items.iter().filter_map(Value::as_str).filter_map(role).max(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn caller(claims: Value) -> Result<Caller, IdentityError> {
        let names = ClaimNames {
            tenant: "custom:tenant_id".into(),
            user: "sub".into(),
            name: "name".into(),
            roles: Some("cognito:groups".into()),
        };
        let Value::Object(claims) = claims else { panic!("claims are an object") };
        Caller::from_claims(&VerifiedClaims(claims.into_iter().collect()), &names)
    }

    #[test]
    fn no_tenant_two_tenants_or_a_list_is_refused() {
        for tenant in [
            json!(null),
            json!(""),
            json!(" "),
            json!(["a"]),
            json!(["a", "b"]),
            json!("[a b]"),
            json!("a,b"),
            json!(7),
            json!("a\u{0}b"),
        ] {
            let claims = json!({"custom:tenant_id": tenant, "sub": "u", "cognito:groups": "member"});
            assert_eq!(caller(claims), Err(IdentityError::Tenant), "{tenant}");
        }
        assert_eq!(caller(json!({"sub": "u", "cognito:groups": "member"})), Err(IdentityError::Tenant));
    }

    #[test]
    fn the_highest_role_counts_and_none_is_refused() {
        let with = |roles: Value| caller(json!({"custom:tenant_id": "t", "sub": "u", "cognito:groups": roles}));
        assert_eq!(with(json!("[viewer admin]")).map(|c| c.role()), Ok(Role::Admin));
        assert_eq!(with(json!(["viewer", "member"])).map(|c| c.role()), Ok(Role::Member));
        assert_eq!(with(json!("superadmin")), Err(IdentityError::Role));
        assert_eq!(with(json!(null)), Err(IdentityError::Role));
    }

    #[test]
    fn without_a_roles_claim_everybody_is_a_member() {
        let names = ClaimNames { tenant: "org".into(), user: "sub".into(), name: "name".into(), roles: None };
        let claims = [("org", "t"), ("sub", "u"), ("cognito:groups", "admin")];
        let claims = VerifiedClaims(claims.map(|(name, claim)| (name.to_owned(), json!(claim))).into());
        assert_eq!(Caller::from_claims(&claims, &names).map(|caller| caller.role()), Ok(Role::Member));
    }

    #[test]
    fn a_display_name_is_plain_text_of_limited_length_and_optional() {
        let name = |claim: Value| {
            let claims = json!({"custom:tenant_id": "t", "sub": "u", "cognito:groups": "member", "name": claim});
            caller(claims).unwrap().name().map(str::to_owned)
        };
        assert_eq!(name(json!(" Anna\n[Schmidt](x) ")), Some("Anna Schmidt(x)".into()));
        assert_eq!(name(json!("a".repeat(99))), Some("a".repeat(60)));
        assert_eq!([name(json!("“\u{202e}”")), name(json!(7)), name(json!(null))], [None, None, None]);
    }

    #[test]
    fn members_change_their_own_records_and_admins_change_all() {
        let may = |role: &str, owner: &str| {
            caller(json!({"custom:tenant_id": "t", "sub": "u", "cognito:groups": role})).unwrap().may_change(owner)
        };
        assert_eq!(
            [may("viewer", "u"), may("member", "u"), may("member", "v"), may("admin", "v")],
            [false, true, false, true]
        );
    }
}

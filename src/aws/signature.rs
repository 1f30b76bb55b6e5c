//! AWS's signature of a request, version 4. A test compares it with botocore's.
//!
//! <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html>

use std::{
    fmt::Write,
    sync::{Mutex, PoisonError},
};

use jiff::{Timestamp, tz::TimeZone};
use ring::{
    digest::{SHA256, digest},
    hmac::{self, HMAC_SHA256, Key},
};

use super::Account;

/// Signs requests to one service.
pub(super) struct Signer {
    service: &'static str,
    account: Account,
    /// The key of a day. Deriving it costs more than the rest of a signature.
    day: Mutex<Option<(String, Key)>>,
}

/// A request: `POST /`, with these headers and a date, and a session token if the account has one.
pub(super) struct ToSign<'a> {
    pub host: &'a str,
    pub target: &'a str,
    pub content_type: &'a str,
    pub body: &'a [u8],
}

/// Header values.
pub(super) struct Signed {
    /// `x-amz-date`
    pub date: String,
    pub authorization: String,
}

impl Signer {
    pub fn new(service: &'static str, account: Account) -> Signer {
        Signer { service, account, day: Mutex::default() }
    }

    pub fn sign(&self, request: &ToSign<'_>, now: Timestamp) -> Signed {
        let date = now.to_zoned(TimeZone::UTC).strftime("%Y%m%dT%H%M%SZ").to_string();
        let day = &date[..8];
        let scope = format!("{day}/{}/{}/aws4_request", self.account.region, self.service);
        let (canonical, names) = self.canonical(request, &date);
        let to_sign = format!("AWS4-HMAC-SHA256\n{date}\n{scope}\n{}", hash(canonical.as_bytes()));
        let signature = hex::encode(hmac::sign(&self.key(day), to_sign.as_bytes()).as_ref());
        let authorization = format!(
            "AWS4-HMAC-SHA256 Credential={}/{scope}, SignedHeaders={names}, Signature={signature}",
            self.account.access_key
        );
        Signed { date, authorization }
    }

    /// The canonical request, and the names of its headers. Both are in the order of the names.
    fn canonical(&self, request: &ToSign<'_>, date: &str) -> (String, &'static str) {
        let ToSign { host, target, content_type, body } = request;
        let mut canonical = format!("POST\n/\n\ncontent-type:{content_type}\nhost:{host}\nx-amz-date:{date}\n");
        let names = match &self.account.session_token {
            Some(token) => {
                let _ = writeln!(canonical, "x-amz-security-token:{}", token.0);
                "content-type;host;x-amz-date;x-amz-security-token;x-amz-target"
            }
            None => "content-type;host;x-amz-date;x-amz-target",
        };
        let _ = write!(canonical, "x-amz-target:{target}\n\n{names}\n{}", hash(body));
        (canonical, names)
    }

    fn key(&self, day: &str) -> Key {
        let mut kept = self.day.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((of, key)) if of == day => key.clone(),
            _ => kept.insert((day.to_owned(), self.derive_key(day))).1.clone(),
        }
    }

    fn derive_key(&self, day: &str) -> Key {
        let first = Key::new(HMAC_SHA256, format!("AWS4{}", self.account.secret_key.0).as_bytes());
        let parts = [day, &self.account.region, self.service, "aws4_request"];
        parts.iter().fold(first, |key, part| Key::new(HMAC_SHA256, hmac::sign(&key, part.as_bytes()).as_ref()))
    }
}

/// Without the keys.
impl std::fmt::Debug for Signer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Signer({})", self.service)
    }
}

fn hash(bytes: &[u8]) -> String {
    hex::encode(digest(&SHA256, bytes).as_ref())
}

//! One secret of AWS Secrets Manager, read at its first use and cached for some minutes.
//!
//! When many turns need it at once (it is missing, too old or refused), one of them reads it and all use the result.
//! This module does not know what the secret is for.

use std::{sync::PoisonError, time::Duration};

use serde::{Deserialize, Serialize};
use tokio::{sync::Mutex, time::Instant};

use crate::aws::{Operation, Service};

pub use crate::hidden::Hidden;

/// A rotated key is noticed when it is refused. This limit is for a key that is revoked only after a grace period.
const KEPT: Duration = Duration::from_secs(15 * 60);

/// After a provider has refused the newest value, the secret is not read again for this long.
const REFUSED: Duration = Duration::from_secs(5);

/// After a failed read, waiting callers get its error for this long instead of reading again.
const FAILED: Duration = Duration::from_secs(1);

pub struct Secret {
    id: String,
    manager: Service,
    cached: Mutex<Option<Cached>>,
    failed: std::sync::Mutex<Option<(Instant, SecretError)>>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct GetSecretValue<'a> {
    secret_id: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct SecretValue {
    secret_string: Option<String>,
}

impl Operation for GetSecretValue<'_> {
    const TARGET: &'static str = "secretsmanager.GetSecretValue";
    const CONTENT_TYPE: &'static str = "application/x-amz-json-1.1";
    type Output = SecretValue;
}

struct Cached {
    value: Hidden,
    read_at: Instant,
    refused_at: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    #[error("the secret cannot be read")]
    Unreadable,
    #[error("the secret holds no plain text")]
    NoText,
    #[error("what the secret holds is refused")]
    Refused,
}

impl Secret {
    /// Reads nothing yet.
    pub fn new(id: impl Into<String>, manager: Service) -> Secret {
        Secret { id: id.into(), manager, cached: Mutex::default(), failed: std::sync::Mutex::default() }
    }

    pub async fn value(&self) -> Result<Hidden, SecretError> {
        let mut cached = self.cached.lock().await;
        match &mut *cached {
            Some(cached) if cached.read_at.elapsed() < KEPT => Ok(cached.value.clone()),
            // An older value is better than none. If it is no longer valid, the provider refuses it.
            Some(old) => match self.read().await {
                Ok(value) => Ok(cached.insert(Cached::new(value)).value.clone()),
                Err(_) => {
                    old.read_at = Instant::now();
                    Ok(old.value.clone())
                }
            },
            None => Ok(cached.insert(Cached::new(self.read().await?)).value.clone()),
        }
    }

    /// A value other than `refused`, or an error if there is none.
    pub async fn other_than(&self, refused: &Hidden) -> Result<Hidden, SecretError> {
        let mut cached = self.cached.lock().await;
        match &*cached {
            Some(cached) if cached.value != *refused => return Ok(cached.value.clone()),
            Some(Cached { refused_at: Some(at), .. }) if at.elapsed() < REFUSED => return Err(SecretError::Refused),
            _ => {}
        }
        let read = cached.insert(Cached::new(self.read().await?));
        if read.value != *refused {
            return Ok(read.value.clone());
        }
        read.refused_at = Some(Instant::now());
        Err(SecretError::Refused)
    }

    async fn read(&self) -> Result<Hidden, SecretError> {
        let failed = || self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, error)) = *failed()
            && at.elapsed() < FAILED
        {
            return Err(error);
        }
        let read = self.ask().await;
        if let Err(error) = &read {
            *failed() = Some((Instant::now(), *error));
        }
        read
    }

    async fn ask(&self) -> Result<Hidden, SecretError> {
        let output = self.manager.call(GetSecretValue { secret_id: &self.id }).await.map_err(|failure| {
            tracing::error!(cause = %failure, "secret {} cannot be read", self.id);
            SecretError::Unreadable
        })?;
        let text = output.secret_string.unwrap_or_default().trim().to_owned();
        // The console makes key-value secrets by default. One would be sent as the key.
        if text.is_empty() || text.starts_with('{') {
            tracing::error!(
                "secret {} must hold the bare key as plain text; put it there without JSON around it",
                self.id
            );
            return Err(SecretError::NoText);
        }
        Ok(Hidden(text))
    }
}

impl Cached {
    fn new(value: Hidden) -> Cached {
        Cached { value, read_at: Instant::now(), refused_at: None }
    }
}

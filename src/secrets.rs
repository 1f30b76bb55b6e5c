//! One secret of AWS Secrets Manager, read when it is first needed and kept for a while.
//!
//! However many turns find at once that it is not there, too old or refused, one of them reads it and all of them use
//! what it read. It does not know what the secret opens.

use std::{sync::PoisonError, time::Duration};

use aws_sdk_secretsmanager::operation::get_secret_value::GetSecretValueInput;
use tokio::{sync::Mutex, time::Instant};

use crate::aws::{self, Service};

/// A key that was rotated is noticed by its refusal; this is for one that was only revoked after a grace period.
const KEPT: Duration = Duration::from_secs(15 * 60);

/// For this long after a refusal of what Secrets Manager holds, it is not asked again.
const REFUSED: Duration = Duration::from_secs(5);

/// Whoever waited for a read that failed is told so, rather than to read in turn.
const FAILED: Duration = Duration::from_secs(1);

/// A value that is not to be seen in logs.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Hidden(pub String);

pub struct Secret {
    id: String,
    manager: Service,
    cached: Mutex<Option<Cached>>,
    failed: std::sync::Mutex<Option<(Instant, SecretError)>>,
}

aws::operations! {
    aws_sdk_secretsmanager::operation::get_secret_value:
        GetSecretValue, GetSecretValueInput, GetSecretValueOutput, GetSecretValueError;
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
    /// Asks for nothing yet.
    pub fn new(id: impl Into<String>, manager: Service) -> Secret {
        Secret { id: id.into(), manager, cached: Mutex::default(), failed: std::sync::Mutex::default() }
    }

    pub async fn value(&self) -> Result<Hidden, SecretError> {
        let mut cached = self.cached.lock().await;
        match &mut *cached {
            Some(cached) if cached.read_at.elapsed() < KEPT => Ok(cached.value.clone()),
            // What was good a quarter of an hour ago is better than no answer, and whoever refuses it says so.
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

    /// After `refused` was: another value, or an error if there is none.
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
        let input = GetSecretValueInput::builder().secret_id(&self.id);
        let output = self.manager.call(input.build()).await.map_err(|error| {
            tracing::error!(cause = aws::cause(&error), "secret {} cannot be read", self.id);
            SecretError::Unreadable
        })?;
        let text = output.secret_string.unwrap_or_default().trim().to_owned();
        // A key-value secret, as the console makes them by default, would be sent as the key.
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

impl std::fmt::Debug for Hidden {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("(hidden)")
    }
}

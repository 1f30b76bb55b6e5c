//! The port to an embeddings endpoint, which turns texts into vectors. Texts of similar meaning have similar
//! directions.
//!
//! <https://platform.openai.com/docs/api-reference/embeddings>, limited to what other servers support too.

use std::{future::Future, pin::Pin, time::Duration};

use serde::{Deserialize, Serialize};

use super::{
    ModelError,
    client::Remote,
    openai,
    provider::{Endpoint, Failure},
};
use crate::{outbound::Uri, proposal::hash_text, sorted::Sort};

pub use vector::{QueryVector, Vector};

mod vector;

/// Texts of one request: as JSON, their vectors are well below the client's size limit.
pub const BATCH: usize = 16;

/// A person waits for the answer, and a search by words can replace it.
const TIMEOUT: Duration = Duration::from_secs(4);

/// More than any current model has.
const DIMENSIONS: usize = 4096;

pub trait Embeddings: Send + Sync {
    /// The name of the vector space. Vectors of different spaces cannot be compared.
    fn space(&self) -> &str;

    /// One vector for each text, in order; at most [`BATCH`] texts.
    fn embed<'a>(&'a self, texts: &'a [&'a str]) -> Embedding<'a>;
}

pub type Embedding<'a> = Pin<Box<dyn Future<Output = Result<Vec<Vector>, ModelError>> + Send + 'a>>;

#[derive(Debug, Clone)]
pub struct OpenAiEmbeddings {
    model: String,
    space: String,
}

impl OpenAiEmbeddings {
    /// The address is part of the name, because different servers may use one model name for different models.
    pub fn new(model: &str, base: &Uri) -> OpenAiEmbeddings {
        let named = format!("{} {model}", base.to_string().trim_end_matches('/'));
        OpenAiEmbeddings { model: model.into(), space: hash_text(&named)[..12].into() }
    }
}

impl Endpoint for OpenAiEmbeddings {
    fn path(&self) -> &'static str {
        "embeddings"
    }

    /// Self-hosted servers often need no key.
    fn headers(&self, key: &str) -> Vec<(&'static str, String)> {
        if key.is_empty() { vec![] } else { openai::headers(key) }
    }

    fn failure(&self, status: u16, body: &[u8]) -> Failure {
        openai::failure(status, body)
    }

    fn settings(&self) -> &'static str {
        "EMBEDDINGS_MODEL and EMBEDDINGS_BASE_URL"
    }
}

impl Embeddings for Remote<OpenAiEmbeddings> {
    fn space(&self) -> &str {
        &self.endpoint.space
    }

    fn embed<'a>(&'a self, texts: &'a [&'a str]) -> Embedding<'a> {
        Box::pin(async move {
            let request = Request { model: &self.endpoint.model, input: texts };
            let body = serde_json::to_vec(&request).expect("JSON is always written");
            self.exchange_within(TIMEOUT, body, &|answer| read(answer, texts.len())).await
        })
    }
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [&'a str],
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<One>,
}

#[derive(Deserialize)]
struct One {
    index: usize,
    embedding: Vec<f32>,
}

const INVALID_ANSWER: ModelError = ModelError::Unavailable("its answer is no list of embeddings");

fn read(answer: &[u8], texts: usize) -> Result<Vec<Vector>, ModelError> {
    let Answer { mut data } = serde_json::from_slice(answer).map_err(|_| INVALID_ANSWER)?;
    data.put_in_order_of(|one| one.index);
    let length = data.first().map_or(0, |one| one.embedding.len());
    let is_whole = data.len() == texts
        && data.iter().enumerate().all(|(n, one)| one.index == n && one.embedding.len() == length)
        && (1..=DIMENSIONS).contains(&length);
    if !is_whole {
        return Err(INVALID_ANSWER);
    }
    data.iter().map(|one| Vector::new(&one.embedding).ok_or(INVALID_ANSWER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(answer: &str, texts: usize) -> Result<Vec<Vec<u8>>, ModelError> {
        super::read(answer.as_bytes(), texts)
            .map(|vectors| vectors.into_iter().map(|vector| vector.bytes().to_vec()).collect())
    }

    #[test]
    fn vectors_come_in_the_order_of_their_texts() {
        let answer =
            r#"{"object":"list","data":[{"index":1,"embedding":[0,-2]},{"index":0,"embedding":[0.5,0]}],"model":"m"}"#;
        let vector = |numbers: [f32; 2]| Vector::new(&numbers).unwrap().bytes().to_vec();
        assert_eq!(read(answer, 2), Ok(vec![vector([0.5, 0.0]), vector([0.0, -2.0])]));
    }

    #[test]
    fn an_answer_without_exactly_one_vector_a_text_is_refused() {
        let one = r#"{"index":0,"embedding":[1,2]}"#;
        for (answer, texts) in [
            ("no JSON".to_owned(), 1),
            (r#"{"data":[]}"#.to_owned(), 1),
            (format!(r#"{{"data":[{one},{one}]}}"#), 2),
            (format!(r#"{{"data":[{one},{{"index":1,"embedding":[1]}}]}}"#), 2),
            (format!(r#"{{"data":[{one}]}}"#), 2),
            (r#"{"data":[{"index":0,"embedding":[]}]}"#.to_owned(), 1),
            (r#"{"data":[{"index":0,"embedding":[0,0]}]}"#.to_owned(), 1),
            (r#"{"data":[{"index":0,"embedding":[1e39,0]}]}"#.to_owned(), 1),
        ] {
            assert_eq!(read(&answer, texts), Err(INVALID_ANSWER), "{answer}");
        }
    }
}

//! `ask_questions`: the model asks the person. No other tool of the same round runs.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Question;
use crate::shown::AskedPart;

/// Ask the person when something needed is missing or ambiguous. Ask only for what was not said. Offer options when
/// there are few.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskQuestions {
    /// One to three questions. The person sees each with its own options.
    #[schemars(length(min = 1, max = 3))]
    questions: Vec<Asked>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Asked {
    text: String,
    /// Answers to pick from.
    #[serde(default)]
    options: Vec<String>,
    /// What the answer must contain, e.g. "amount".
    #[serde(default)]
    missing: Vec<String>,
}

impl AskQuestions {
    pub const NAME: &'static str = "ask_questions";

    /// A turn has at most one question. If several are asked, it has them as its parts. None if all texts are empty.
    pub fn into_question(self) -> Option<Question> {
        let asked: Vec<Asked> =
            self.questions.into_iter().filter(|asked| !asked.text.trim().is_empty()).take(3).collect();
        if asked.is_empty() {
            return None;
        }
        let part = |Asked { text, options, missing }| AskedPart { text: text.trim().to_owned(), options, missing };
        let parts: Vec<AskedPart> = asked.into_iter().map(part).collect();
        Some(Question {
            text: parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(" "),
            options: parts.iter().flat_map(|part| part.options.clone()).collect(),
            missing: parts.iter().flat_map(|part| part.missing.clone()).collect(),
            parts: if parts.len() > 1 { parts } else { vec![] },
            ..Question::default()
        })
    }
}

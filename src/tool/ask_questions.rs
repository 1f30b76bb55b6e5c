//! `ask_questions`: the model asks the person. No other tool of the same round runs.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Question;

/// Ask the person when something needed is missing or ambiguous. Ask only for what was not said. Offer options when
/// there are few.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskQuestions {
    /// One to three questions; the person sees them as one.
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

    /// Joins all questions into one, because a turn has at most one question. None if all texts are empty.
    pub fn into_question(self) -> Option<Question> {
        let asked: Vec<Asked> =
            self.questions.into_iter().filter(|asked| !asked.text.trim().is_empty()).take(3).collect();
        if asked.is_empty() {
            return None;
        }
        let mut question = Question::default();
        let texts: Vec<String> = asked.iter().map(|asked| asked.text.trim().to_owned()).collect();
        question.text = texts.join(" ");
        for asked in asked {
            question.options.extend(asked.options);
            question.missing.extend(asked.missing);
        }
        Some(question)
    }
}

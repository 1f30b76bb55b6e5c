//! `get_chat_history`: earlier turns of the conversation, read only when the person refers back to them.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Gate, Query, QueryResult, ToolContext, ToolError};
use crate::{phrases::phrase_length, store::Turn};

const DEFAULT_TURNS: usize = 10;
const MAX_TURNS: usize = 30;

/// In characters, for each message.
const MAX_MESSAGE: usize = 400;

/// Read earlier turns of this conversation, before those you see. Only if the person refers to them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetChatHistory {
    /// How many turns back; at most 30, 10 if absent.
    turns: Option<usize>,
}

impl Query for GetChatHistory {
    const NAME: &'static str = "get_chat_history";

    const GATE: Option<Gate> = Some(|input| input.said.last().is_some_and(|said| refers_back(said)));

    fn status(&self, _: &ToolContext<'_>) -> String {
        "Looking at earlier messages…".to_owned()
    }

    async fn run(self, context: &ToolContext<'_>) -> Result<QueryResult, ToolError> {
        let count = self.turns.unwrap_or(DEFAULT_TURNS);
        if !(1..=MAX_TURNS).contains(&count) {
            return Err(ToolError::Refused(format!(
                "turns must be from 1 to {MAX_TURNS}. Older ones are not available"
            )));
        }
        let turns = match context.conversation {
            Some(conversation) => {
                let user = context.caller.user().as_str();
                context.store.earlier_turns(user, conversation.name, conversation.seen, count).await?
            }
            None => vec![],
        };
        let summary = match turns.as_slice() {
            [] => "There is nothing earlier.".to_owned(),
            turns => format!("Earlier in this conversation, oldest first:\n{}", lines(turns)),
        };
        Ok(QueryResult { count: turns.len(), summary_for_llm: summary, ..QueryResult::default() })
    }
}

fn lines(turns: &[Turn]) -> String {
    let line = |turn: &Turn| {
        let day = turn.at.strftime("%Y-%m-%d %H:%M");
        format!("{day} UTC, the person: {}\n  you: {}", shown(&turn.message), shown(&turn.answer))
    };
    turns.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// One line per message, so that no message can look like another.
fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// "As I said", "what did I ask earlier?": phrases about earlier messages. "The day before that" is about days.
fn refers_back(said: &str) -> bool {
    const ABOUT_WORDS: [&str; 47] = [
        "as i said", "like i said", "i said", "i told you", "i mentioned", "i asked", "did i say", "did i ask",
        "did i tell", "did you say", "you said", "you told", "you asked", "you showed", "we talked", "we discussed",
        "earlier", "before that", "previously", "this conversation", "our chat", "wie gesagt", "ich sagte",
        "ich gesagt", "du gesagt", "sie gesagt", "du sagtest", "ich gefragt", "vorhin", "zuvor", "unser gespräch",
        "j ai dit", "l ai dit", "j ai demandé", "je disais", "tu as dit", "vous avez dit", "tu disais",
        "tout à l heure", "plus tôt", "como dije", "te dije", "qué dije", "que dije", "me dijiste", "dijiste",
        "hace un rato",
    ];
    let lower = said.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let begins = |words: &[&str]| ABOUT_WORDS.iter().any(|phrase| phrase_length(phrase, words).is_some());
    (0..words.len()).any(|at| begins(&words[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_is_offered_only_to_messages_that_refer_back() {
        for said in [
            "as I said, 4.50",
            "What did I say about the taxi?",
            "the one from earlier",
            "and before that?",
            "like I said before: tea",
            "you said it was food",
            "Was habe ich vorhin über das Taxi gesagt?",
            "comme je l'ai dit, 4,50",
            "¿qué dije del taxi?",
        ] {
            assert!(refers_back(said), "{said}");
        }
        for said in [
            "coffee 3.50",
            "how much did I spend before October?",
            "lunch with Saida 12",
            "delete the taxi",
            "Kaffee vor dem Zug 3",
            "",
        ] {
            assert!(!refers_back(said), "{said}");
        }
    }
}

//! How labelled messages are read: `tests/utterances`, a message a line, its slots marked as `[52](amount)`. What each is
//! read as is recorded in the files `.snap` beside them, so that a change of a pattern shows what else it changes.

use std::fs;

use rstest::rstest;

use super::tests::{all_tools, completion, talk};

/// The message without its marks.
fn plain(line: &str) -> String {
    let mut pieces = line.split('[');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (said, rest) = piece.split_once("](").expect("a slot");
        let (_, rest) = rest.split_once(')').expect("the name of a slot");
        text.extend([said, rest]);
    }
    text
}

fn messages(intent: &str) -> Vec<String> {
    let path = format!("{}/tests/utterances/{intent}.txt", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(path).expect("labelled messages").lines().map(plain).collect()
}

/// The calls of tools, or an answer.
fn read(text: &str) -> String {
    let completion = completion(&talk(&[text]), &all_tools());
    match &completion.calls[..] {
        [] => completion.text,
        calls => calls.iter().map(|call| format!("{} {}", call.name, call.arguments)).collect::<Vec<_>>().join(", "),
    }
}

#[rstest]
#[case::sum("sum", &["get_balance", "summarize_expenses", "list_expenses"], 315)]
#[case::list("list", &["list_expenses", "search_"], 406)]
#[case::biggest("biggest", &["list_expenses", "summarize_expenses"], 155)]
#[case::compare("compare", &["summarize_expenses", "get_balance", "ask_questions", "I can only compare"], 121)]
#[case::budgets("budget_status", &["get_budgets", "I only know your budgets"], 226)]
#[case::set_budget("set_budget", &["set_budget", "ask_questions", "A budget ", "I can remove one"], 139)]
#[case::set_recurring("set_recurring", &["set_recurring", "stop_recurring", "ask_questions", "I can repeat", "I can't tell"], 145)]
#[case::recurring("list_recurring", &["list_recurring"], 147)]
#[case::help("help", &["I keep track"], 220)]
#[case::greeting("greeting", &["I keep track", "I'm fine"], 186)]
#[case::thanks("thanks", &["You're welcome"], 199)]
#[case::bye("bye", &["Goodbye"], 228)]
#[case::add("add_expense", &["add_expense", "ask_questions", "propose_operations"], 398)]
#[case::questions(
    "questions",
    &["get_balance", "summarize_expenses", "list_expenses", "search_", "get_budgets", "list_recurring"],
    324
)]
fn labelled_messages_are_read(#[case] intent: &str, #[case] expected: &[&str], #[case] at_least: usize) {
    let messages = messages(intent);
    let is_read = |message: &&String| expected.iter().any(|start| read(message).starts_with(start));
    let missed: Vec<&String> = messages.iter().filter(|message| !is_read(message)).collect();
    assert!(messages.len() - missed.len() >= at_least, "{} of {} not read: {missed:?}", missed.len(), messages.len());
}

#[rstest]
fn labelled_messages_are_read_as_recorded(
    #[values(
        "add_expense", "biggest", "budget_status", "compare", "delete", "list", "list_recurring", "questions",
        "set_budget", "set_recurring", "sum", "update"
    )]
    intent: &str,
) {
    let lines: Vec<String> =
        messages(intent).iter().map(|message| format!("{message}\n    {}", read(message))).collect();
    insta::with_settings!({ snapshot_path => "../../../tests/utterances", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(intent, lines.join("\n"));
    });
}

//! The conversations of `tests/conversations`; its README explains them. Each runs with the offline interpreter, and
//! with a model that gives the written answers, over tool calls and over the JSON protocol. All runs must give the same
//! text.
//!
//! `UPDATE_CONVERSATIONS=1` writes the actual text into the files instead, to review the difference.

use std::{fmt::Write, fs, path::PathBuf, sync::Arc};

use rstest::rstest;
use sayso::model::{Model, offline::Offline};

use crate::harness::{
    BUDGET,
    conversation::{Line, Part, Protocol, SPEAKERS, Setting, Talk, completions, lines, parts, written},
    endpoint::{Act, Endpoint},
};

#[rstest]
#[tokio::test]
async fn a_conversation_matches_its_file(#[files("tests/conversations/[a-z]*.md")] path: PathBuf) {
    let written = fs::read_to_string(&path).expect("a conversation");
    let (mut spoken, mut unlike) = (String::new(), String::new());
    for part in parts(&written) {
        match part {
            Part::Prose(text) => spoken.push_str(text),
            Part::Conversation(lines) => spoken.push_str(&run_conversation(lines, &mut unlike).await),
        }
    }
    if std::env::var_os("UPDATE_CONVERSATIONS").is_some() {
        fs::write(&path, spoken).expect("it can be written");
    } else {
        assert!(spoken == written, "{} reads otherwise:\n{}", path.display(), differences(&written, &spoken));
    }
    assert!(unlike.is_empty(), "{}\n{unlike}", path.display());
}

#[test]
fn there_are_at_least_sixty_conversations() {
    assert!(written().len() >= 60);
}

/// The actual text of a conversation, with each model and protocol.
async fn run_conversation(text: &str, unlike: &mut String) -> String {
    let script = lines(text);
    let scripted = script.iter().any(|line| line.speaker == "model");
    let setting = Setting::of(&script);
    let mut spoken = Vec::new();
    if setting.down {
        spoken.push(("down", with(&setting, &script, Some(Protocol::Tools)).await));
    } else if setting.offline {
        spoken.push(("offline", with(&setting, &script, None).await));
    }
    if scripted {
        for protocol in [Protocol::Tools, Protocol::Json] {
            spoken.push((protocol.name(), with(&setting, &script, Some(protocol)).await));
        }
    }
    let mut spoken = spoken.into_iter();
    let (first, said) = spoken.next().expect("somebody to talk with");
    for (other, also) in spoken {
        if also != said {
            let _ = writeln!(unlike, "{first} (-) and {other} (+) differ:\n{}", differences(&said, &also));
        }
    }
    said
}

async fn with(setting: &Setting, script: &[Line], protocol: Option<Protocol>) -> String {
    let endpoint = Endpoint::start().await;
    let model: Arc<dyn Model> = match &protocol {
        None => Arc::new(Offline),
        Some(protocol) => protocol.model(&endpoint),
    };
    let mut spoken = String::new();
    let mut talk = Talk::new(setting.start(model, BUDGET).await, setting);
    for (n, line) in script.iter().enumerate() {
        match line.speaker.as_str() {
            "sayso" | "rows" => continue,
            "model" | "and" | "given" => {}
            who => {
                if let Some(protocol) = &protocol {
                    completions(&script[n + 1..])
                        .iter()
                        .for_each(|said| endpoint.will(Act::says(&protocol.says(said))));
                }
                talk.run_line(who, &line.text).await;
            }
        }
        write_line(&mut spoken, &line.speaker, &line.text);
        let next = script.get(n + 1).map(|next| next.speaker.as_str());
        // The replies of the service come after the model's lines.
        if !matches!(line.speaker.as_str(), "given" | "later") && !matches!(next, Some("model" | "and")) {
            write_line(
                &mut spoken,
                "sayso",
                talk.last.body["answer"].as_str().or(talk.last.body["detail"].as_str()).unwrap_or("(nothing)"),
            );
            if script[n + 1..]
                .iter()
                .take_while(|line| matches!(line.speaker.as_str(), "sayso" | "rows"))
                .any(|line| line.speaker == "rows")
            {
                write_line(&mut spoken, "rows", &rows(&talk).await);
            }
        }
    }
    spoken
}

fn write_line(spoken: &mut String, speaker: &str, text: &str) {
    let indented =
        text.replace('\n', &format!("\n{:SPEAKERS$} ", "")).replace(&format!("\n{:SPEAKERS$} \n", ""), "\n\n");
    let _ = writeln!(spoken, "{:<SPEAKERS$} {indented}", format!("{speaker}:"));
}

async fn rows(talk: &Talk<'_>) -> String {
    let rows = talk.person("me").rows().await;
    let rows = rows.iter().map(|row| {
        let text = |name: &str| row[name].as_str().map(str::to_owned);
        let money = &row["money"];
        let fields = [
            text("item"),
            Some(format!(
                "{} {}",
                money["amount"].as_str().unwrap_or_default(),
                money["currency"].as_str().unwrap_or_default()
            )),
            text("date"),
            text("category").map(|category| format!("in {category}")),
            text("notes").map(|notes| format!("({notes})")),
        ];
        format!("#{} {}", row["id"], fields.into_iter().flatten().collect::<Vec<_>>().join(", "))
    });
    let rows: Vec<String> = rows.collect();
    if rows.is_empty() { "none".into() } else { rows.join("\n") }
}

/// The lines that differ, in order.
fn differences(one: &str, other: &str) -> String {
    let (one, other): (Vec<&str>, Vec<&str>) = (one.lines().collect(), other.lines().collect());
    let same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let shown = |lines: &[&str], mark: &str| {
        lines.iter().skip(same.saturating_sub(3)).take(12).map(|line| format!("{mark} {line}\n")).collect::<String>()
    };
    format!("{}{}", shown(&one, "-"), shown(&other, "+"))
}

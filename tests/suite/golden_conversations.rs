//! The conversations of `tests/conversations`; its README explains them. Each runs with the offline interpreter, and
//! with a model that gives the written answers, over tool calls and over the JSON protocol. All runs must give the same
//! text.
//!
//! `UPDATE_CONVERSATIONS=1` writes the actual text into the files instead, to review the difference.

use std::{fmt::Write, fs, path::PathBuf, sync::Arc, time::Duration};

use rstest::rstest;
use sayso::{
    expenses,
    model::{
        Model,
        anthropic::Anthropic,
        client::{Key, Remote},
        json::JsonProtocol,
        offline::Offline,
        openai::OpenAi,
        provider::Provider,
    },
    outbound::Outbound,
    proposal::Policy,
    receipts,
    secrets::Hidden,
    tenant,
    tool::Toolkit,
    workspace,
};
use serde_json::{Value, json};

use crate::harness::{
    Person, Service, Setup,
    endpoint::{Act, Endpoint},
};

/// The longest name before a line's colon.
const SPEAKERS: usize = 6;

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
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conversations");
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let conversations = files.filter(|path| path.file_stem().is_some_and(|stem| stem != "README")).map(|path| {
        let text = fs::read_to_string(path).expect("a conversation");
        parts(&text).iter().filter(|part| matches!(part, Part::Conversation(_))).count()
    });
    assert!(conversations.sum::<usize>() >= 60);
}

enum Part<'a> {
    Prose(&'a str),
    /// The text between its fences.
    Conversation(&'a str),
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let fenced = text.split_inclusive("```\n").enumerate();
    fenced
        .flat_map(|(n, piece)| match n % 2 {
            0 => vec![Part::Prose(piece)],
            _ => vec![Part::Conversation(piece.trim_end_matches("```\n")), Part::Prose("```\n")],
        })
        .collect()
}

/// A line with its speaker, and its continuation lines.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    speaker: String,
    text: String,
}

fn lines(text: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for line in text.lines() {
        match line.split_once(':').filter(|_| !line.starts_with(' ')) {
            Some((speaker, text)) => lines.push(Line { speaker: speaker.to_owned(), text: text.trim().to_owned() }),
            None => {
                let last = lines.last_mut().unwrap_or_else(|| panic!("nobody says {line:?}"));
                last.text = format!("{}\n{}", last.text, line.get(SPEAKERS + 1..).unwrap_or_default());
            }
        }
    }
    lines
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
    let service = setting.start(model).await;
    let mut spoken = String::new();
    let mut talk = Talk { service: &service, setting, last: Value::Null };
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
                talk.last["answer"].as_str().or(talk.last["detail"].as_str()).unwrap_or("(nothing)"),
            );
            if script[n + 1..]
                .iter()
                .take_while(|line| matches!(line.speaker.as_str(), "sayso" | "rows"))
                .any(|line| line.speaker == "rows")
            {
                write_line(&mut spoken, "rows", &talk.rows().await);
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

/// A model's answer in one completion.
enum Completed {
    Words(String),
    Calls(Vec<(String, Value)>),
}

/// The completions of this turn, in order.
fn completions(rest: &[Line]) -> Vec<Completed> {
    let mut completions: Vec<Completed> = Vec::new();
    for line in rest.iter().take_while(|line| matches!(line.speaker.as_str(), "model" | "and")) {
        let call =
            line.text.split_once(' ').filter(|(_, arguments)| arguments.starts_with('{')).map(|(tool, arguments)| {
                let arguments = serde_json::from_str(arguments).unwrap_or_else(|error| panic!("{error}: {arguments}"));
                (tool.to_owned(), arguments)
            });
        match (call, completions.last_mut()) {
            (None, _) => completions.push(Completed::Words(line.text.clone())),
            (Some(call), Some(Completed::Calls(calls))) if line.speaker == "and" => calls.push(call),
            (Some(call), _) => completions.push(Completed::Calls(vec![call])),
        }
    }
    completions
}

#[derive(Clone, Copy)]
enum Protocol {
    /// Tool calls of Anthropic.
    Tools,
    /// OpenAI's chat completions with the JSON protocol.
    Json,
}

impl Protocol {
    fn name(self) -> &'static str {
        match self {
            Protocol::Tools => "tools",
            Protocol::Json => "json",
        }
    }

    fn model(self, endpoint: &Endpoint) -> Arc<dyn Model> {
        match self {
            Protocol::Tools => Arc::new(remote(Anthropic { model: "m".into(), temperature: None }, endpoint)),
            Protocol::Json => Arc::new(JsonProtocol(remote(OpenAi { model: "m".into(), temperature: None }, endpoint))),
        }
    }

    fn says(self, completed: &Completed) -> Value {
        match (self, completed) {
            (Protocol::Tools, Completed::Words(text)) => {
                json!({ "content": [{ "type": "text", "text": text }], "stop_reason": "end_turn" })
            }
            (Protocol::Tools, Completed::Calls(calls)) => {
                let calls = calls.iter().enumerate().map(|(n, (tool, arguments))| {
                    json!({ "type": "tool_use", "id": format!("c{n}"), "name": tool, "input": arguments })
                });
                json!({ "content": calls.collect::<Vec<_>>(), "stop_reason": "tool_use" })
            }
            (Protocol::Json, completed) => {
                let content = match completed {
                    Completed::Words(text) => json!({ "type": "answer", "content": text }),
                    Completed::Calls(calls) => match &calls.iter().map(in_json).collect::<Vec<_>>()[..] {
                        [only] => only.clone(),
                        several => several.into(),
                    },
                };
                let message = json!({ "role": "assistant", "content": content.to_string() });
                json!({ "choices": [{ "message": message, "finish_reason": "stop" }] })
            }
        }
    }
}

fn remote<P: Provider>(provider: P, endpoint: &Endpoint) -> Remote<P> {
    let key = Key::Given(Hidden("key".into()));
    Remote::new(provider, Outbound::default(), endpoint.base.clone(), key, |_| Duration::ZERO)
}

fn in_json((tool, arguments): &(String, Value)) -> Value {
    match tool.as_str() {
        // A question with options is a tool call in this protocol too.
        "ask_questions" if arguments["questions"][0]["options"].is_null() => {
            json!({ "type": "clarify", "question": arguments["questions"][0]["text"] })
        }
        _ => json!({ "type": "tool_call", "tool": tool, "args": arguments }),
    }
}

/// The setting at the start of the conversation.
struct Setting {
    policy: Policy,
    currency: Option<&'static str>,
    locale: Option<String>,
    role: String,
    today: Option<String>,
    rows: usize,
    toolkits: Vec<fn() -> Toolkit>,
    /// Whether the offline interpreter understands it too.
    offline: bool,
    /// No model answers.
    down: bool,
}

impl Setting {
    fn of(script: &[Line]) -> Setting {
        let mut setting = Setting {
            policy: Policy::Risky,
            currency: Some("GBP"),
            locale: None,
            role: "admin".into(),
            today: None,
            rows: 0,
            toolkits: vec![expenses::toolkit],
            offline: true,
            down: false,
        };
        for given in script.iter().filter(|line| line.speaker == "given").flat_map(|line| line.text.split("; ")) {
            match given.split_once(' ').unwrap_or((given, "")) {
                ("policy", "always") => setting.policy = Policy::Always,
                ("policy", "never") => setting.policy = Policy::Never,
                ("no", "currency") => setting.currency = None,
                ("locale", tag) => setting.locale = Some(tag.to_owned()),
                ("role", role) => setting.role = role.to_owned(),
                ("today", date) => setting.today = Some(format!("{date}T12:00:00Z")),
                ("expenses", count) => setting.rows = count.parse().expect("how many"),
                ("toolkits", names) => setting.toolkits = names.split(", ").map(toolkit).collect(),
                ("only", "models") => setting.offline = false,
                ("model", "down") => setting.down = true,
                _ => panic!("nothing is known of {given:?}"),
            }
        }
        setting
    }

    async fn start(&self, model: Arc<dyn Model>) -> Service {
        let toolkits =
            self.toolkits.iter().map(|toolkit| toolkit()).chain([receipts::toolkit(), tenant::toolkit()]).collect();
        let setup = Setup {
            policy: self.policy,
            currency: self.currency,
            fallback: self.down.then(|| Arc::new(Offline) as Arc<dyn Model>),
            toolkits,
            ..Setup::model(model)
        };
        let service = setup.start().await;
        if let Some(today) = &self.today {
            service.at(today);
        }
        if self.rows > 0 {
            service.fill(self.rows).await;
        }
        service
    }
}

fn toolkit(name: &str) -> fn() -> Toolkit {
    match name {
        "expenses" => expenses::toolkit,
        "workspace" => workspace::toolkit,
        _ => panic!("there is no toolkit {name:?}"),
    }
}

struct Talk<'a> {
    service: &'a Service,
    setting: &'a Setting,
    /// The last reply.
    last: Value,
}

impl Talk<'_> {
    async fn run_line(&mut self, who: &str, text: &str) {
        match who {
            "later" => self.service.advance(Duration::from_secs(60 * text.parse::<u64>().expect("minutes"))),
            "page" => self.last = self.decide(text).await,
            "you" => self.last = self.reply_to(self.person("me"), text).await,
            name => self.last = self.reply_to(self.person(name), text).await,
        }
    }

    fn person<'a>(&'a self, name: &'a str) -> Person<'a> {
        self.service.who("demo", name, &self.setting.role)
    }

    async fn reply_to(&self, person: Person<'_>, text: &str) -> Value {
        let context = json!({ "locale": self.setting.locale });
        person.post("/chat", json!({ "message": text, "userContext": context })).await.body
    }

    /// "approve", or `edit {"exclude": [1]}`, for the last shown proposal.
    async fn decide(&self, text: &str) -> Value {
        let (decision, fields) = text.split_once(' ').unwrap_or((text, "{}"));
        let mut confirm: Value = serde_json::from_str(fields).expect("fields");
        let shown = &self.last["proposal"];
        confirm["proposalId"] = shown["id"].clone();
        confirm["fingerprint"] = shown["fingerprint"].clone();
        confirm["decision"] = decision.into();
        self.person("me").post("/chat", json!({ "confirm": confirm })).await.body
    }

    async fn rows(&self) -> String {
        let rows = self.person("me").rows().await;
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

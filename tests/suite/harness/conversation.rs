//! Written conversations: their text as lines, the setting at their start, and the person who says them.

use std::{fs, path::PathBuf, sync::Arc, time::Duration};

use http::{HeaderMap, StatusCode};
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

use super::{Person, Response, Service, Setup, endpoint::Endpoint};

/// The longest name before a line's colon.
pub const SPEAKERS: usize = 6;

pub enum Part<'a> {
    Prose(&'a str),
    /// The text between its fences.
    Conversation(&'a str),
}

pub fn parts(text: &str) -> Vec<Part<'_>> {
    let fenced = text.split_inclusive("```\n").enumerate();
    fenced
        .flat_map(|(n, piece)| match n % 2 {
            0 => vec![Part::Prose(piece)],
            _ => vec![Part::Conversation(piece.trim_end_matches("```\n")), Part::Prose("```\n")],
        })
        .collect()
}

/// A conversation with a name, like “adding: A mechanic's fee”.
pub struct Conversation {
    pub name: String,
    pub script: Vec<Line>,
}

/// All of `tests/conversations`, by file.
pub fn written() -> Vec<Conversation> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conversations");
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.file_stem().is_some_and(|stem| stem != "README")).collect();
    files.sort();
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a conversation");
        conversations(&path.file_stem().unwrap_or_default().to_string_lossy(), &text)
    };
    files.iter().flat_map(read).collect()
}

/// Several below one title are numbered.
pub fn conversations(file: &str, text: &str) -> Vec<Conversation> {
    let (mut title, mut below, mut found) = ("", 0, Vec::new());
    for part in parts(text) {
        match part {
            Part::Prose(prose) => {
                let last = prose.lines().rev().find_map(|line| line.strip_prefix("## "));
                if let Some(last) = last {
                    (title, below) = (last, 0);
                }
            }
            Part::Conversation(text) => {
                below += 1;
                let number = if below > 1 { format!(" ({below})") } else { String::new() };
                found.push(Conversation { name: format!("{file}: {title}{number}"), script: lines(text) });
            }
        }
    }
    found
}

/// A line with its speaker, and its continuation lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub speaker: String,
    pub text: String,
}

pub fn lines(text: &str) -> Vec<Line> {
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

/// A model's answer in one completion.
pub enum Completed {
    Words(String),
    Calls(Vec<(String, Value)>),
}

/// The completions of this turn, in order.
pub fn completions(rest: &[Line]) -> Vec<Completed> {
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
pub enum Protocol {
    /// Tool calls of Anthropic.
    Tools,
    /// OpenAI's chat completions with the JSON protocol.
    Json,
}

impl Protocol {
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Tools => "tools",
            Protocol::Json => "json",
        }
    }

    pub fn model(self, endpoint: &Endpoint) -> Arc<dyn Model> {
        match self {
            Protocol::Tools => Arc::new(remote(Anthropic { model: "m".into(), temperature: None }, endpoint)),
            Protocol::Json => Arc::new(JsonProtocol(remote(OpenAi { model: "m".into(), temperature: None }, endpoint))),
        }
    }

    pub fn says(self, completed: &Completed) -> Value {
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
pub struct Setting {
    policy: Policy,
    currency: Option<&'static str>,
    locale: Option<String>,
    role: String,
    today: Option<String>,
    rows: usize,
    toolkits: Vec<fn() -> Toolkit>,
    /// Whether the offline interpreter understands it too.
    pub offline: bool,
    /// No model answers.
    pub down: bool,
}

impl Setting {
    pub fn of(script: &[Line]) -> Setting {
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

    pub async fn start(&self, model: Arc<dyn Model>, budget: Duration) -> Service {
        let toolkits =
            self.toolkits.iter().map(|toolkit| toolkit()).chain([receipts::toolkit(), tenant::toolkit()]).collect();
        let setup = Setup {
            policy: self.policy,
            currency: self.currency,
            fallback: self.down.then(|| Arc::new(Offline) as Arc<dyn Model>),
            toolkits,
            budget,
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

pub struct Talk<'a> {
    pub service: Service,
    pub setting: &'a Setting,
    /// The last reply.
    pub last: Response,
}

impl<'s> Talk<'s> {
    pub fn new(service: Service, setting: &'s Setting) -> Talk<'s> {
        let last = Response { status: StatusCode::OK, headers: HeaderMap::new(), body: Value::Null, bytes: vec![] };
        Talk { service, setting, last }
    }

    pub async fn run_line(&mut self, who: &str, text: &str) {
        match who {
            "later" => self.service.advance(Duration::from_secs(60 * text.parse::<u64>().expect("minutes"))),
            "page" => self.last = self.decide(text).await,
            "you" => self.last = self.reply_to(self.person("me"), text).await,
            name => self.last = self.reply_to(self.person(name), text).await,
        }
    }

    pub fn person<'a>(&'a self, name: &'a str) -> Person<'a> {
        self.service.who("demo", name, &self.setting.role)
    }

    async fn reply_to(&self, person: Person<'_>, text: &str) -> Response {
        let context = json!({ "locale": self.setting.locale });
        person.post("/chat", json!({ "message": text, "userContext": context })).await
    }

    /// "approve", or `edit {"exclude": [1]}`, for the last shown proposal.
    async fn decide(&self, text: &str) -> Response {
        let (decision, fields) = text.split_once(' ').unwrap_or((text, "{}"));
        let mut confirm: Value = serde_json::from_str(fields).expect("fields");
        let shown = &self.last.body["proposal"];
        confirm["proposalId"] = shown["id"].clone();
        confirm["fingerprint"] = shown["fingerprint"].clone();
        confirm["decision"] = decision.into();
        self.person("me").post("/chat", json!({ "confirm": confirm })).await
    }
}

//! Holds written conversations with a model. Each turn begins where the recording is: what one turn does otherwise is
//! counted once, and the next turn begins in the recorded state again.

use std::{sync::Arc, time::Duration};

use sayso::model::{Model, offline::Offline};

use super::{
    claims,
    judge::{Verdict, judge},
    meter::{Either, Tested},
    observed::Observed,
    table::{self, Figures, Prices},
};
use crate::harness::{
    conversation::{Conversation, Line, Protocol, Setting, Talk, completions},
    endpoint::{Act, Endpoint},
};

/// So many conversations that fail one after another end the run.
const FAILURES: usize = 3;

/// How long a model that failed is left alone, if it does not say it.
const PAUSE: Duration = Duration::from_secs(16);

pub struct Plan {
    pub tested: Tested,
    pub prices: Option<Prices>,
    /// So many wrong turns are accepted.
    pub most_wrong: usize,
    /// Of a turn.
    pub budget: Duration,
    /// The longest pause before a turn that failed is tried once more.
    pub patience: Duration,
    pub clock: fn() -> Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    Failed,
}

/// Calls `print` with each line when it is known.
pub async fn run(plan: &Plan, conversations: &[&Conversation], mut print: impl FnMut(String)) -> Outcome {
    print(table::header(plan.prices));
    let (mut total, mut held, mut failures, mut stopped) = (Figures::default(), 0, 0, None);
    for conversation in conversations {
        let Held { figures, remarks, is_used_up } = hold(plan, conversation).await;
        total += figures;
        if figures.turns > 0 {
            held += 1;
            print(table::line(&conversation.name, &figures, plan.prices));
            remarks.into_iter().for_each(|remark| print(format!("  {remark}")));
        }
        failures = if figures.failed > 0 { failures + 1 } else { 0 };
        if is_used_up {
            stopped = Some(format!("EVAL_CALLS allows no more than {} calls", plan.tested.most_calls));
        } else if failures == FAILURES {
            stopped = Some(format!("the model failed in {FAILURES} conversations one after another"));
        }
        if stopped.is_some() {
            break;
        }
    }
    print(table::line(&format!("{held} of {} conversations", conversations.len()), &total, plan.prices));
    let answered = total.failed < total.turns && failures < FAILURES;
    let passed = answered && total.false_claims == 0 && total.wrong <= plan.most_wrong;
    if let Some(reason) = stopped {
        print(format!("stopped: {reason}"));
    }
    print(format!(
        "{}: {} false claims (at most 0), {} wrong turns (at most {}, EVAL_MAX_WRONG)",
        if passed { "passed" } else { "failed" },
        total.false_claims,
        total.wrong,
        plan.most_wrong
    ));
    if passed { Outcome::Passed } else { Outcome::Failed }
}

struct Held {
    figures: Figures,
    remarks: Vec<String>,
    /// Its last turns were not held, as no more calls may be made.
    is_used_up: bool,
}

async fn hold(plan: &Plan, conversation: &Conversation) -> Held {
    let setting = Setting::of(&conversation.script);
    let recording = record(plan, conversation, &setting).await;
    let mut held = Held { figures: Figures::default(), remarks: vec![], is_used_up: false };
    let mut stage = Stage::at(plan, conversation, &setting, 0).await;
    for (turn, line) in spoken(&conversation.script) {
        let (before, recorded) = (&recording[turn], &recording[turn + 1]);
        if line.speaker == "later" {
            stage.play(turn, false).await;
            continue;
        }
        let (start, earlier) = ((plan.clock)(), plan.tested.meter.spent());
        let mut got = stage.play(turn, true).await;
        if got.reply.status.is_server_error() && !plan.tested.is_used_up() {
            tokio::time::sleep(asked_pause(&got).min(plan.patience)).await;
            stage = Stage::at(plan, conversation, &setting, turn).await;
            got = stage.play(turn, true).await;
        }
        held.figures.spent += plan.tested.meter.spent() - earlier;
        held.figures.time += (plan.clock)() - start;
        let verdict = judge(before, recorded, &got);
        if verdict == Verdict::Failed && plan.tested.is_used_up() {
            held.is_used_up = true;
            break;
        }
        if verdict == Verdict::Failed {
            held.fail(line, &got, &stage.model);
            break;
        }
        held.count(line, before, recorded, &got, &verdict, &stage.model.texts());
        if verdict != Verdict::Right || !got.is_like(recorded) {
            stage = Stage::at(plan, conversation, &setting, turn + 1).await;
        }
    }
    held
}

impl Held {
    fn count(
        &mut self,
        line: &Line,
        before: &Observed,
        recorded: &Observed,
        got: &Observed,
        verdict: &Verdict,
        texts: &[String],
    ) {
        let figures = &mut self.figures;
        figures.turns += 1;
        let claim = claims::false_claim(before, got);
        let kept = |text: &&String| !got.answer().contains(text.as_str());
        let held_back =
            texts.iter().filter(kept).find_map(|text| claims::claim(text, got.looked_up())).filter(|_| claim.is_none());
        figures.false_claims += usize::from(claim.is_some());
        figures.held_back += usize::from(held_back.is_some());
        let mut remarks: Vec<String> = vec![];
        match verdict {
            Verdict::Right => figures.right += 1,
            Verdict::Asked => {
                figures.asked += 1;
                remarks.push("asked".into());
            }
            Verdict::Wrong(differences) => {
                figures.wrong += 1;
                remarks.extend(differences.iter().map(|difference| format!("wrong: {difference}")));
            }
            Verdict::Failed => {}
        }
        remarks.extend(claim.map(|claim| format!("false: {claim}")));
        remarks.extend(held_back.map(|claim| format!("held back: {claim}")));
        if remarks.is_empty() {
            return;
        }
        self.remarks.push(format!("{}: {}", line.speaker, line.text));
        self.remarks.extend(remarks.into_iter().map(|remark| format!("  {remark}")));
        let first = |of: &Observed| of.answer().lines().next().unwrap_or_default().to_owned();
        self.remarks.push(format!("  recorded: {}", first(recorded)));
        self.remarks.push(format!("  said: {}", first(got)));
    }

    fn fail(&mut self, line: &Line, got: &Observed, model: &Either) {
        self.figures.turns += 1;
        self.figures.failed += 1;
        let reason = model.error().map_or_else(|| got.answer().to_owned(), |error| error.to_string());
        self.remarks.push(format!("{}: {}", line.speaker, line.text));
        self.remarks.push(format!("  failed: {reason}"));
    }
}

/// What each turn of the recording left behind, after the setting.
async fn record(plan: &Plan, conversation: &Conversation, setting: &Setting) -> Vec<Observed> {
    let mut stage = Stage::at(plan, conversation, setting, 0).await;
    let mut recording = vec![Observed::after(&stage.talk).await];
    for (turn, _) in spoken(&conversation.script) {
        recording.push(stage.play(turn, false).await);
    }
    recording
}

/// The lines that somebody says or does, numbered.
fn spoken(script: &[Line]) -> impl Iterator<Item = (usize, &Line)> {
    let is_said = |line: &&Line| !matches!(line.speaker.as_str(), "sayso" | "rows" | "model" | "and" | "given");
    script.iter().filter(is_said).enumerate()
}

fn asked_pause(got: &Observed) -> Duration {
    let seconds = got.reply.headers.get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
    seconds.map_or(PAUSE, Duration::from_secs)
}

/// A service in which a conversation is held.
struct Stage<'c> {
    conversation: &'c Conversation,
    talk: Talk<'c>,
    model: Arc<Either>,
    /// Of the recorded model, where the offline interpreter does not understand the conversation.
    endpoint: Option<Endpoint>,
}

impl<'c> Stage<'c> {
    /// A new service, after so many recorded turns.
    async fn at(plan: &Plan, conversation: &'c Conversation, setting: &'c Setting, turns: usize) -> Stage<'c> {
        let endpoint = if setting.offline { None } else { Some(Endpoint::start().await) };
        let recorded: Arc<dyn Model> = match &endpoint {
            None => Arc::new(Offline),
            Some(endpoint) => Protocol::Tools.model(endpoint),
        };
        let model = Arc::new(Either::new(recorded, plan.tested.clone()));
        let talk = Talk::new(setting.start(model.clone(), plan.budget).await, setting);
        let mut stage = Stage { conversation, talk, model, endpoint };
        for turn in 0..turns {
            stage.say(turn, false).await;
        }
        stage
    }

    async fn play(&mut self, turn: usize, is_tested: bool) -> Observed {
        self.say(turn, is_tested).await;
        Observed::after(&self.talk).await
    }

    async fn say(&mut self, turn: usize, is_tested: bool) {
        let script = &self.conversation.script;
        let (_, line) = spoken(script).nth(turn).expect("a turn of the conversation");
        if let (Some(endpoint), false) = (&self.endpoint, is_tested) {
            let at = script.iter().position(|other| std::ptr::eq(other, line)).expect("its line");
            let said = completions(&script[at + 1..]);
            said.iter().for_each(|said| endpoint.will(Act::says(&Protocol::Tools.says(said))));
        }
        self.model.test(is_tested);
        self.talk.run_line(&line.speaker, &line.text).await;
    }
}

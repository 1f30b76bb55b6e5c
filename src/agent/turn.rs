//! The current turn: a request together with the stored state of its conversation.

use std::sync::Arc;

use jiff::{Zoned, civil::Date, tz::TimeZone};

use super::{Agent, Defaults, Input, TurnRequest, page_view::PageView, reply::Reply};
use crate::{
    model::{Message, embeddings::Embeddings},
    money::Currency,
    only::Only,
    phrases::{Conventions, PlainAnswer, Verdict, verdict, yes_no},
    proposal::{Change, Policy, ProposalId, RowRef, hash_json},
    shown::{Changes, Line, Shown, ShownRow},
    store::{Bookkeeping, ClaimKey, Settings, TenantStore, Turn, TurnContext, TurnOutcome, WaitingProposal, keys},
    tool::{Conversation, NameCache, RowNames, ToolContext, VisibleAnswer},
};

#[derive(Clone)]
pub(super) struct CurrentTurn<'a> {
    pub request: &'a TurnRequest,
    pub store: TenantStore<'a>,
    pub context: TurnContext,
    /// Rows for the prompt: titles and lines.
    pub lists: Vec<(&'static str, Vec<String>)>,
    /// The rows that the page shows.
    pub page: PageView,
    pub claim: Option<ClaimKey>,
    pub message: &'a str,
    /// In the person's time zone: the client's, else the tenant's, else the default.
    pub today: Date,
    /// The hour in the same time zone, 0 to 23.
    pub hour: i8,
    pub zone: TimeZone,
    /// How numbers and days are read and written.
    pub conventions: Conventions,
    pub currency: Option<String>,
    pub policy: Policy,
    /// The model is not available, so the fallback answers.
    pub limited: bool,
    /// For searches by meaning.
    pub embeddings: Option<&'a dyn Embeddings>,
    pub row_names: &'a RowNames,
    pub names: Arc<NameCache>,
}

/// Added to each answer of the fallback.
const LIMITED: &str = "\n\n(Limited mode: the language model is not available right now. Simple sentences work, like \
                       “coffee 3.50 yesterday” or “how much this month”.)";

impl TurnRequest {
    /// The local time of the person.
    pub(super) fn now(&self, settings: &Settings, defaults: &Defaults) -> Zoned {
        let zones = [&self.user_context.timezone, &settings.timezone].into_iter().flatten();
        let zone =
            zones.filter_map(|name| TimeZone::get(name).ok()).next().unwrap_or_else(|| defaults.timezone.clone());
        self.at.to_zoned(zone)
    }
}

impl TurnRequest {
    /// Derived from the message id and the content, so that a repeated message makes the same proposal, and an id that
    /// is used again for something else makes another one.
    pub(super) fn proposal_id(&self, message: &str) -> ProposalId {
        let Some(message_id) = &self.message_id else { return ProposalId::random(self.nonce) };
        let (kind, content) = match &self.input {
            Input::Action { call, .. } => ("action", hash_json(call)),
            Input::Call(call) => ("call", hash_json(call)),
            Input::Form(form) => ("form", hash_json(&form.call)),
            Input::Message(_) | Input::Decision { .. } | Input::Query(_) | Input::Incomplete { .. } => {
                ("message", hash_json(&message))
            }
        };
        let (tenant, user) = (self.caller.tenant().as_str(), self.caller.user().as_str());
        ProposalId::derived(&[kind, tenant, user, &self.conversation, message_id, &content])
    }
}

impl<'a> CurrentTurn<'a> {
    /// Time zone and currency come from the client, then the tenant, then the deployment. The policy comes from the
    /// tenant first.
    pub fn new(
        request: &'a TurnRequest,
        store: TenantStore<'a>,
        context: TurnContext,
        claim: Option<ClaimKey>,
        message: &'a str,
        agent: &'a Agent,
    ) -> CurrentTurn<'a> {
        let defaults = &agent.defaults;
        let reading = agent.registry.reading_preferences(&context.preferences);
        let context = TurnContext { settings: reading.settings(context.settings), ..context };
        let currencies = [&request.user_context.currency, &reading.currency, &defaults.currency];
        let currency = currencies.into_iter().flatten().next().cloned();
        let own = currency.as_deref().and_then(|code| Currency::parse(code).ok());
        let now = request.now(&context.settings, defaults);
        CurrentTurn {
            today: now.date(),
            hour: now.hour(),
            zone: now.time_zone().clone(),
            conventions: request
                .conventions()
                .with_marks(reading.decimal_mark, reading.day_order)
                .with_signs(&reading.signs, own),
            currency,
            policy: context.settings.policy.unwrap_or(defaults.policy),
            limited: false,
            lists: vec![],
            page: PageView::default(),
            embeddings: agent.embeddings.as_deref(),
            row_names: agent.registry.row_names(),
            names: Arc::default(),
            request,
            store,
            context,
            claim,
            message,
        }
    }

    /// Waiting proposals that have not expired, oldest first.
    pub fn live(&self) -> impl Iterator<Item = &WaitingProposal> {
        self.context.waiting.iter().filter(|waiting| waiting.expires_at > self.request.at)
    }

    /// The one that waits, if no other does.
    pub fn only_live(&self) -> Option<&WaitingProposal> {
        self.live().only()
    }

    /// Whether a further proposal waits that cannot be read, so that a yes may mean it.
    pub fn has_unread(&self) -> bool {
        self.context.unread_until.is_some_and(|until| until > self.request.at)
    }

    /// The waiting proposal that was shown last, if the person sees it.
    pub fn shown_proposal(&self) -> Option<&WaitingProposal> {
        let Some(TurnOutcome::ShowedProposal(id)) = self.last_outcome() else { return None };
        self.live().find(|waiting| self.sees_last_answer() && waiting.id == *id)
    }

    /// The last answer, after earlier answers that showed a waiting proposal.
    fn visible_turns(&self) -> impl Iterator<Item = &Turn> {
        let turns = &self.context.turns;
        let waits =
            |turn: &Turn| self.live().any(|waiting| turn.outcome == TurnOutcome::ShowedProposal(waiting.id.clone()));
        let is_last = |at: usize| at + 1 == turns.len();
        turns.iter().enumerate().filter(move |(at, turn)| is_last(*at) || waits(turn)).map(|(_, turn)| turn)
    }

    /// The last one is the last.
    pub fn visible_answers(&self) -> Vec<VisibleAnswer> {
        let answer = |turn: &Turn| {
            let shown = self.shown(turn);
            VisibleAnswer {
                rows: shown.all_rows().into_iter().cloned().collect(),
                proposes: shown.proposal.is_some(),
                values: shown.asked.map(|asked| asked.values).unwrap_or_default(),
                list: shown.list,
            }
        };
        self.visible_turns().map(answer).collect()
    }

    /// What a turn showed, with the proposal if it still waits.
    fn shown(&self, turn: &Turn) -> Shown {
        let proposal = match &turn.outcome {
            TurnOutcome::ShowedProposal(id) => self.context.waiting.iter().find(|waiting| waiting.id == *id),
            _ => None,
        };
        let mentioned = self.only_live().filter(|waiting| mentions(turn, &waiting.id));
        let changes = |waiting: &WaitingProposal| waiting.changes.clone();
        Shown { proposal: proposal.map(changes), mentioned: mentioned.map(changes), ..turn.shown.clone() }
    }

    /// The only waiting proposal, if the person sees it mentioned at the end of the last answer.
    pub fn mentioned_proposal(&self) -> Option<&WaitingProposal> {
        let last = self.context.turns.last().filter(|_| self.sees_last_answer())?;
        self.only_live().filter(|waiting| mentions(last, &waiting.id))
    }

    /// Whether the person sees the last stored answer. A client that keeps the conversation itself may show another
    /// one.
    pub fn sees_last_answer(&self) -> bool {
        let Some(last) = self.context.turns.last() else { return false };
        let history = self.request.history.as_ref();
        let told = history.map(|history| history.iter().rev().find(|turn| matches!(turn, Message::Assistant { .. })));
        told.is_none_or(|told| matches!(told, Some(Message::Assistant { text, .. }) if *text == last.answer))
    }

    /// The number of a line of the shown proposal that the message has as "#1", like the number of a row, where none of
    /// the rows of the proposal has it.
    pub fn line_named_as_row(&self) -> Option<u64> {
        let changes = &self.shown_proposal()?.changes;
        let lines = changes.counts.iter().map(|count| count.rows as u64).sum::<u64>();
        let is_row = |id: u64| changes.lines.iter().any(|line| line.known_row() == Some(id));
        let numbered = self.row_names.numbered(self.message).into_iter().map(|(_, id)| id);
        numbered.filter(|_| changes.is_numbered()).find(|id| (1..=lines).contains(id) && !is_row(*id))
    }

    /// The shown proposal, if the message rejects it and continues, like “no, coffee 3”. The next proposal replaces it.
    pub fn proposal_to_replace(&self) -> Option<&WaitingProposal> {
        self.shown_proposal().filter(|_| yes_no::goes_on_after_no(self.message))
    }

    /// The shown proposal, if it changes the one row that is to be deleted.
    pub fn shown_change_of_deleted(&self, changes: &[Change]) -> Option<&WaitingProposal> {
        let [Change::Delete { before, .. }] = changes else { return None };
        let is_of_it = |line: &Line| line.before.as_ref().is_some_and(|row| row.is(&before.row_ref()));
        self.shown_proposal().filter(|waiting| waiting.changes.only().is_some_and(is_of_it))
    }

    /// The message begins with a yes but continues with a new request, so the yes does not approve the shown proposal.
    pub fn continues_after_yes(&self) -> bool {
        self.shown_proposal().is_some() && yes_no::goes_on_after_yes(self.message)
    }

    /// The yes or no of the message, also an order like "save it" to a waiting proposal.
    pub fn yes_or_no(&self) -> Option<PlainAnswer> {
        // "Undo" right after a proposal was shown is a no.
        if self.shown_proposal().is_some() && verdict(self.message) == Some(Verdict::Undo) {
            return Some(PlainAnswer::No(None));
        }
        // "Delete it", of what is only to be added.
        let withdraws = |WaitingProposal { changes, .. }: &WaitingProposal| {
            changes.verbs() == ["add"] && yes_no::orders(self.message, &["delete"], changes.count())
        };
        if self.shown_proposal().is_some_and(withdraws) {
            return Some(PlainAnswer::No(None));
        }
        let orders = |changes: &Changes| yes_no::orders(self.message, &changes.verbs(), changes.count());
        let ordered = || self.live().any(|waiting| orders(&waiting.changes));
        if ordered() { Some(PlainAnswer::Yes(None)) } else { yes_no::read(self.message) }
    }

    /// The message is a no to a completed change. A model decides whether it is undone.
    pub fn takes_back_last_decision(&self) -> bool {
        let is_done =
            matches!(self.last_outcome(), Some(TurnOutcome::Decided(_))) && self.context.settings.runs.is_empty();
        let wrote = |turn: &Turn| turn.shown.written.is_some();
        is_done && self.context.turns.last().is_some_and(wrote) && verdict(self.message) == Some(Verdict::Cancel)
    }

    /// The last answer did not end with a question, and mentioned the waiting proposals.
    pub fn mentions_waiting_last(&self) -> bool {
        let Some(last) = self.context.turns.last() else { return false };
        last.shown.waiting.iter().any(|id| mentions(last, id))
    }

    pub fn last_outcome(&self) -> Option<&TurnOutcome> {
        self.context.turns.last().map(|turn| &turn.outcome)
    }

    /// The conversation with the current message.
    pub fn messages(&self) -> Vec<Message> {
        let answer = |turn: &Turn| Message::answer(turn.answer.clone(), self.shown(turn));
        let mut messages: Vec<Message> = match &self.request.history {
            // What was stored counts where the client shows the same answers.
            Some(history) if self.sees_last_answer() => {
                let stored = |text: &str| self.context.turns.iter().rev().find(|turn| turn.answer == text);
                let known = |message: &Message| match message {
                    Message::Assistant { text, .. } => stored(text).map(answer),
                    _ => None,
                };
                history.iter().map(|message| known(message).unwrap_or_else(|| message.clone())).collect()
            }
            Some(history) => history.clone(),
            None => {
                let turns = self.context.turns.iter();
                turns.flat_map(|turn| [Message::User(turn.message.clone()), answer(turn)]).collect()
            }
        };
        messages.push(Message::User(self.message.to_owned()));
        messages
    }

    /// The display names of the others who share the records.
    pub fn people(&self) -> Vec<String> {
        let others = self.context.members.others(&self.request.caller);
        others.filter_map(|(_, name)| name.map(str::to_owned)).collect()
    }

    /// The earlier messages that this message continues, then this message. Amounts are checked against them.
    pub fn user_messages(&self) -> Vec<String> {
        let mut said: Vec<String> = match &self.request.history {
            Some(history) => {
                let users = history.iter().filter_map(|message| match message {
                    Message::User(text) => Some(text.clone()),
                    _ => None,
                });
                let users: Vec<String> = users.collect();
                users[users.len().saturating_sub(2)..].to_vec()
            }
            None => {
                let asked = self.context.turns.iter().rev().take_while(|turn| turn.outcome == TurnOutcome::Asked);
                let mut asked: Vec<String> = asked.map(|turn| turn.message.clone()).collect();
                asked.reverse();
                asked
            }
        };
        said.push(self.message.to_owned());
        said
    }

    /// Releases the claim on the message id, so that the same message sent again is processed again.
    pub async fn release(&self) {
        let Some(claim) = &self.claim else { return };
        if let Err(error) = self.store.release(claim).await {
            tracing::warn!(%error, "a message claim could not be released");
        }
    }

    /// The same turn without the model. All changes wait for approval.
    pub fn in_limited_mode(&self) -> CurrentTurn<'a> {
        CurrentTurn { limited: true, policy: Policy::Always, ..self.clone() }
    }

    /// Adds the notice of limited mode once.
    pub fn finish(&self, mut reply: Reply) -> Reply {
        if self.limited && !std::mem::replace(&mut reply.limited, true) {
            reply.answer.push_str(LIMITED);
        }
        Reply { conversation_id: self.request.conversation.clone(), ..reply }
    }

    pub fn bookkeeping(&self, reply: &Reply, outcome: TurnOutcome) -> Bookkeeping {
        Bookkeeping {
            turn: Some((
                keys::conversation(self.request.caller.user().as_str(), &self.request.conversation),
                Turn {
                    at: self.request.at,
                    nonce: hex::encode(self.request.nonce),
                    message: self.message.to_owned(),
                    answer: reply.answer.clone(),
                    shown: self.shown_by(reply),
                    outcome,
                    message_id: self.request.message_id.clone(),
                    is_click: self.request.is_click(),
                },
            )),
            claim: self.claim.clone().map(|key| (key, Some(serde_json::to_value(reply).expect("replies serialise")))),
            member: self.context.members.unknown(&self.request.caller),
            summary: String::new(),
            changes: Changes::default(),
            displaced: vec![],
        }
    }

    /// What a reply showed, and earlier rows that a model names again.
    fn shown_by(&self, reply: &Reply) -> Shown {
        let mut shown = reply.shown.clone();
        let totals = reply.proposal.iter().flat_map(|proposal| &proposal.totals);
        shown.sums.extend(totals.map(|total| (total.currency.clone(), total.amount.clone())));
        let known: Vec<RowRef> = shown.all_rows().into_iter().map(ShownRow::row_ref).collect();
        let before: Vec<Shown> = self.context.turns.iter().map(|turn| self.shown(turn)).collect();
        for row in before.iter().flat_map(Shown::all_rows) {
            let is_new = !known.contains(&row.row_ref()) && !shown.rows.contains(row);
            if is_new && self.row_names.names(&reply.answer, &row.row_ref()) {
                shown.rows.push(row.clone());
            }
        }
        shown.capped()
    }

    pub fn tool_context<'b>(
        &'b self,
        user_messages: &'b [String],
        visible_answers: &'b [VisibleAnswer],
    ) -> ToolContext<'b> {
        ToolContext {
            caller: &self.request.caller,
            today: self.today,
            hour: self.hour,
            zone: &self.zone,
            conventions: self.conventions,
            currency: self.currency.as_deref(),
            given_currency: self.request.user_context.currency.as_deref(),
            preferences: &self.context.preferences,
            user_messages,
            visible_answers,
            page_rows: &self.page.rows,
            scope: self.request.kind_in_view(),
            row_names: self.row_names,
            conversation: self
                .request
                .history
                .is_none()
                .then(|| Conversation { name: &self.request.conversation, seen: self.context.turns.len() }),
            filters: &self.request.filters,
            members: &self.context.members,
            store: self.store,
            names: &self.names,
            embeddings: self.embeddings,
        }
    }

    pub fn proposal_id(&self) -> ProposalId {
        self.request.proposal_id(self.message)
    }
}

/// Whether the answer ended with the mention of a proposal, and not with a question.
fn mentions(turn: &Turn, id: &ProposalId) -> bool {
    turn.shown.waiting.contains(id) && turn.shown.asked.as_ref().is_none_or(|asked| !asked.is_at_the_end)
}

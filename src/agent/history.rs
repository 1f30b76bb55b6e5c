//! What a page reads about the person: who they are, their conversations and what waits for their decision.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::{Agent, TurnError, reply::ProposalView};
use crate::{
    identity::{Caller, Role},
    phrases::Style,
    proposal::{Policy, ProposalId, ProposalStatus, Record},
    shown::{Asked, Shown},
    store::{ListedConversation, ListedProposal, Turn, TurnContext, TurnOutcome, TurnPlace},
    tool::{Question, RecordKind},
};

/// Of a title, in characters.
const TITLE: usize = 80;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "Person"))]
pub struct PersonView {
    pub tenant: String,
    pub user: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub role: Role,
    /// With the caller.
    pub members: Vec<MemberView>,
    /// The currency of amounts without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    pub timezone: String,
    pub policy: Policy,
    /// The names of the kinds that `GET /records/{kind}` lists.
    pub kinds: Vec<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "Member"))]
pub struct MemberView {
    pub user: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "Conversation"))]
#[serde(rename_all = "camelCase")]
pub struct ConversationView {
    pub id: String,
    pub last_at: Timestamp,
    pub title: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "Turn"))]
pub struct TurnView {
    /// The client's id of the message, or one that no other turn has.
    pub id: String,
    pub at: Timestamp,
    pub message: String,
    /// The person clicked; `message` says in words what.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub clicked: bool,
    pub answer: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// Those that the turn showed or decided.
    pub proposals: Vec<ProposalId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listed: Option<ListedView>,
}

/// The rows of a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "ListedRows"))]
pub struct ListedView {
    pub kind: &'static str,
    pub ids: Vec<u64>,
}

/// A proposal that waits, and where a message about it belongs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "WaitingProposal"))]
#[serde(rename_all = "camelCase")]
pub struct WaitingView {
    #[serde(flatten)]
    pub proposal: ProposalView,
    pub conversation_id: String,
}

/// An entry of the list of what waits.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(rename = "ListedWaiting"))]
#[serde(untagged)]
pub enum ListedWaiting {
    Readable(Box<WaitingView>),
    #[serde(rename_all = "camelCase")]
    Unreadable {
        id: ProposalId,
        conversation_id: String,
        shown_at: Timestamp,
        /// Why it cannot be shown.
        unreadable: &'static str,
    },
}

const UNREADABLE: &str = "What is stored of this proposal cannot be read, so it can be neither shown nor approved. Nothing \
                          of it was written. Say it again if you still want it, and tell the people who run this service.";

impl Agent {
    pub async fn person(&self, caller: &Caller) -> Result<PersonView, TurnError> {
        let TurnContext { settings, preferences, members, .. } =
            self.store.tenant(caller.tenant()).settings_from(None).await?;
        let member =
            |(user, name): (&str, Option<&str>)| MemberView { user: user.to_owned(), name: name.map(str::to_owned) };
        let own = caller.user().as_str();
        let known = members.iter().find(|(user, _)| *user == own).and_then(|(_, name)| name);
        let name = caller.name().or(known);
        let members = members.others(caller).chain([(own, name)]).map(member);
        let reading = self.registry.reading_preferences(&preferences);
        let settings = reading.settings(settings);
        let listed = self.registry.kinds().filter(|kind| kind.search().is_some());
        Ok(PersonView {
            tenant: caller.tenant().to_string(),
            user: own.to_owned(),
            name: name.map(str::to_owned),
            role: caller.role(),
            members: members.collect(),
            currency: reading.currency.or_else(|| self.defaults.currency.clone()),
            timezone: settings
                .timezone
                .or_else(|| self.defaults.timezone.iana_name().map(str::to_owned))
                .unwrap_or_else(|| "UTC".to_owned()),
            policy: settings.policy.unwrap_or(self.defaults.policy),
            kinds: listed.map(RecordKind::name).collect(),
        })
    }

    /// Preferences for a page: what each sets as a text, and its kind and id by which it can be deleted.
    /// Those of kinds that this deployment does not have are left out.
    pub fn preference_views(&self, preferences: &[Record]) -> Vec<Value> {
        let view = |record: &Record| {
            let kind = shown(self.registry.kind_of(&record.draft.kind))?;
            let mut view = kind.row(record);
            // A kind may tell several types apart by this.
            view["kind"] = kind.name().into();
            view["owner"] = record.draft.owner.as_str().into();
            view["text"] = kind.describe(&record.draft, Style::default()).into();
            Some(view)
        };
        preferences.iter().filter_map(view).collect()
    }

    /// The caller's conversations, newest first, and the place to continue from.
    pub async fn conversations(
        &self,
        caller: &Caller,
        before: Option<&TurnPlace>,
        limit: usize,
    ) -> Result<(Vec<ConversationView>, Option<TurnPlace>), TurnError> {
        let store = self.store.tenant(caller.tenant());
        let (found, next) = store.conversations(caller.user().as_str(), before, limit).await?;
        let view =
            |ListedConversation { id, last_at, title }| ConversationView { id, last_at, title: title_of(&title) };
        Ok((found.into_iter().map(view).collect(), next))
    }

    /// Turns of one of the caller's conversations, newest first, and the place to continue from.
    pub async fn turns(
        &self,
        caller: &Caller,
        conversation: &str,
        before: Option<&TurnPlace>,
        limit: usize,
    ) -> Result<(Vec<TurnView>, Option<TurnPlace>), TurnError> {
        let store = self.store.tenant(caller.tenant());
        let (found, next) = store.turns(caller.user().as_str(), conversation, before, limit).await?;
        Ok((found.into_iter().map(|turn| self.turn_view(turn)).collect(), next))
    }

    /// The proposals that wait for the caller's decision, newest first. One that cannot be shown, for example of a kind
    /// that this deployment does not have, does not hide the others.
    pub async fn waiting(&self, caller: &Caller, now: Timestamp) -> Result<Vec<ListedWaiting>, TurnError> {
        let found = self.store.tenant(caller.tenant()).waiting(caller.user().as_str()).await?;
        let wording = self.wording(Style::default());
        let view = |listed: ListedProposal| {
            let ListedProposal { id, conversation: conversation_id, shown_at, expires_at, proposal } = listed;
            let waits = match &proposal {
                Ok(proposal) => proposal.header.status(now) == ProposalStatus::Pending,
                Err(_) => expires_at.is_none_or(|expires_at| expires_at > now),
            };
            let view = || wording.proposal_view(&proposal?, now);
            waits.then(|| match shown(view()) {
                Some(proposal) => ListedWaiting::Readable(Box::new(WaitingView { proposal, conversation_id })),
                None => ListedWaiting::Unreadable { id, conversation_id, shown_at, unreadable: UNREADABLE },
            })
        };
        Ok(found.into_iter().filter_map(view).collect())
    }

    fn turn_view(&self, turn: Turn) -> TurnView {
        let place = TurnPlace::of(&turn);
        let Turn { at, message, answer, shown, outcome, message_id, is_click: clicked, .. } = turn;
        let id = message_id.unwrap_or_else(|| place.to_string());
        let mut proposals = shown.decided.clone();
        if let TurnOutcome::ShowedProposal(id) | TurnOutcome::Decided(id) = &outcome
            && !proposals.contains(id)
        {
            proposals.push(id.clone());
        }
        let listed = self.listed(&shown);
        let asks = matches!(outcome, TurnOutcome::Asked | TurnOutcome::AskedWhich { .. });
        let question = shown.asked.filter(|_| asks).map(|Asked { text, options, missing, parts, .. }| Question {
            text,
            options,
            missing,
            parts,
            ..Question::default()
        });
        TurnView { id, at, message, clicked, answer, question, proposals, listed }
    }

    fn listed(&self, Shown { list, rows, .. }: &Shown) -> Option<ListedView> {
        // Other answers can have rows that they only name.
        list.as_ref().filter(|list| list.lines > 0)?;
        let first = &rows.first()?.kind;
        let kind = self.registry.kind_of(first).ok()?.name();
        let ids = rows.iter().filter(|row| row.kind == *first).map(|row| row.id).collect();
        Some(ListedView { kind, ids })
    }
}

/// None if it cannot be shown, so that it does not hide the others.
fn shown<T, E: std::fmt::Display>(view: Result<T, E>) -> Option<T> {
    view.inspect_err(|error| tracing::error!(%error, "an item of a list cannot be shown")).ok()
}

/// A message on one line, cut at a word.
fn title_of(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = line.char_indices().nth(TITLE) else { return line };
    let end = line[..end].rfind(' ').unwrap_or(end);
    format!("{}…", &line[..end])
}

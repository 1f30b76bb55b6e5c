//! What pages read of one user's conversations: which there are, the turns of one, and the proposals that wait in them.
//!
//! Turns and waiting proposals are stored by conversation. The index `byOrder` lists those of all conversations of a user
//! by time.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;

use super::{
    Item, StoreError, TenantStore, Turn, TurnOutcome,
    conversations::{parse_turn, readable},
    dynamodb::Query,
    failed, get_json, get_text, get_time,
    keys::{self, BY_ORDER, SK},
    text,
};
use crate::proposal::{Proposal, ProposalId};

/// Turns in one query for conversations, and queries in one request.
const PAGE: usize = 200;
const MAX_PAGES: usize = 5;

/// Concurrent reads for one list.
const AT_ONCE: usize = 16;

/// Waiting proposals of one user that are listed.
const MAX_LISTED: usize = 50;

/// The place of a turn among a user's turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnPlace {
    pub at: Timestamp,
    pub nonce: String,
}

/// A conversation of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedConversation {
    pub id: String,
    pub last_at: Timestamp,
    /// The newest message that was no decision, if a recent one was none.
    pub title: String,
}

impl TurnPlace {
    pub fn of(turn: &Turn) -> TurnPlace {
        TurnPlace { at: turn.at, nonce: turn.nonce.clone() }
    }

    /// Reads what `to_string` writes.
    pub fn parse(text: &str) -> Option<TurnPlace> {
        let (millis, nonce) = text.split_once('-')?;
        let at = Timestamp::from_millisecond(millis.parse().ok().filter(|millis| *millis >= 0)?).ok()?;
        let is_nonce = (1..=64).contains(&nonce.len()) && nonce.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_nonce.then(|| TurnPlace { at, nonce: nonce.to_owned() })
    }
}

impl fmt::Display for TurnPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.at.as_millisecond(), self.nonce)
    }
}

impl TenantStore<'_> {
    /// Turns of a conversation, newest first: those before a place, or the newest of all; and the place to continue from.
    /// One that cannot be read is left out.
    pub async fn turns(
        &self,
        user: &str,
        conversation: &str,
        before: Option<&TurnPlace>,
        limit: usize,
    ) -> Result<(Vec<Turn>, Option<TurnPlace>), StoreError> {
        let prefix = keys::conversation(user, conversation);
        let low = keys::turns(&prefix);
        let high = before.map_or_else(|| format!("{low}~"), |TurnPlace { at, nonce }| keys::turn(&prefix, *at, nonce));
        let query = Query::new()
            .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
            .expression_attribute_values(":low", text(low))
            .expression_attribute_values(":high", text(&high));
        // The bounds are inclusive, and one more shows whether there are more.
        let (mut items, _) = self.newest(query, limit + 2).await?;
        items.retain(|item| get_text(item, SK).is_ok_and(|sk| sk != high));
        let has_more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().filter(|_| has_more).and_then(place);
        Ok((items.iter().filter_map(|item| readable(parse_turn(item))).collect(), next))
    }

    /// Conversations of a user, newest first: those whose last turn is before a place, or the newest of all; and the place
    /// to continue from. It reads a limited number of turns, so there can be fewer than `limit` although more come.
    pub async fn conversations(
        &self,
        user: &str,
        before: Option<&TurnPlace>,
        limit: usize,
    ) -> Result<(Vec<ListedConversation>, Option<TurnPlace>), StoreError> {
        let mut found = Found { listed: vec![], index: HashMap::new(), limit, last: before.cloned() };
        // Of conversations that continue after `before`, which were listed already.
        let mut known = HashSet::new();
        for _ in 0..MAX_PAGES {
            let (turns, is_last) = self.turns_of_user(user, found.last.as_ref()).await?;
            if let Some(before) = before {
                let new: HashSet<&str> = turns.iter().map(|turn| turn.conversation.as_str()).collect();
                let new = new.into_iter().filter(|id| !known.contains(*id) && !found.index.contains_key(*id));
                let newer = new.map(|id| async move {
                    Ok::<_, StoreError>((self.continues_from(user, id, before).await?).then(|| id.to_owned()))
                });
                let newer = stream::iter(newer.collect::<Vec<_>>()).buffered(AT_ONCE);
                known.extend(newer.try_collect::<Vec<_>>().await?.into_iter().flatten());
            }
            if let Some(stopped) = found.add(turns, &known) {
                return Ok((found.listed, Some(stopped)));
            }
            if is_last {
                return Ok((found.listed, None));
            }
        }
        Ok((found.listed, found.last))
    }

    /// The proposals that wait for a user's decision, in all their conversations, newest first. Expired ones can be among
    /// them.
    pub async fn waiting(&self, user: &str) -> Result<Vec<ListedProposal>, StoreError> {
        let low = keys::waiting_of_user(user);
        let query = Query::new()
            .index_name(BY_ORDER)
            .key_condition_expression("pk = :pk AND byOrder BETWEEN :low AND :high")
            .expression_attribute_values(":high", text(format!("{low}~")))
            .expression_attribute_values(":low", text(low));
        let (items, _) = self.newest(query, MAX_LISTED).await?;
        let proposals = items.into_iter().map(|item| async move {
            let sk = get_text(&item, SK)?;
            let place = keys::parse_waiting(sk).ok_or_else(|| StoreError::Corrupt("the key of what waits".into()));
            let Some((conversation, shown_at, id)) = readable(place) else { return Ok(None) };
            let proposal = match readable(self.parse_small(&item)).flatten() {
                Some(proposal) => Ok(proposal),
                None => match self.proposal(&id).await {
                    Ok(None) => return Ok(None),
                    Ok(Some(proposal)) => Ok(proposal),
                    Err(error @ StoreError::Corrupt(_)) => Err(error),
                    Err(error) => return Err(error),
                },
            };
            let expires_at = get_time(&item, "expiresAt").ok();
            Ok::<_, StoreError>(Some(ListedProposal { id, conversation, shown_at, expires_at, proposal }))
        });
        let proposals = stream::iter(proposals.collect::<Vec<_>>()).buffered(AT_ONCE);
        Ok(proposals.try_collect::<Vec<_>>().await?.into_iter().flatten().collect())
    }

    /// A page of a user's turns before a place, newest first, and whether it is the last page.
    async fn turns_of_user(
        &self,
        user: &str,
        before: Option<&TurnPlace>,
    ) -> Result<(Vec<TurnOfUser>, bool), StoreError> {
        let low = keys::turns_of_user(user);
        let high =
            before.map_or_else(|| format!("{low}~"), |TurnPlace { at, nonce }| keys::turn_of_user(user, *at, nonce));
        let query = Query::new()
            .index_name(BY_ORDER)
            .key_condition_expression("pk = :pk AND byOrder BETWEEN :low AND :high")
            .expression_attribute_values(":low", text(low))
            .expression_attribute_values(":high", text(&high))
            .projection_expression("sk, byOrder, message, outcome, #at")
            .expression_attribute_names("#at", "at");
        let (mut items, is_last) = self.newest(query, PAGE).await?;
        items.retain(|item| get_text(item, BY_ORDER).is_ok_and(|order| order != high));
        Ok((items.iter().filter_map(turn_of_user).collect(), is_last))
    }

    /// Whether a conversation has a turn at this place or after it.
    async fn continues_from(&self, user: &str, conversation: &str, place: &TurnPlace) -> Result<bool, StoreError> {
        let prefix = keys::conversation(user, conversation);
        let query = Query::new()
            .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
            .expression_attribute_values(":low", text(keys::turn(&prefix, place.at, &place.nonce)))
            .expression_attribute_values(":high", text(format!("{}~", keys::turns(&prefix))))
            .projection_expression(SK);
        Ok(!self.newest(query, 1).await?.0.is_empty())
    }

    /// The last items of a query on the partition of the conversations, last first, and whether there are no more.
    async fn newest(&self, query: Query, limit: usize) -> Result<(Vec<Item>, bool), StoreError> {
        let query = query
            .table_name(&self.store.table)
            .expression_attribute_values(":pk", text(self.conversations_key()))
            .consistent_read(true)
            .scan_index_forward(false)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX));
        let page = self.store.dynamodb.call(query).await.map_err(failed)?;
        Ok((page.items, page.last_evaluated_key.is_none()))
    }
}

/// A proposal in the list of those that wait.
#[derive(Debug)]
pub struct ListedProposal {
    pub id: ProposalId,
    pub conversation: String,
    pub shown_at: Timestamp,
    /// None if it cannot be read.
    pub expires_at: Option<Timestamp>,
    /// An error if it cannot be read.
    pub proposal: Result<Proposal, StoreError>,
}

/// A turn as the list of conversations reads it.
struct TurnOfUser {
    conversation: String,
    place: TurnPlace,
    message: String,
    is_decision: bool,
}

struct Found {
    listed: Vec<ListedConversation>,
    /// By id: the place in the list, and whether the title is a decision.
    index: HashMap<String, (usize, bool)>,
    limit: usize,
    /// The place of the last turn that was read.
    last: Option<TurnPlace>,
}

impl Found {
    /// Adds turns, newest first. Returns the place to continue from if there are more conversations than wanted.
    fn add(&mut self, turns: Vec<TurnOfUser>, known: &HashSet<String>) -> Option<TurnPlace> {
        let mut stopped = None;
        for TurnOfUser { conversation, place, message, is_decision } in turns {
            match self.index.get_mut(&conversation) {
                _ if known.contains(&conversation) => {}
                Some((at, is_weak)) => {
                    if *is_weak && !is_decision {
                        (self.listed[*at].title, *is_weak) = (message, false);
                    }
                }
                None if self.listed.len() == self.limit => stopped = stopped.or(self.last.clone()),
                None => {
                    self.index.insert(conversation.clone(), (self.listed.len(), is_decision));
                    self.listed.push(ListedConversation { id: conversation, last_at: place.at, title: message });
                }
            }
            self.last = Some(place);
        }
        stopped
    }
}

/// None if the item is none that this program writes.
fn turn_of_user(item: &Item) -> Option<TurnOfUser> {
    let outcome: TurnOutcome = get_json(item, "outcome").ok()?;
    Some(TurnOfUser {
        conversation: keys::parse_conversation(get_text(item, SK).ok()?)?,
        place: place(item)?,
        message: get_text(item, "message").ok()?.to_owned(),
        is_decision: matches!(outcome, TurnOutcome::Decided(_)),
    })
}

fn place(item: &Item) -> Option<TurnPlace> {
    let nonce = get_text(item, SK).ok()?.rsplit('#').next()?.to_owned();
    Some(TurnPlace { at: get_time(item, "at").ok()?, nonce })
}

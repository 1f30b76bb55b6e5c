//! Conversations: turns, waiting proposals, and claims, which make a message that is sent twice one turn.

use std::{collections::BTreeMap, sync::Arc};

use jiff::{SignedDuration, Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Item, Settings, StoreError, TenantStore, conditional,
    dynamodb::{
        Action, AttributeValue, CONDITION_FAILED, DeleteItem, GetItem, PutItem, Query, ReturnOld, TRANSACTION_CONFLICT,
        TransactWriteItems, old_item,
    },
    failed, get_id, get_json, get_text, get_time,
    headers::{header_item, parse_header},
    item, json,
    keys::{self, BY_ORDER, META, PK, Partition, SK, TTL},
    millis,
    records::{parse_record, parse_rollup},
    settings, text,
    transaction::{Role, delete_action, put_action},
    ttl,
};
use crate::{
    identity::Members,
    proposal::{Fingerprint, Header, Proposal, ProposalId, Record, Rollup, RollupKey, hash_text},
    shown::{Changes, Shown},
};

/// A conversation lists at most this many waiting proposals. One more removes the oldest from the list; it can still be
/// decided by its id.
pub const MAX_WAITING: usize = 5;

/// How many turns the model sees.
const LAST_TURNS: usize = 4;

/// Turns before these, for the prompt.
const EARLIER_TURNS: usize = 16;

/// A reply longer than this, in bytes of JSON, is not stored for repetition: an item holds 400 KB. The same message
/// sent again is a new turn once the claim has expired. A write in it still happens once, because proposal ids are
/// derived from the message.
const REPLY_BYTES: usize = 300_000;

/// A proposal with a longer body, in bytes of JSON, is not stored beside the turns: every turn reads up to
/// [`MAX_WAITING`] of them.
const SMALL_BYTES: usize = 8_000;

const CONVERSATION_LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);

/// How long a claim without a reply is valid. It is longer than any turn may take, so an older claim belongs to a
/// function that was killed.
const LEASE: SignedDuration = SignedDuration::from_secs(60);

/// A message and its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub at: Timestamp,
    pub nonce: String,
    pub message: String,
    pub answer: String,
    /// What the answer showed, asked and did.
    pub shown: Shown,
    pub outcome: TurnOutcome,
    /// The client's id of the message.
    pub message_id: Option<String>,
    /// The person clicked; `message` says in words what.
    pub is_click: bool,
}

/// What the next plain answer can refer to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TurnOutcome {
    Answered,
    Asked,
    /// The proposal was shown; a plain yes or no refers to it.
    ShowedProposal(ProposalId),
    /// The proposal was decided. A plain answer that is sent again, because the reply was lost, refers to it too.
    Decided(ProposalId),
    /// The proposals were listed, numbered from 1. Either the person was asked which one to approve or to reject, or
    /// all of them were meant and some are not decided yet.
    AskedWhich {
        proposals: Vec<ProposalId>,
        approve: bool,
    },
}

/// A proposal as it was last shown in a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitingProposal {
    pub id: ProposalId,
    pub fingerprint: Fingerprint,
    /// For people.
    pub summary: String,
    pub changes: Changes,
    pub shown_at: Timestamp,
    pub expires_at: Timestamp,
}

/// What every turn reads first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurnContext {
    pub settings: Settings,
    /// Records of the kinds that are stored beside the settings.
    pub preferences: Vec<Record>,
    pub members: Members,
    /// The rollups of all kinds from the month on that was asked for.
    pub rollups: BTreeMap<RollupKey, Rollup>,
    /// There are more of them than one page has; the oldest are left out.
    pub rollups_are_partial: bool,
    /// Oldest first.
    pub turns: Vec<Turn>,
    /// Those before, oldest first, if they were asked for.
    pub earlier: Vec<Turn>,
    /// Oldest first; expired ones included.
    pub waiting: Vec<WaitingProposal>,
    /// The waiting proposals that are small enough to be stored beside the turns, as they were when they were shown. One
    /// may have been decided since, so a decision needs its condition.
    pub proposals: Vec<Proposal>,
    /// Until when a waiting proposal that cannot be read may wait. A yes can mean it too.
    pub unread_until: Option<Timestamp>,
}

/// One message of one conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimKey {
    prefix: String,
    message: String,
    /// Hash of the request, to detect an id that is used for another message.
    payload: String,
    /// The turn's own nonce. It identifies this turn's claim when the SDK sends the request again after a lost answer.
    nonce: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    /// This turn is the first to see the message.
    Fresh,
    /// The message was answered before, with this reply.
    Answered(Value),
    /// Another request is processing this message.
    Working,
    /// The id was used for a different message.
    Reused,
}

/// What is stored about a turn, in the same transaction as its write if it has one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bookkeeping {
    /// With the key prefix of its conversation.
    pub turn: Option<(String, Turn)>,
    /// The claim of this message, and the reply to repeat; none if this is not its final answer. It is stored with the
    /// turn, if it is still this turn's.
    pub claim: Option<(ClaimKey, Option<Value>)>,
    /// The caller's user id and display name, if they are not known as a member. Whoever owns a record is a member,
    /// because this is stored with their first turn.
    pub member: Option<(String, Option<String>)>,
    /// The text that lists a new proposal among the waiting ones, and what it is about.
    pub summary: String,
    pub changes: Changes,
    /// Waiting proposals that a new one removes from the list.
    pub displaced: Vec<WaitingProposal>,
}

impl ClaimKey {
    pub fn new(user: &str, conversation: &str, message_id: &str, payload: &str, nonce: &str) -> ClaimKey {
        ClaimKey {
            prefix: keys::conversation(user, conversation),
            message: hash_text(message_id),
            payload: hash_text(payload),
            nonce: nonce.into(),
        }
    }
}

impl TenantStore<'_> {
    /// Reads the settings and the conversation, in one round trip: two queries in parallel.
    pub async fn turn_context(
        &self,
        user: &str,
        conversation: &str,
        rollups_from: Option<Date>,
    ) -> Result<TurnContext, StoreError> {
        // Both are for the prompt.
        let earlier = if rollups_from.is_some() { EARLIER_TURNS } else { 0 };
        let (settings, conversation) =
            tokio::try_join!(self.settings_from(rollups_from), self.conversation(user, conversation, earlier))?;
        let TurnContext { settings, preferences, members, rollups, rollups_are_partial, .. } = settings;
        Ok(TurnContext { settings, preferences, members, rollups, rollups_are_partial, ..conversation })
    }

    /// Reads the settings and the records beside them.
    pub async fn preferences(&self) -> Result<(Settings, Vec<Record>), StoreError> {
        let TurnContext { settings, preferences, .. } = self.settings_from(None).await?;
        Ok((settings, preferences))
    }

    /// Reads the settings, the preferences, the members and the rollups from a month on, which are beside each other. A
    /// preference or a rollup that cannot be read is left out, so that it does not break every turn. Read backwards: the
    /// page that reaches the rollups is the last one, and has the newest months.
    pub async fn settings_from(&self, rollups_from: Option<Date>) -> Result<TurnContext, StoreError> {
        let (low, high) = keys::settings_bounds(rollups_from);
        let query = Query::new()
            .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
            .expression_attribute_values(":low", text(low))
            .expression_attribute_values(":high", text(high))
            .scan_index_forward(false);
        let mut context = TurnContext::default();
        let lost = |error: StoreError| tracing::error!(%error, "an item beside the settings cannot be read");
        let read = |item: Item| {
            match get_text(&item, SK)? {
                META => context.settings = settings(Some(item)),
                sk if sk.starts_with(keys::ROLLUPS) => context.rollups.extend(parse_rollup(&item).map_err(lost).ok()),
                sk if sk.starts_with(keys::MEMBERS) => {
                    let name = get_text(&item, "name").ok().map(str::to_owned);
                    keys::parse_member(sk).into_iter().for_each(|user| context.members.add(user, name.clone()));
                }
                _ => context.preferences.extend(parse_record(item).map_err(lost).ok()),
            }
            Ok(())
        };
        let are_rollups = |last: &Item| get_text(last, SK).is_ok_and(|sk| sk.starts_with(keys::ROLLUPS));
        let is_complete = self.query_until(query, read, are_rollups).await?;
        context.preferences.reverse();
        Ok(TurnContext { rollups_are_partial: !is_complete, ..context })
    }

    pub async fn settings(&self) -> Result<Settings, StoreError> {
        let input = GetItem::new().table_name(&self.store.table).consistent_read(true);
        let input = input.key(PK, text(self.records_key())).key(SK, text(META));
        Ok(settings(self.store.dynamodb.call(input).await.map_err(failed)?.item))
    }

    async fn conversation(&self, user: &str, conversation: &str, earlier: usize) -> Result<TurnContext, StoreError> {
        let prefix = keys::conversation(user, conversation);
        let output = self
            .store
            .dynamodb
            .call(
                Query::new()
                    .table_name(&self.store.table)
                    .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
                    .expression_attribute_values(":pk", text(self.conversations_key()))
                    .expression_attribute_values(":low", text(format!("{prefix}T#")))
                    .expression_attribute_values(":high", text(format!("{prefix}W#~")))
                    .consistent_read(true)
                    .scan_index_forward(false)
                    .limit(i32::try_from(MAX_WAITING + LAST_TURNS + earlier).unwrap_or(i32::MAX)),
            )
            .await
            .map_err(failed)?;
        let mut context = TurnContext::default();
        let mut is_last_turn_lost = false;
        for item in output.items {
            match get_text(&item, SK)?.as_bytes().get(prefix.len()) {
                Some(b'W') => match readable(parse_waiting(&item)) {
                    Some(waiting) => {
                        context.waiting.push(waiting);
                        context.proposals.extend(readable(self.parse_small(&item)).flatten());
                    }
                    None => {
                        let until = get_time(&item, "expiresAt").unwrap_or(Timestamp::MAX);
                        context.unread_until = context.unread_until.max(Some(until));
                    }
                },
                Some(b'T') if context.turns.len() < LAST_TURNS => match readable(parse_turn(&item)) {
                    Some(turn) => context.turns.push(turn),
                    None => is_last_turn_lost |= context.turns.is_empty(),
                },
                Some(b'T') if context.earlier.len() < earlier => context.earlier.extend(readable(parse_turn(&item))),
                _ => {}
            }
        }
        if is_last_turn_lost {
            // Nothing else may be taken for what was said last.
            context.turns.clear();
            context.earlier.clear();
        }
        context.turns.reverse();
        context.earlier.reverse();
        context.waiting.reverse();
        context.proposals.reverse();
        Ok(context)
    }

    /// Turns of a conversation before the last `seen` ones, oldest first.
    pub async fn earlier_turns(
        &self,
        user: &str,
        conversation: &str,
        seen: usize,
        count: usize,
    ) -> Result<Vec<Turn>, StoreError> {
        let input = Query::new()
            .table_name(&self.store.table)
            .key_condition_expression("pk = :pk AND begins_with(sk, :turns)")
            .expression_attribute_values(":pk", text(self.conversations_key()))
            .expression_attribute_values(":turns", text(format!("{}T#", keys::conversation(user, conversation))))
            .consistent_read(true)
            .scan_index_forward(false)
            .limit(i32::try_from(seen + count).unwrap_or(i32::MAX));
        let items = self.store.dynamodb.call(input).await.map_err(failed)?.items;
        Ok(items.iter().skip(seen).rev().filter_map(|item| readable(parse_turn(item))).collect())
    }

    /// Claims a message for this turn, so that a message that is sent twice is one turn.
    pub async fn claim(&self, key: &ClaimKey, now: Timestamp) -> Result<Claim, StoreError> {
        let result = self
            .store
            .dynamodb
            .call(
                PutItem::new()
                    .table_name(&self.store.table)
                    .item(self.claim_item(key, now, now, None))
                    .condition_expression(
                        "attribute_not_exists(pk) OR (attribute_not_exists(reply) AND startedAt < :lapsed)",
                    )
                    .expression_attribute_values(":lapsed", millis(now - LEASE))
                    .return_values_on_condition_check_failure(ReturnOld::AllOld),
            )
            .await;
        let Err(error) = result else { return Ok(Claim::Fresh) };
        let existing = match error.code() {
            Some(CONDITION_FAILED) => old_item(&error),
            // The first turn's transaction is writing to this claim.
            Some(TRANSACTION_CONFLICT) => return Ok(Claim::Working),
            _ => return Err(failed(error)),
        };
        let Some(existing) = existing else { return Ok(Claim::Working) };
        if get_text(&existing, "payload")? != key.payload {
            return Ok(Claim::Reused);
        }
        if existing.contains_key("reply") {
            return get_json(&existing, "reply").map(Claim::Answered);
        }
        Ok(if get_text(&existing, "nonce")? == key.nonce { Claim::Fresh } else { Claim::Working })
    }

    /// Deletes the claim of a turn that failed, so that the message can be sent again at once.
    pub async fn release(&self, key: &ClaimKey) -> Result<(), StoreError> {
        let input = DeleteItem::new()
            .table_name(&self.store.table)
            .key(PK, text(self.conversations_key()))
            .key(SK, text(keys::claim(&key.prefix, &key.message)))
            .condition_expression("attribute_not_exists(reply) AND nonce = :nonce")
            .expression_attribute_values(":nonce", text(&key.nonce));
        // Otherwise it was answered.
        conditional(self.store.dynamodb.call(input).await).map(drop)
    }

    /// Stores a turn that wrote nothing else.
    pub async fn conclude(&self, bookkeeping: &Bookkeeping) -> Result<(), StoreError> {
        let mut puts = self.bookkeeping_puts(bookkeeping);
        if puts.len() > 1 {
            let actions = puts.into_iter().map(|(_, put)| put_action(put));
            let input = TransactWriteItems::new().transact_items(actions.collect::<Vec<_>>());
            // Repeating this call is safe: each item is put as a whole, and the claim stays this turn's.
            return self.store.dynamodb.call(input).await.map(drop).map_err(failed);
        }
        let Some((_, put)) = puts.pop() else { return Ok(()) };
        self.store.dynamodb.call(put).await.map(drop).map_err(failed)
    }

    pub(super) fn bookkeeping_puts(&self, bookkeeping: &Bookkeeping) -> Vec<(Role, PutItem)> {
        let put = |item: Item| PutItem::new().table_name(&self.store.table).item(item);
        let other = |item: Item| (Role::Other, put(item));
        let turn = bookkeeping.turn.as_ref().map(|(prefix, turn)| other(self.turn_item(prefix, turn)));
        let claim = bookkeeping.claim.as_ref().zip(bookkeeping.turn.as_ref()).map(|((key, reply), (_, turn))| {
            let item = match reply {
                // Stored as lapsed: the message sent again is a new turn, which finds what this one did.
                Some(reply) if reply.to_string().len() > REPLY_BYTES => {
                    self.claim_item(key, Timestamp::UNIX_EPOCH, turn.at, None)
                }
                reply => self.claim_item(key, turn.at, turn.at, reply.as_ref()),
            };
            // What an earlier attempt sent may arrive after a later attempt has given another answer.
            let put = put(item).condition_expression("nonce = :nonce");
            (Role::Claim, put.expression_attribute_values(":nonce", text(&key.nonce)))
        });
        let member = bookkeeping.member.as_ref().map(|(user, name)| other(self.member_item(user, name.as_deref())));
        turn.into_iter().chain(claim).chain(member).collect()
    }

    pub(super) fn member_item(&self, user: &str, name: Option<&str>) -> Item {
        let mut item = item([(PK, text(self.records_key())), (SK, text(keys::member(user)))]);
        item.extend(name.map(|name| ("name".to_owned(), text(name))));
        item
    }

    /// Lists a proposal among the waiting ones of the conversation it was shown in. A small one is stored whole, so that
    /// a typed yes needs no other read.
    pub(super) fn put_waiting(
        &self,
        Proposal { header, body }: &Proposal,
        Bookkeeping { summary, changes, .. }: &Bookkeeping,
    ) -> Action {
        let prefix = keys::conversation(&header.user, &header.conversation);
        let mut item = header_item(&self.conversations_key(), header, self.audit());
        let sk = keys::waiting(&prefix, header.created_at, &header.id);
        item.insert(BY_ORDER.into(), text(keys::order_in_conversations(&sk)));
        item.insert(SK.into(), text(sk));
        item.insert("summary".into(), text(summary));
        item.insert("changes".into(), json(changes));
        let body = serde_json::to_string(&**body).expect("stored types always serialise");
        if body.len() <= SMALL_BYTES {
            item.insert("body".into(), text(body));
        }
        put(&self.store.table, item)
    }

    /// The proposal of a waiting entry that has all of it.
    pub(super) fn parse_small(&self, item: &Item) -> Result<Option<Proposal>, StoreError> {
        if !item.contains_key("body") {
            return Ok(None);
        }
        let proposal = Proposal { header: parse_header(item)?, body: Arc::new(get_json(item, "body")?) };
        Ok(proposal.is_intact(self.tenant.as_str()).then_some(proposal))
    }

    pub(super) fn delete_waiting(&self, header: &Header) -> Action {
        let prefix = keys::conversation(&header.user, &header.conversation);
        self.delete_waiting_at(keys::waiting(&prefix, header.created_at, &header.id))
    }

    pub(super) fn displace(&self, header: &Header, displaced: &WaitingProposal) -> Action {
        let prefix = keys::conversation(&header.user, &header.conversation);
        self.delete_waiting_at(keys::waiting(&prefix, displaced.shown_at, &displaced.id))
    }

    fn delete_waiting_at(&self, sk: String) -> Action {
        let delete = DeleteItem::new().table_name(&self.store.table);
        let delete = delete.key(PK, text(self.conversations_key())).key(SK, text(sk));
        delete_action(delete)
    }

    fn turn_item(&self, prefix: &str, turn: &Turn) -> Item {
        let sk = keys::turn(prefix, turn.at, &turn.nonce);
        let mut item = item([
            (PK, text(self.conversations_key())),
            (BY_ORDER, text(keys::order_in_conversations(&sk))),
            (SK, text(sk)),
            ("at", millis(turn.at)),
            ("nonce", text(&turn.nonce)),
            ("message", text(&turn.message)),
            ("answer", text(&turn.answer)),
            ("shown", json(&turn.shown)),
            ("outcome", json(&turn.outcome)),
            (TTL, ttl(turn.at, CONVERSATION_LIFETIME)),
        ]);
        item.extend(turn.message_id.as_ref().map(|id| ("messageId".to_owned(), text(id))));
        item.extend(turn.is_click.then(|| ("isClick".to_owned(), AttributeValue::Bool(true))));
        item
    }

    fn claim_item(&self, key: &ClaimKey, started_at: Timestamp, at: Timestamp, reply: Option<&Value>) -> Item {
        let mut item = item([
            (PK, text(self.conversations_key())),
            (SK, text(keys::claim(&key.prefix, &key.message))),
            ("payload", text(&key.payload)),
            ("nonce", text(&key.nonce)),
            ("startedAt", millis(started_at)),
            (TTL, ttl(at, CONVERSATION_LIFETIME)),
        ]);
        if let Some(reply) = reply {
            item.insert("reply".into(), json(reply));
        }
        item
    }

    pub(super) fn conversations_key(&self) -> String {
        Partition::conversations(self.tenant).as_str().to_owned()
    }
}

pub(super) fn put(table: &str, item: Item) -> Action {
    let put = PutItem::new().table_name(table).item(item);
    Action::Put(put)
}

/// None if it cannot be read, so that one item does not hide the others of a conversation.
pub(super) fn readable<T>(parsed: Result<T, StoreError>) -> Option<T> {
    parsed.inspect_err(|error| tracing::error!(%error, "an item of a conversation cannot be read")).ok()
}

pub(super) fn parse_turn(item: &Item) -> Result<Turn, StoreError> {
    Ok(Turn {
        at: get_time(item, "at")?,
        nonce: get_text(item, "nonce")?.into(),
        message: get_text(item, "message")?.into(),
        answer: get_text(item, "answer")?.into(),
        shown: get_json(item, "shown")?,
        outcome: get_json(item, "outcome")?,
        message_id: get_text(item, "messageId").ok().map(str::to_owned),
        is_click: item.contains_key("isClick"),
    })
}

fn parse_waiting(item: &Item) -> Result<WaitingProposal, StoreError> {
    Ok(WaitingProposal {
        id: get_id(item, "proposal")?,
        fingerprint: Fingerprint(get_text(item, "fingerprint")?.into()),
        summary: get_text(item, "summary")?.into(),
        changes: get_json(item, "changes")?,
        shown_at: get_time(item, "createdAt")?,
        expires_at: get_time(item, "expiresAt")?,
    })
}

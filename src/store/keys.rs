//! The table's keys, as types. Every partition key starts with the tenant, and every variable part is percent-encoded,
//! so that no part can forge a separator.
//!
//! | partition | sort key | item |
//! |---|---|---|
//! | `T#<t>` | `L#<yyyy-mm>#<kind>#<owner>#<unit>#<group>` | rollup of a month |
//! | | `MEMBER#<user>` | member of the tenant, with a display name |
//! | | `META` | tenant settings; an attribute `RUN#<id>` for each unfinished run |
//! | | `M…#<id>` | preference |
//! | | `SEQ` | id counters, an attribute a kind |
//! | | `<kind>#<id>` | record, e.g. `E#…` an expense; listed by `byOrder` = `<kind>#<date>#<id>`, those of one owner by `byOwner` = `<kind>#<owner>#<date>#<id>`; found by `byName` = `<kind>#<name>#<date>#<id>` |
//! | | `A#<kind>#<owner>#<name>#<unit>` | total of a name |
//! | | `D#<duplicate_key>` | duplicate guard |
//! | | `U#<kind>#<hash>` | unique key of a row, named by its hash |
//! | `T#<t>#P` | `P#<id>`, `P#<id>#00000` | proposal header, its first chunk; approved headers are listed by `byOrder` = `RECEIPT#<time>-<id>` and, of one user, by `byName` = `RECEIPT#<user>#<time>-<id>` |
//! | | `RUN#<id>` | unfinished run, in the sparse index `due` |
//! | `T#<t>#P#<id>` | `H<hash>` | each further chunk of a proposal, named by its content |
//! | `T#<t>#V` | `<kind>#<date>#<id>` | vector of a record, ordered as records are listed |
//! | | `WANTED` | marks that records without a vector exist, in the sparse index `due` |
//! | `T#<t>#C` | `<user>#<conversation>#M#<hash>` | message claim |
//! | | `<user>#<conversation>#T#<time>#<nonce>` | turn; of all conversations of a user listed by `byOrder` = `<user>#T#<time>#<nonce>` |
//! | | `<user>#<conversation>#W#<time>#<proposal>` | waiting proposal; listed by `byOrder` = `<user>#W#<time>#<proposal>` |
//! | | `<user>##A#<hash>` | newest proposal of that tool and arguments |
//!
//! `L` < `M`: one query reads the rollups of the last months, the members, the settings and all preferences.
//!
//! `M` < `T` < `W`: one descending query of a conversation gives its waiting proposals, then its last turns. A
//! conversation has a name, so `##A#` cannot be one's.

use jiff::{Timestamp, civil::Date};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::{
    identity::TenantId,
    proposal::{ChunkId, NameKey, ProposalId, RollupKey, UniqueKey, hash_text},
};

pub const PK: &str = "pk";
pub const SK: &str = "sk";
/// The local secondary indexes, and the attributes they sort by.
pub const BY_ORDER: &str = "byOrder";
pub const BY_NAME: &str = "byName";
pub const BY_OWNER: &str = "byOwner";
/// The sparse global index of unfinished work, and its attributes.
pub const DUE: &str = "due";
pub const DUE_SHARD: &str = "dueShard";
pub const DUE_AT: &str = "dueAt";
pub const TTL: &str = "ttl";

pub const META: &str = "META";
pub const SEQ: &str = "SEQ";

/// The prefix of the members. They lie among the preferences, which every turn reads.
pub const MEMBERS: &str = "MEMBER#";

/// Inclusive bounds of the settings and of the items that are stored beside them.
const PREFERENCES: (&str, &str) = ("M", "M~");

/// Partitions of the index `due` for unfinished runs: one partition takes 1,000 writes a second.
const DUE_SHARDS: u8 = 4;

/// The longest name in a key, in bytes.
const NAME_BYTES: usize = 256;

/// Ids are zero-padded, so that they sort as numbers.
const ID_DIGITS: usize = 12;
pub const MAX_ID: u64 = 999_999_999_999;

const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// A partition key. It can only be made for a verified tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition(String);

impl Partition {
    pub fn records(tenant: &TenantId) -> Partition {
        Partition(format!("T#{}", encode(tenant.as_str())))
    }

    pub fn proposals(tenant: &TenantId) -> Partition {
        Partition(format!("T#{}#P", encode(tenant.as_str())))
    }

    /// Of the further chunks of one proposal: a partition with local indexes holds 10 GB.
    pub fn chunks(tenant: &TenantId, id: &ProposalId) -> Partition {
        Partition(format!("{}#{id}", Partition::proposals(tenant).as_str()))
    }

    pub fn conversations(tenant: &TenantId) -> Partition {
        Partition(format!("T#{}#C", encode(tenant.as_str())))
    }

    pub fn vectors(tenant: &TenantId) -> Partition {
        Partition(format!("T#{}#V", encode(tenant.as_str())))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

pub fn record(kind: &str, id: u64) -> String {
    format!("{kind}#{id:0ID_DIGITS$}")
}

pub fn record_order(kind: &str, date: Date, id: u64) -> String {
    format!("{kind}#{date}#{id:0ID_DIGITS$}")
}

/// Inclusive bounds of `byOrder` for records dated `from` to `to`.
pub fn record_order_bounds(kind: &str, from: Date, to: Date) -> (String, String) {
    (format!("{kind}#{from}#"), format!("{kind}#{to}#~"))
}

/// Records of one owner, by date.
pub fn record_by_owner(kind: &str, owner: &str, date: Date, id: u64) -> String {
    format!("{kind}#{}#{date}#{id:0ID_DIGITS$}", encode(owner))
}

/// Inclusive bounds of `byOwner` for records of this owner dated `from` to `to`.
pub fn record_by_owner_bounds(kind: &str, owner: &str, from: Date, to: Date) -> (String, String) {
    let owner = encode(owner);
    (format!("{kind}#{owner}#{from}#"), format!("{kind}#{owner}#{to}#~"))
}

/// The date and the id at the end of a record's key in any of the local indexes.
pub fn parse_record_order(order: &str) -> Option<(Date, u64)> {
    let mut parts = order.rsplit('#');
    let id = parts.next()?.parse().ok()?;
    Some((parts.next()?.parse().ok()?, id))
}

/// Records with one name, by date.
pub fn record_by_name(kind: &str, name: &str, date: Date, id: u64) -> String {
    format!("{kind}#{}#{date}#{id:0ID_DIGITS$}", short(name))
}

/// Inclusive bounds of `byName` for records with this name dated `from` to `to`.
pub fn record_by_name_bounds(kind: &str, name: &str, from: Date, to: Date) -> (String, String) {
    let name = short(name);
    (format!("{kind}#{name}#{from}#"), format!("{kind}#{name}#{to}#~"))
}

pub fn member(user: &str) -> String {
    format!("{MEMBERS}{}", encode(user))
}

pub fn parse_member(sk: &str) -> Option<String> {
    decode(sk.strip_prefix(MEMBERS)?)
}

/// The prefix of every rollup's sort key.
pub const ROLLUPS: &str = "L#";

pub fn rollup(key: &RollupKey) -> String {
    let RollupKey { kind, owner, year, month, unit, group } = key;
    format!("{}{kind}#{}#{}#{}", rollups(*year, *month), encode(owner), encode(unit), encode(group))
}

/// The prefix of a month's rollups.
fn rollups(year: i16, month: i8) -> String {
    format!("{ROLLUPS}{year:04}-{month:02}#")
}

/// Inclusive bounds of the rollups of the months that contain `from` and `to`.
pub fn rollup_bounds(from: Date, to: Date) -> (String, String) {
    (rollups(from.year(), from.month()), format!("{}~", rollups(to.year(), to.month())))
}

/// Inclusive bounds of the settings and the preferences, and of the rollups from a month on if one is given.
pub fn settings_bounds(rollups_from: Option<Date>) -> (String, String) {
    let low = rollups_from.map_or_else(|| PREFERENCES.0.to_owned(), |from| rollups(from.year(), from.month()));
    (low, PREFERENCES.1.to_owned())
}

pub fn parse_rollup(sk: &str) -> Option<RollupKey> {
    let mut parts = sk.strip_prefix(ROLLUPS)?.split('#');
    let (year, month) = parts.next()?.split_once('-')?;
    let key = RollupKey {
        kind: parts.next()?.to_owned(),
        owner: decode(parts.next()?)?,
        year: year.parse().ok()?,
        month: month.parse().ok()?,
        unit: decode(parts.next()?)?,
        group: decode(parts.next()?)?,
    };
    parts.next().is_none().then_some(key)
}

/// The prefix of the totals of all names.
pub const NAMES: &str = "A#";

pub fn name(key: &NameKey) -> String {
    let NameKey { kind, owner, name, unit } = key;
    format!("{}{}#{}", names(kind, Some(owner)), short(name), encode(unit))
}

/// The key of a total, and whether its name is missing because the key has its hash.
pub fn parse_name(sk: &str) -> Option<(NameKey, bool)> {
    let mut parts = sk.strip_prefix(NAMES)?.split('#');
    let (kind, owner, name, unit) = (parts.next()?.to_owned(), decode(parts.next()?)?, parts.next()?, parts.next()?);
    let name = if name.starts_with(HASHED) { None } else { Some(decode(name)?) };
    let key = NameKey { kind, owner, name: name.clone().unwrap_or_default(), unit: decode(unit)? };
    parts.next().is_none().then_some((key, name.is_none()))
}

/// The prefix of the totals of a kind's names, of one owner or of all.
pub fn names(kind: &str, owner: Option<&str>) -> String {
    match owner {
        Some(owner) => format!("{NAMES}{kind}#{}#", encode(owner)),
        None => format!("{NAMES}{kind}#"),
    }
}

/// A name as a part of a key. DynamoDB limits sort keys to 1,024 bytes, so a long name is replaced by its hash.
fn short(name: &str) -> String {
    let encoded = encode(name);
    if encoded.len() <= NAME_BYTES { encoded } else { format!("{HASHED}{}", hash_text(name)) }
}

/// No encoded name begins with this.
const HASHED: char = '~';

/// Whether the key has the name's hash instead of the name.
pub fn is_hashed(name: &str) -> bool {
    short(name).starts_with(HASHED)
}

pub fn guard(duplicate_key: &str) -> String {
    format!("D#{}", encode(duplicate_key))
}

/// The prefix of all unique keys.
pub const UNIQUE_KEYS: &str = "U#";

/// Hashed, because a name can be longer than a key.
pub fn unique_key(UniqueKey { kind, key }: &UniqueKey) -> String {
    format!("{UNIQUE_KEYS}{kind}#{}", hash_text(key))
}

/// The kind of the row that has a unique key.
pub fn parse_unique_key(sk: &str) -> Option<&str> {
    sk.strip_prefix(UNIQUE_KEYS)?.split_once('#').map(|(kind, _)| kind)
}

pub fn header(id: &ProposalId) -> String {
    format!("P#{id}")
}

pub fn first_chunk(id: &ProposalId) -> String {
    format!("P#{id}#00000")
}

pub fn chunk(chunk: &ChunkId) -> String {
    format!("H{}", chunk.as_str())
}

pub const RUNS: &str = "RUN#";

pub fn run(id: &ProposalId) -> String {
    format!("{RUNS}{id}")
}

/// The partitions of the index `due` that hold unfinished runs.
pub fn due_shards() -> impl Iterator<Item = String> {
    (0..DUE_SHARDS).map(|shard| shard.to_string())
}

pub fn due_shard(id: &ProposalId) -> String {
    let digit = id.as_str().bytes().next_back().unwrap_or_default();
    (digit % DUE_SHARDS).to_string()
}

pub fn due_at(at: Timestamp) -> String {
    format!("{:015}", at.as_millisecond())
}

pub fn parse_due_at(text: &str) -> Option<Timestamp> {
    Timestamp::from_millisecond(text.parse().ok()?).ok()
}

/// The tenant of a proposals partition; none for another partition.
pub fn parse_proposals(partition: &str) -> Option<String> {
    decode(partition.strip_prefix("T#")?.strip_suffix("#P")?)
}

/// The tenant of a vectors partition; none for another partition.
pub fn parse_vectors(partition: &str) -> Option<String> {
    decode(partition.strip_prefix("T#")?.strip_suffix("#V")?)
}

pub const WANTED: &str = "WANTED";

/// The partition of the index `due` for missing vectors. It is separate because unfinished runs are more urgent.
pub const WANTED_SHARD: &str = "vectors";

pub const RECEIPTS: &str = "RECEIPT#";

pub fn receipt_order(data_version: &str) -> String {
    format!("{RECEIPTS}{data_version}")
}

/// The receipts that one user approved.
pub fn receipts_of_user(user: &str) -> String {
    format!("{RECEIPTS}{}#", encode(user))
}

pub fn receipt_of_user(user: &str, data_version: &str) -> String {
    format!("{}{data_version}", receipts_of_user(user))
}

/// The prefix of every item in one conversation.
pub fn conversation(user: &str, conversation: &str) -> String {
    format!("{}#{}#", encode(user), encode(conversation))
}

pub fn claim(prefix: &str, message_hash: &str) -> String {
    format!("{prefix}M#{message_hash}")
}

/// The id of the conversation that an item belongs to.
pub fn parse_conversation(sk: &str) -> Option<String> {
    decode(sk.split('#').nth(1)?)
}

/// The prefix of the turns of a conversation.
pub fn turns(prefix: &str) -> String {
    format!("{prefix}T#")
}

pub fn turn(prefix: &str, at: Timestamp, nonce: &str) -> String {
    format!("{}{:015}#{nonce}", turns(prefix), at.as_millisecond())
}

pub fn waiting(prefix: &str, shown_at: Timestamp, id: &ProposalId) -> String {
    format!("{prefix}W#{:015}#{id}", shown_at.as_millisecond())
}

/// The conversation of a waiting proposal, when it was shown, and its id.
pub fn parse_waiting(sk: &str) -> Option<(String, Timestamp, ProposalId)> {
    let mut parts = sk.split('#').skip(1);
    let (conversation, _, at) = (decode(parts.next()?)?, parts.next()?, parts.next()?.parse().ok()?);
    Some((conversation, Timestamp::from_millisecond(at).ok()?, ProposalId::parse(parts.next()?)?))
}

/// The prefix of `byOrder` of the turns in all conversations of a user.
pub fn turns_of_user(user: &str) -> String {
    format!("{}#T#", encode(user))
}

pub fn turn_of_user(user: &str, at: Timestamp, nonce: &str) -> String {
    format!("{}{:015}#{nonce}", turns_of_user(user), at.as_millisecond())
}

/// The prefix of `byOrder` of the waiting proposals in all conversations of a user.
pub fn waiting_of_user(user: &str) -> String {
    format!("{}#W#", encode(user))
}

/// `byOrder` of an item in a conversation: its sort key without the conversation.
pub fn order_in_conversations(sk: &str) -> String {
    let mut parts = sk.splitn(3, '#');
    let (user, _, rest) = (parts.next().unwrap_or_default(), parts.next(), parts.next().unwrap_or_default());
    format!("{user}#{rest}")
}

pub fn arguments(user: &str, hash: &str) -> String {
    format!("{}##A#{hash}", encode(user))
}

fn encode(part: &str) -> String {
    utf8_percent_encode(part, UNRESERVED).to_string()
}

fn decode(part: &str) -> Option<String> {
    percent_decode_str(part).decode_utf8().ok().map(Into::into)
}

//! Proposals: loading them, and the transactions that the state machine asks for.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    error::{ProvideErrorMetadata, SdkError},
    operation::transact_write_items::TransactWriteItemsError,
    types::{
        AttributeValue, CancellationReason, Delete, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem,
        Update,
        builders::{PutBuilder, UpdateBuilder},
    },
};
use jiff::{SignedDuration, Timestamp};

use super::{
    Bookkeeping, Item, StoreError, TenantStore, conversations, failed, get_json, get_number, get_text, get_time,
    is_throttling, item, json,
    keys::{self, BY_ORDER, PK, Partition, SK, TTL},
    millis, number,
    records::{parse_record, record_item},
    text, ttl,
};
use crate::proposal::{
    Approved, Event, Fence, Fingerprint, Header, HeaderCheck, Operation, Proposal, ProposalBody, ProposalId, Record,
    Refusal, Rollup, RollupKey, SCHEMA, Settlement, State, StoreCall, data_version, hash_json,
};

/// The same content added twice within this time is asked about, even if both requests came without a message id.
pub const GUARD_WINDOW: SignedDuration = SignedDuration::from_mins(5);

/// Undecided and refused proposals are kept this long past their expiry; then DynamoDB's TTL deletes them.
const UNDECIDED_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Executed ones are the audit trail.
const EXECUTED_KEPT: SignedDuration = SignedDuration::from_hours(400 * 24);

/// One transaction in the making; DynamoDB names failed conditions by position.
#[derive(Default)]
struct Transaction {
    actions: Vec<TransactWriteItem>,
    roles: Vec<Role>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Role {
    Header,
    Guard,
    Row(usize),
    Other,
}

impl TenantStore<'_> {
    /// Performs one call of the state machine and says what came of it. `Pause` is the shell's.
    pub async fn perform(&self, call: StoreCall, bookkeeping: &Bookkeeping) -> Result<Event, StoreError> {
        let transaction = match call {
            StoreCall::Load(id) => return self.load_event(&id).await,
            StoreCall::Pause { .. } => return Ok(Event::Woke),
            StoreCall::Put { proposal, settles } => self.put(&proposal, settles.as_ref(), bookkeeping),
            StoreCall::Settle(settlement) => self.settle(&settlement),
            StoreCall::Commit(approved) => self.commit(&approved)?,
        };
        self.send(transaction, bookkeeping).await
    }

    /// Header and chunk in one strongly consistent query.
    pub async fn proposal(&self, id: &ProposalId) -> Result<Option<Proposal>, StoreError> {
        let output = self
            .store
            .client
            .query()
            .table_name(&self.store.table)
            .key_condition_expression("pk = :pk AND begins_with(sk, :id)")
            .expression_attribute_values(":pk", text(self.proposals_key()))
            .expression_attribute_values(":id", text(keys::header(id)))
            .consistent_read(true)
            .send()
            .await
            .map_err(failed)?;
        let mut items = output.items.unwrap_or_default().into_iter();
        let Some(header) = items.next() else { return Ok(None) };
        let header = parse_header(&header)?;
        let chunk = items.next().ok_or_else(|| StoreError::Corrupt(format!("proposal {id} has lost its chunk")))?;
        let body: ProposalBody = get_json(&chunk, "body")?;
        let proposal = Proposal { header, body };
        if !proposal.is_intact(self.tenant.as_str()) {
            return Err(StoreError::Corrupt(format!("the operations of proposal {id} are not those that were shown")));
        }
        Ok(Some(proposal))
    }

    /// The newest proposal that this user was shown for a tool and its arguments.
    pub async fn proposal_by_arguments(&self, user: &str, hash: &str) -> Result<Option<ProposalId>, StoreError> {
        let request = self.store.client.get_item().table_name(&self.store.table).consistent_read(true);
        let request = request.key(PK, text(self.conversations_key())).key(SK, text(keys::arguments(user, hash)));
        let found = request.send().await.map_err(failed)?.item;
        found.map(|item| conversations::parse_id(&item, "proposal")).transpose()
    }

    /// The data version of the last receipt; none if nothing was ever written.
    pub async fn last_data_version(&self) -> Result<Option<String>, StoreError> {
        let output = self
            .store
            .client
            .query()
            .table_name(&self.store.table)
            .index_name(BY_ORDER)
            .key_condition_expression("pk = :pk AND begins_with(byOrder, :receipts)")
            .expression_attribute_values(":pk", text(self.proposals_key()))
            .expression_attribute_values(":receipts", text(keys::RECEIPTS))
            .projection_expression(BY_ORDER)
            .consistent_read(true)
            .scan_index_forward(false)
            .limit(1)
            .send()
            .await
            .map_err(failed)?;
        let last = output.items.unwrap_or_default().into_iter().next();
        let order = last.as_ref().map(|item| get_text(item, BY_ORDER)).transpose()?;
        Ok(order.and_then(|order| order.strip_prefix(keys::RECEIPTS)).map(str::to_owned))
    }

    async fn load_event(&self, id: &ProposalId) -> Result<Event, StoreError> {
        match self.proposal(id).await {
            Ok(found) => Ok(Event::Loaded(found)),
            Err(StoreError::Unavailable(_)) => Ok(Event::Unknown),
            Err(error) => Err(error),
        }
    }

    fn put(&self, proposal: &Proposal, settles: Option<&Settlement>, bookkeeping: &Bookkeeping) -> Transaction {
        let mut transaction = Transaction::default();
        self.put_new(&mut transaction, proposal);
        if let Some(settlement) = settles {
            self.settle_into(&mut transaction, settlement);
        }
        transaction.push(Role::Other, self.put_waiting(&proposal.header, &bookkeeping.summary));
        if let Some(displaced) = &bookkeeping.displaced {
            transaction.push(Role::Other, self.displace(&proposal.header, displaced));
        }
        transaction
    }

    fn settle(&self, settlement: &Settlement) -> Transaction {
        let mut transaction = Transaction::default();
        self.settle_into(&mut transaction, settlement);
        transaction
    }

    fn settle_into(&self, transaction: &mut Transaction, settlement: &Settlement) {
        let header = &settlement.header;
        let update =
            self.header_update(header).condition_expression("#state = :pending AND fingerprint = :fingerprint");
        transaction.push(Role::Header, update_action(update));
        transaction.push(Role::Other, self.delete_waiting(header));
    }

    /// The write gate: effects, rollups and the proposal's own state, all or nothing.
    fn commit(&self, approved: &Approved) -> Result<Transaction, StoreError> {
        let mut transaction = Transaction::default();
        let Proposal { header, body } = approved.proposal();
        let State::Executed { at, .. } = header.state else {
            return Err(StoreError::Refused("only an executed proposal can be committed".into()));
        };
        match approved.fence() {
            Fence::Pending => {
                let update = self
                    .header_update(header)
                    .condition_expression("#state = :pending AND fingerprint = :fingerprint AND expiresAt > :now")
                    .expression_attribute_values(":now", millis(at));
                transaction.push(Role::Header, update_action(update));
                transaction.push(Role::Other, self.keep_chunk(header, at));
                transaction.push(Role::Other, self.delete_waiting(header));
            }
            Fence::Absent { guards } => {
                self.put_new(&mut transaction, approved.proposal());
                for guard in guards {
                    transaction.push(Role::Guard, self.put_guard(guard, at));
                }
            }
        }
        for (index, operation) in body.changes.operations().iter().enumerate() {
            transaction.push(Role::Row(index), self.row_action(operation)?);
        }
        for (key, delta) in body.changes.rollup_deltas() {
            transaction.push(Role::Other, self.rollup_action(&key, &delta));
        }
        Ok(transaction)
    }

    /// Header, chunk and the entry by which a client without ids finds it.
    fn put_new(&self, transaction: &mut Transaction, proposal: &Proposal) {
        let (header, body) = (&proposal.header, &proposal.body);
        let put = self.put_builder(self.header_item(header)).condition_expression("attribute_not_exists(pk)");
        transaction.push(Role::Header, put_action(put));
        let chunk = item([
            (PK, text(self.proposals_key())),
            (SK, text(keys::chunk(&header.id, 0))),
            ("schema", number(SCHEMA)),
            ("body", json(body)),
            (TTL, kept_until(header)),
        ]);
        transaction.push(Role::Other, put_action(self.put_builder(chunk)));
        let entry = item([
            (PK, text(self.conversations_key())),
            (SK, text(keys::arguments(&header.user, &hash_json(&body.call)))),
            ("proposal", text(header.id.as_str())),
            (TTL, ttl(header.expires_at, UNDECIDED_KEPT)),
        ]);
        transaction.push(Role::Other, put_action(self.put_builder(entry)));
    }

    fn put_guard(&self, likeness: &str, now: Timestamp) -> TransactWriteItem {
        let guard = item([
            (PK, text(self.records_key())),
            (SK, text(keys::guard(likeness))),
            ("addedAt", millis(now)),
            (TTL, ttl(now, GUARD_WINDOW)),
        ]);
        let put = self
            .put_builder(guard)
            .condition_expression("attribute_not_exists(pk) OR addedAt < :lapsed")
            .expression_attribute_values(":lapsed", millis(now - GUARD_WINDOW));
        put_action(put)
    }

    fn row_action(&self, operation: &Operation) -> Result<TransactWriteItem, StoreError> {
        let partition = self.records_key();
        let version = |before: &Record| number(before.version);
        Ok(match operation {
            Operation::Create { after } => {
                let put = self.put_builder(record_item(&partition, after)?);
                put_action(put.condition_expression("attribute_not_exists(pk)"))
            }
            Operation::Update { before, after } => {
                let put = self.put_builder(record_item(&partition, after)?).condition_expression("version = :version");
                put_action(put.expression_attribute_values(":version", version(before)))
            }
            Operation::Delete { before } => {
                let delete = Delete::builder()
                    .table_name(&self.store.table)
                    .key(PK, text(partition))
                    .key(SK, text(keys::record(&before.draft.kind, before.id)))
                    .condition_expression("version = :version")
                    .expression_attribute_values(":version", version(before))
                    .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
                TransactWriteItem::builder()
                    .delete(delete.build().expect("a table, a key and a condition are set"))
                    .build()
            }
        })
    }

    fn rollup_action(&self, key: &RollupKey, delta: &Rollup) -> TransactWriteItem {
        let (expression, values) = rollup_addition(delta);
        let update = Update::builder()
            .table_name(&self.store.table)
            .key(PK, text(self.records_key()))
            .key(SK, text(keys::rollup(key)))
            .update_expression(expression)
            .expression_attribute_names("#sum", "sum")
            .set_expression_attribute_values(Some(values));
        update_action(update)
    }

    fn keep_chunk(&self, header: &Header, executed_at: Timestamp) -> TransactWriteItem {
        let update = Update::builder()
            .table_name(&self.store.table)
            .key(PK, text(self.proposals_key()))
            .key(SK, text(keys::chunk(&header.id, 0)))
            .update_expression("SET #ttl = :ttl")
            // A chunk must not come to life again as a lone `ttl`.
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_names("#ttl", TTL)
            .expression_attribute_values(":ttl", ttl(executed_at, EXECUTED_KEPT));
        update_action(update)
    }

    /// The header's new state, for a header that is PENDING.
    fn header_update(&self, header: &Header) -> UpdateBuilder {
        let mut sets = vec!["#state = :state".to_owned(), "#ttl = :ttl".to_owned()];
        let mut update = Update::builder()
            .table_name(&self.store.table)
            .key(PK, text(self.proposals_key()))
            .key(SK, text(keys::header(&header.id)))
            .expression_attribute_names("#state", "state")
            .expression_attribute_names("#ttl", TTL)
            .expression_attribute_values(":pending", text("PENDING"))
            .expression_attribute_values(":fingerprint", text(&header.fingerprint.0))
            .expression_attribute_values(":state", text(state_name(&header.state)))
            .expression_attribute_values(":ttl", kept_until(header))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        for (name, value) in decision_attributes(header) {
            sets.push(format!("{name} = :{name}"));
            update = update.expression_attribute_values(format!(":{name}"), value);
        }
        update.update_expression(format!("SET {}", sets.join(", ")))
    }

    fn header_item(&self, header: &Header) -> Item {
        let mut item = item([
            (PK, text(self.proposals_key())),
            (SK, text(keys::header(&header.id))),
            ("schema", number(SCHEMA)),
            ("proposal", text(header.id.as_str())),
            ("fingerprint", text(&header.fingerprint.0)),
            ("user", text(&header.user)),
            ("conversation", text(&header.conversation)),
            ("createdAt", millis(header.created_at)),
            ("expiresAt", millis(header.expires_at)),
            ("state", text(state_name(&header.state))),
            ("chunks", number(1)),
            (TTL, kept_until(header)),
        ]);
        if let Some(superseded) = &header.supersedes {
            item.insert("supersedes".into(), text(superseded.as_str()));
        }
        item.extend(decision_attributes(header).into_iter().map(|(name, value)| (name.to_owned(), value)));
        item
    }

    fn put_builder(&self, item: Item) -> PutBuilder {
        let put = Put::builder().table_name(&self.store.table).set_item(Some(item));
        put.return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
    }

    async fn send(&self, mut transaction: Transaction, bookkeeping: &Bookkeeping) -> Result<Event, StoreError> {
        for item in self.bookkeeping_items(bookkeeping) {
            transaction.push(Role::Other, conversations::put(&self.store.table, item));
        }
        // The SDK makes a client request token for each send and freezes the body with it; a retry is a new send.
        let request = self.store.once.transact_write_items().set_transact_items(Some(transaction.actions));
        match request.send().await {
            Ok(_) => Ok(Event::Committed),
            Err(error) => read_failure(error, &transaction.roles),
        }
    }

    fn proposals_key(&self) -> String {
        Partition::proposals(self.tenant).as_str().to_owned()
    }
}

impl Transaction {
    fn push(&mut self, role: Role, action: TransactWriteItem) {
        self.actions.push(action);
        self.roles.push(role);
    }
}

fn read_failure(error: SdkError<TransactWriteItemsError>, roles: &[Role]) -> Result<Event, StoreError> {
    let SdkError::ServiceError(service) = &error else { return Ok(Event::Unknown) };
    match service.err() {
        TransactWriteItemsError::TransactionCanceledException(cancelled) => {
            read_cancellation(cancelled.cancellation_reasons(), roles).unwrap_or_else(|| Err(failed(error)))
        }
        // The token belongs to a call that is still running, or to another body: only a read can tell.
        TransactWriteItemsError::TransactionInProgressException(_)
        | TransactWriteItemsError::IdempotentParameterMismatchException(_) => Ok(Event::Unknown),
        other if is_throttling(other.code()) => Ok(Event::Conflict),
        _ if service.raw().status().is_server_error() => Ok(Event::Unknown),
        _ => Err(failed(error)),
    }
}

/// None if a reason is neither a failed condition nor passing.
fn read_cancellation(reasons: &[CancellationReason], roles: &[Role]) -> Option<Result<Event, StoreError>> {
    let mut refusal = Refusal::default();
    let (mut refused, mut passing) = (false, false);
    for (reason, role) in reasons.iter().zip(roles) {
        match reason.code().unwrap_or("None") {
            "None" => {}
            "ConditionalCheckFailed" => {
                refused = true;
                if let Err(error) = refusal.note(*role, reason.item()) {
                    return Some(Err(error));
                }
            }
            "TransactionConflict" => passing = true,
            code if is_throttling(Some(code)) => passing = true,
            _ => return None,
        }
    }
    match (refused, passing) {
        (true, _) => Some(Ok(Event::Refused(refusal))),
        (false, true) => Some(Ok(Event::Conflict)),
        (false, false) => None,
    }
}

impl Refusal {
    fn note(&mut self, role: Role, found: Option<&Item>) -> Result<(), StoreError> {
        let found = found.filter(|item| !item.is_empty());
        match role {
            Role::Header => self.header = HeaderCheck::Failed(found.map(parse_header).transpose()?),
            Role::Guard => self.guard = true,
            Role::Row(index) => self.rows.push((index, found.cloned().map(parse_record).transpose()?)),
            // Only a lost chunk fails here; the header has to be read again to say so.
            Role::Other => self.header = HeaderCheck::Failed(None),
        }
        Ok(())
    }
}

fn parse_header(item: &Item) -> Result<Header, StoreError> {
    let decided_at = || get_time(item, "decidedAt");
    let state = match get_text(item, "state")? {
        "PENDING" => State::Pending,
        "EXECUTED" => State::Executed { at: decided_at()?, by: get_text(item, "decidedBy")?.into() },
        "REJECTED" => {
            let reason = get_text(item, "reason").ok().map(str::to_owned);
            State::Rejected { at: decided_at()?, by: get_text(item, "decidedBy")?.into(), reason }
        }
        "STALE" => State::Stale { at: decided_at()? },
        "SUPERSEDED" => State::Superseded { at: decided_at()?, by: conversations::parse_id(item, "supersededBy")? },
        other => return Err(StoreError::Corrupt(format!("unknown state {other}"))),
    };
    let schema: u32 = get_number(item, "schema")?;
    if schema > SCHEMA {
        return Err(StoreError::Corrupt(format!("schema {schema} is newer than this program")));
    }
    let supersedes = item.contains_key("supersedes").then(|| conversations::parse_id(item, "supersedes"));
    Ok(Header {
        id: conversations::parse_id(item, "proposal")?,
        fingerprint: Fingerprint(get_text(item, "fingerprint")?.into()),
        user: get_text(item, "user")?.into(),
        conversation: get_text(item, "conversation")?.into(),
        created_at: get_time(item, "createdAt")?,
        expires_at: get_time(item, "expiresAt")?,
        supersedes: supersedes.transpose()?,
        state,
    })
}

fn state_name(state: &State) -> &'static str {
    match state {
        State::Pending => "PENDING",
        State::Executed { .. } => "EXECUTED",
        State::Rejected { .. } => "REJECTED",
        State::Stale { .. } => "STALE",
        State::Superseded { .. } => "SUPERSEDED",
    }
}

fn decision_attributes(header: &Header) -> Vec<(&'static str, AttributeValue)> {
    let at = |at: &Timestamp| ("decidedAt", millis(*at));
    match &header.state {
        State::Pending => vec![],
        State::Executed { at: time, by } => {
            let order = keys::receipt_order(&data_version(*time, &header.id));
            vec![at(time), ("decidedBy", text(by)), (BY_ORDER, text(order))]
        }
        State::Rejected { at: time, by, reason } => {
            let reason = reason.as_ref().map(|reason| ("reason", text(reason)));
            [at(time), ("decidedBy", text(by))].into_iter().chain(reason).collect()
        }
        State::Stale { at: time } => vec![at(time)],
        State::Superseded { at: time, by } => vec![at(time), ("supersededBy", text(by.as_str()))],
    }
}

fn kept_until(header: &Header) -> AttributeValue {
    match &header.state {
        State::Executed { at, .. } => ttl(*at, EXECUTED_KEPT),
        _ => ttl(header.expires_at, UNDECIDED_KEPT),
    }
}

/// An expression that adds to the month and to its days, and its values. `#sum` is a reserved word's stand-in.
pub(super) fn rollup_addition(delta: &Rollup) -> (String, HashMap<String, AttributeValue>) {
    let mut additions = vec!["#sum :sum".to_owned(), "n :n".to_owned()];
    let mut values = HashMap::from([(":sum".to_owned(), number(delta.sum)), (":n".to_owned(), number(delta.count))]);
    for (day, (sum, count)) in &delta.days {
        additions.push(format!("s{day:02} :s{day:02}, n{day:02} :n{day:02}"));
        values.insert(format!(":s{day:02}"), number(sum));
        values.insert(format!(":n{day:02}"), number(count));
    }
    (format!("ADD {}", additions.join(", ")), values)
}

fn put_action(put: PutBuilder) -> TransactWriteItem {
    TransactWriteItem::builder().put(put.build().expect("a table and an item are set")).build()
}

fn update_action(update: UpdateBuilder) -> TransactWriteItem {
    let update = update.build().expect("a table, a key and an expression are set");
    TransactWriteItem::builder().update(update).build()
}

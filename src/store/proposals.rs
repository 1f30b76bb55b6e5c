//! Loads proposals, and builds the transactions that the state machine asks for.

use std::{collections::HashMap, sync::Arc};

use jiff::{SignedDuration, Timestamp};

use super::{
    Bookkeeping, Item, StoreError, TenantStore,
    dynamodb::{
        Action, AttributeValue, DeleteItem, GetItem, PutItem, Query, ReturnOld, TransactWriteItems, UpdateItem,
    },
    failed, get_id, get_json, get_text,
    headers::{UNDECIDED_KEPT, decision_attributes, header_item, kept_until, parse_header, state_name},
    item, json,
    keys::{self, BY_NAME, BY_ORDER, PK, Partition, SK, TTL},
    millis, number,
    records::{LONG_NAME, record_item},
    text,
    transaction::{Role, Transaction, delete_action, put_action, read_failure, update_action},
    ttl,
};
use crate::proposal::{
    Approved, Event, Fence, Header, KeyChange, NameKey, Operation, Proposal, ProposalId, Record, Rollup, Settlement,
    State, StoreCall, UniqueKey, hash_json, key_changes, name_deltas, rollup_deltas,
};

/// The same content that is added twice within this time needs a yes, even if both requests came without a message id.
pub const GUARD_WINDOW: SignedDuration = SignedDuration::from_mins(5);

/// How often a proposal is read whose first chunk is not there.
const READ_ATTEMPTS: u8 = 5;

/// An approved proposal in the list of receipts.
#[derive(Debug)]
pub struct ListedReceipt {
    /// Its place in the list.
    pub data_version: String,
    /// An error if it cannot be read.
    pub header: Result<Header, StoreError>,
}

impl TenantStore<'_> {
    /// Performs one call of the state machine and returns its event. The caller handles `Pause` itself.
    pub async fn perform(&self, call: StoreCall, bookkeeping: &Bookkeeping) -> Result<Event, StoreError> {
        let transaction = match call {
            StoreCall::Load(id) => return read_event(self.load(&id).await),
            StoreCall::LoadChunk { id, chunk } => {
                return read_event(self.chunk(&id, &chunk).await.map(Event::LoadedChunk));
            }
            StoreCall::Commit(approved) if approved.starts_run() => {
                match self.keep_chunks(&approved.proposal().header).await {
                    Err(StoreError::Unavailable(_)) => return Ok(Event::Conflict),
                    kept => kept?,
                }
                self.commit(&approved)?
            }
            StoreCall::PutChunks { header, chunks } => return self.put_chunks(&header, &chunks).await,
            StoreCall::Pause { .. } => return Ok(Event::Woke),
            StoreCall::Put { proposal, settles } => self.put(&proposal, settles.as_ref(), bookkeeping),
            StoreCall::Settle(settlement) => self.settle(&settlement),
            StoreCall::Stop { header, stopped } => self.stop(&header, &stopped),
            StoreCall::Commit(approved) => self.commit(&approved)?,
        };
        self.send(transaction, bookkeeping).await
    }

    /// Reads the header and the first chunk in one strongly consistent query.
    pub async fn proposal(&self, id: &ProposalId) -> Result<Option<Proposal>, StoreError> {
        match self.load(id).await? {
            Event::Loaded(found) => Ok(found),
            _ => Err(StoreError::altered(id)),
        }
    }

    async fn load(&self, id: &ProposalId) -> Result<Event, StoreError> {
        // A query does not see all items of a transaction at once, so the chunk may appear a moment later. If it does
        // not, TTL has deleted it before its header, or it was lost. Then a run must end.
        let mut alone = None;
        for attempt in 0..READ_ATTEMPTS {
            self.store.dynamodb.pause_before(attempt).await;
            let Some((header, chunk)) = self.header_and_chunk(id).await? else { return Ok(Event::Loaded(None)) };
            let header = parse_header(&header)?;
            let Some(chunk) = chunk else {
                alone = Some(header).filter(Header::is_run_cut_off);
                continue;
            };
            let Ok(body) = get_json(&chunk, "body") else { return Ok(Event::Altered(header)) };
            let proposal = Proposal { header, body: Arc::new(body) };
            let is_intact = proposal.is_intact(self.tenant.as_str());
            return Ok(if is_intact { Event::Loaded(Some(proposal)) } else { Event::Altered(proposal.header) });
        }
        Ok(alone.map_or(Event::Loaded(None), Event::Altered))
    }

    async fn header_and_chunk(&self, id: &ProposalId) -> Result<Option<(Item, Option<Item>)>, StoreError> {
        let output = self
            .store
            .dynamodb
            .call(
                Query::new()
                    .table_name(&self.store.table)
                    .key_condition_expression("pk = :pk AND begins_with(sk, :id)")
                    .expression_attribute_values(":pk", text(self.proposals_key()))
                    .expression_attribute_values(":id", text(keys::header(id)))
                    .consistent_read(true)
                    .limit(2),
            )
            .await
            .map_err(failed)?;
        let mut items = output.items.into_iter();
        // TTL deletes item by item: a chunk without a header belongs to a deleted proposal.
        let is_header = |item: &Item| get_text(item, SK).is_ok_and(|sk| sk == keys::header(id));
        Ok(items.next().filter(is_header).map(|header| (header, items.next())))
    }

    /// The newest proposal that this user was shown for a tool and its arguments.
    pub async fn proposal_by_arguments(&self, user: &str, hash: &str) -> Result<Option<ProposalId>, StoreError> {
        let input = GetItem::new().table_name(&self.store.table).consistent_read(true);
        let input = input.key(PK, text(self.conversations_key())).key(SK, text(keys::arguments(user, hash)));
        let found = self.store.dynamodb.call(input).await.map_err(failed)?.item;
        found.map(|item| get_id(&item, "proposal")).transpose()
    }

    /// Approved proposals, newest first: those before the given data version, or the newest of all.
    pub async fn receipts(&self, before: Option<&str>, limit: usize) -> Result<Vec<ListedReceipt>, StoreError> {
        let high = keys::receipt_order(before.unwrap_or("~"));
        let input = Query::new()
            .table_name(&self.store.table)
            .index_name(BY_ORDER)
            .key_condition_expression("pk = :pk AND byOrder BETWEEN :low AND :high")
            .expression_attribute_values(":pk", text(self.proposals_key()))
            .expression_attribute_values(":low", text(keys::RECEIPTS))
            .expression_attribute_values(":high", text(&high))
            .consistent_read(true)
            .scan_index_forward(false)
            .limit(i32::try_from(limit + 1).unwrap_or(i32::MAX));
        let mut items = self.store.dynamodb.call(input).await.map_err(failed)?.items;
        // The bounds are inclusive.
        items.retain(|item| get_text(item, BY_ORDER).is_ok_and(|order| before.is_none() || order != high));
        let listed = |item: &Item| {
            let order = get_text(item, BY_ORDER)?;
            let data_version = order.strip_prefix(keys::RECEIPTS).unwrap_or(order).to_owned();
            Ok(ListedReceipt { data_version, header: parse_header(item) })
        };
        items.iter().take(limit).map(listed).collect()
    }

    /// The last proposals that this user approved, executed or still executing, newest first.
    pub async fn last_approved_by(&self, user: &str, limit: i32) -> Result<Vec<Header>, StoreError> {
        let input = Query::new()
            .table_name(&self.store.table)
            .index_name(BY_NAME)
            .key_condition_expression("pk = :pk AND begins_with(byName, :own)")
            .expression_attribute_values(":pk", text(self.proposals_key()))
            .expression_attribute_values(":own", text(keys::receipts_of_user(user)))
            .consistent_read(true)
            .scan_index_forward(false)
            .limit(limit);
        let items = self.store.dynamodb.call(input).await.map_err(failed)?.items;
        items.iter().map(parse_header).collect()
    }

    /// The data version of the newest receipt; none if nothing was ever written.
    pub async fn last_data_version(&self) -> Result<Option<String>, StoreError> {
        let output = self
            .store
            .dynamodb
            .call(
                Query::new()
                    .table_name(&self.store.table)
                    .index_name(BY_ORDER)
                    .key_condition_expression("pk = :pk AND begins_with(byOrder, :receipts)")
                    .expression_attribute_values(":pk", text(self.proposals_key()))
                    .expression_attribute_values(":receipts", text(keys::RECEIPTS))
                    .projection_expression(BY_ORDER)
                    .consistent_read(true)
                    .scan_index_forward(false)
                    .limit(1),
            )
            .await
            .map_err(failed)?;
        let last = output.items.into_iter().next();
        let order = last.as_ref().map(|item| get_text(item, BY_ORDER)).transpose()?;
        Ok(order.and_then(|order| order.strip_prefix(keys::RECEIPTS)).map(str::to_owned))
    }

    fn put(&self, proposal: &Proposal, settles: Option<&Settlement>, bookkeeping: &Bookkeeping) -> Transaction {
        let mut transaction = Transaction::default();
        self.put_new(&mut transaction, proposal);
        if let Some(settlement) = settles {
            self.settle_into(&mut transaction, settlement);
        }
        if proposal.header.state == State::Pending {
            transaction.push(Role::Other, self.put_waiting(proposal, bookkeeping));
        }
        for displaced in &bookkeeping.displaced {
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

    /// The write gate: rows, rollups and the proposal's own state change together, or nothing does.
    fn commit(&self, approved: &Approved) -> Result<Transaction, StoreError> {
        let mut transaction = Transaction::default();
        let header = &approved.proposal().header;
        let (State::Executed { at, .. } | State::Executing { at, .. }) = &header.state else {
            return Err(StoreError::Refused("only an approved proposal can be committed".into()));
        };
        match approved.fence() {
            Fence::Pending => {
                let update = self
                    .header_update(header)
                    .condition_expression("#state = :pending AND fingerprint = :fingerprint AND expiresAt > :now")
                    .expression_attribute_values(":now", millis(*at));
                transaction.push(Role::Header, update_action(update));
                transaction.push(Role::Other, self.keep_chunk(approved));
                transaction.push(Role::Other, self.delete_waiting(header));
                if approved.starts_run() {
                    self.open_run(&mut transaction, header, *at);
                }
            }
            Fence::Cursor(done) => {
                let update = self
                    .header_update(header)
                    .condition_expression("#state = :executing AND fingerprint = :fingerprint AND chunksDone = :done")
                    .expression_attribute_values(":done", number(done));
                transaction.push(Role::Header, update_action(update));
                transaction.push(Role::Other, self.keep_chunk(approved));
                if matches!(header.state, State::Executed { .. }) {
                    self.close_run(&mut transaction, &header.id);
                }
            }
            Fence::Absent { guards } => {
                self.put_new(&mut transaction, approved.proposal());
                for guard in guards {
                    transaction.push(Role::Guard, self.put_guard(guard, *at));
                }
            }
        }
        for (index, operation) in approved.indexed_operations() {
            transaction.push(Role::Row(index), self.row_action(operation)?);
        }
        for (key, change) in key_changes(approved.indexed_operations()) {
            let role = change.to.map_or(Role::Other, |(index, _)| Role::UniqueKey(index));
            transaction.push(role, self.unique_key_action(&key, change));
        }
        for (key, delta) in rollup_deltas(approved.operations()) {
            transaction.push(Role::Other, self.addition(&keys::rollup(&key), rollup_addition(&delta, *at)));
        }
        for (key, delta) in name_deltas(approved.operations()) {
            transaction.push(Role::Other, self.addition(&keys::name(&key), name_addition(&key, &delta, *at)));
        }
        Ok(transaction)
    }

    /// Header, chunk and the entry by which a client that knows no id finds the proposal.
    fn put_new(&self, transaction: &mut Transaction, proposal: &Proposal) {
        let (header, body) = (&proposal.header, &proposal.body);
        let mut item_of_header = header_item(&self.proposals_key(), header, self.store.audit);
        item_of_header.insert("chunks".into(), number(body.manifest.as_ref().map_or(1, |manifest| manifest.chunks)));
        let put = self.put_builder(item_of_header).condition_expression("attribute_not_exists(pk)");
        transaction.push(Role::Header, put_action(put));
        let chunk = item([
            (PK, text(self.proposals_key())),
            (SK, text(keys::first_chunk(&header.id))),
            ("schema", number(header.schema)),
            ("body", json(&**body)),
            (TTL, kept_until(header, self.store.audit)),
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

    fn put_guard(&self, duplicate_key: &str, now: Timestamp) -> Action {
        let guard = item([
            (PK, text(self.records_key())),
            (SK, text(keys::guard(duplicate_key))),
            ("addedAt", millis(now)),
            (TTL, ttl(now, GUARD_WINDOW)),
        ]);
        let put = self
            .put_builder(guard)
            .condition_expression("attribute_not_exists(pk) OR addedAt < :lapsed")
            .expression_attribute_values(":lapsed", millis(now - GUARD_WINDOW));
        put_action(put)
    }

    fn row_action(&self, operation: &Operation) -> Result<Action, StoreError> {
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
                let delete = DeleteItem::new()
                    .table_name(&self.store.table)
                    .key(PK, text(partition))
                    .key(SK, text(keys::record(&before.draft.kind, before.id)))
                    .condition_expression("version = :version")
                    .expression_attribute_values(":version", version(before))
                    .return_values_on_condition_check_failure(ReturnOld::AllOld);
                delete_action(delete)
            }
        })
    }

    /// Exists exactly while a row has the key. `id` is that row's id.
    pub(super) fn unique_key_item(&self, key: &UniqueKey, id: u64) -> Item {
        item([(PK, text(self.records_key())), (SK, text(keys::unique_key(key))), ("id", number(id))])
    }

    fn unique_key_action(&self, key: &UniqueKey, change: KeyChange) -> Action {
        let Some((_, id)) = change.to else {
            let delete = DeleteItem::new().table_name(&self.store.table);
            return delete_action(delete.key(PK, text(self.records_key())).key(SK, text(keys::unique_key(key))));
        };
        let put = PutItem::new().table_name(&self.store.table).item(self.unique_key_item(key, id));
        put_action(match change.from {
            None => put.condition_expression("attribute_not_exists(pk)"),
            Some(from) => {
                let put = put.condition_expression("id = :from");
                put.expression_attribute_values(":from", number(from))
            }
        })
    }

    fn addition(&self, sk: &str, (expression, values): Addition) -> Action {
        let update = UpdateItem::new()
            .table_name(&self.store.table)
            .key(PK, text(self.records_key()))
            .key(SK, text(sk))
            .update_expression(expression)
            .expression_attribute_names("#sum", "sum")
            .values(values);
        update_action(update)
    }

    /// A chunk is kept as long as its header, with its adjustments.
    fn keep_chunk(&self, approved: &Approved) -> Action {
        let header = &approved.proposal().header;
        let (partition, name) = match approved.chunk() {
            None => (self.proposals_key(), keys::first_chunk(&header.id)),
            Some(chunk) => (self.chunks_key(&header.id), keys::chunk(chunk)),
        };
        let mut update = UpdateItem::new()
            .table_name(&self.store.table)
            .key(PK, text(partition))
            .key(SK, text(name))
            // Without this condition, a chunk that was deleted would come back as an item with nothing but a `ttl`.
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_names("#ttl", TTL)
            .expression_attribute_values(":ttl", kept_until(header, self.store.audit));
        let mut expression = "SET #ttl = :ttl".to_owned();
        // The adjustments of the first chunk are in the header, which a request that loses a race reads anyway.
        if approved.chunk().is_some() && !approved.adjustments().is_none() {
            expression.push_str(", adjusted = :adjusted");
            update = update.expression_attribute_values(":adjusted", json(approved.adjustments()));
        }
        update_action(update.update_expression(expression))
    }

    /// The header's new state. The condition on its old state uses `:pending` or `:executing`.
    pub(super) fn header_update(&self, header: &Header) -> UpdateItem {
        let mut sets = vec!["#state = :state".to_owned(), "#ttl = :ttl".to_owned()];
        let in_run = matches!(&header.state, State::Executing { run, .. } if run.cursor > 0)
            || matches!(&header.state, State::Executed { run: Some(_), .. });
        let before = if in_run { (":executing", "EXECUTING") } else { (":pending", "PENDING") };
        let mut update = UpdateItem::new()
            .table_name(&self.store.table)
            .key(PK, text(self.proposals_key()))
            .key(SK, text(keys::header(&header.id)))
            .expression_attribute_names("#state", "state")
            .expression_attribute_names("#ttl", TTL)
            .expression_attribute_values(before.0, text(before.1))
            .expression_attribute_values(":fingerprint", text(&header.fingerprint.0))
            .expression_attribute_values(":state", text(state_name(&header.state)))
            .expression_attribute_values(":ttl", kept_until(header, self.store.audit))
            .return_values_on_condition_check_failure(ReturnOld::AllOld);
        for (name, value) in decision_attributes(header) {
            sets.push(format!("{name} = :{name}"));
            update = update.expression_attribute_values(format!(":{name}"), value);
        }
        update.update_expression(format!("SET {}", sets.join(", ")))
    }

    fn put_builder(&self, item: Item) -> PutItem {
        let put = PutItem::new().table_name(&self.store.table).item(item);
        put.return_values_on_condition_check_failure(ReturnOld::AllOld)
    }

    async fn send(&self, mut transaction: Transaction, bookkeeping: &Bookkeeping) -> Result<Event, StoreError> {
        for (role, put) in self.bookkeeping_puts(bookkeeping) {
            transaction.push(role, put_action(put));
        }
        // The SDK must not repeat the call: the state machine decides that and needs to know of every missing answer.
        // The condition on the header makes a repetition safe, so no client request token is needed.
        let input = TransactWriteItems::new().transact_items(transaction.actions);
        match self.store.dynamodb.call_once(input).await {
            Ok(_) => Ok(Event::Committed),
            Err(error) => read_failure(error, &transaction.roles),
        }
    }

    pub(super) fn proposals_key(&self) -> String {
        Partition::proposals(self.tenant).as_str().to_owned()
    }
}

/// A read without an answer is as uncertain as a write without one.
fn read_event(read: Result<Event, StoreError>) -> Result<Event, StoreError> {
    match read {
        Err(StoreError::Unavailable(_)) => Ok(Event::Unknown),
        read => read,
    }
}

/// An update expression that adds to sums, and its values. `#sum` stands for a reserved word. `v` counts the changes, so
/// that a repair can detect a concurrent one. It begins at the time of the first change, in milliseconds, so that a sum
/// that was deleted and is made again never has an earlier `v`.
pub(super) type Addition = (String, HashMap<String, AttributeValue>);

pub(super) fn rollup_addition(delta: &Rollup, at: Timestamp) -> Addition {
    let mut additions = vec!["#sum :sum".to_owned(), "n :n".to_owned()];
    let counting = [(":began", millis(at)), (":one", number(1))];
    let values = [(":sum", number(delta.sum)), (":n", number(delta.count))].into_iter().chain(counting);
    let mut values: HashMap<String, AttributeValue> = values.map(|(name, value)| (name.to_owned(), value)).collect();
    for (day, (sum, count)) in &delta.days {
        additions.push(format!("s{day:02} :s{day:02}, n{day:02} :n{day:02}"));
        values.insert(format!(":s{day:02}"), number(sum));
        values.insert(format!(":n{day:02}"), number(count));
    }
    for (day, part) in delta.parts.iter().filter(|(_, part)| **part != 0) {
        additions.push(format!("p{day:02} :p{day:02}"));
        values.insert(format!(":p{day:02}"), number(part));
    }
    (format!("ADD {} SET v = if_not_exists(v, :began) + :one", additions.join(", ")), values)
}

/// Also stores a name that is too long for the key.
pub(super) fn name_addition(key: &NameKey, delta: &Rollup, at: Timestamp) -> Addition {
    let (mut expression, mut values) = rollup_addition(delta, at);
    if keys::is_hashed(&key.name) {
        expression.push_str(&format!(", {LONG_NAME} = :name"));
        values.insert(":name".into(), text(&key.name));
    }
    (expression, values)
}

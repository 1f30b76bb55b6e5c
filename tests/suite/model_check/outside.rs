//! Events outside the service that change the table: another writer, DynamoDB's TTL, and loss.

use sayso::proposal::{Chunk, Operation, ProposalId, State};

use super::{
    memo::Id,
    people::changed,
    table::{KeptChunk, Table, chunks_done},
    undo,
    world::{Check, Happening, World},
};

impl Check {
    pub fn possible_from_outside(&self, world: &World, happenings: &mut Vec<Happening>) {
        let table = self.memos.tables.get(world.table);
        if world.writes > 0 {
            let present = |rows: &[u64]| rows.iter().copied().filter(|row| table.rows.contains_key(row)).collect();
            let (edited, touched, removed): (Vec<_>, Vec<_>, Vec<_>) =
                (present(&self.edited), present(&self.touched), present(&self.removed));
            happenings.extend(edited.into_iter().map(Happening::Edited));
            happenings.extend(touched.into_iter().map(Happening::Touched));
            happenings.extend(removed.into_iter().map(Happening::Removed));
        }
        if self.forgets {
            for (p, header) in table.headers.values().enumerate() {
                if header.state == State::Pending {
                    happenings.push(Happening::HeaderDeleted(p));
                }
            }
            for (p, id) in table.bodies.keys().enumerate() {
                if table.headers.get(id).is_none_or(|header| header.state == State::Pending) {
                    happenings.push(Happening::ChunksDeleted(p));
                }
            }
        }
        if world.damages > 0 {
            for (c, _) in table.chunks.iter().enumerate() {
                happenings.push(Happening::ChunkLost(c));
                if self.alters {
                    happenings.push(Happening::ChunkAltered(c));
                }
            }
            happenings.extend((0..table.bodies.len()).map(Happening::FirstLost));
            if self.alters {
                happenings.extend((0..table.bodies.len()).map(Happening::FirstAltered));
            }
        }
    }

    /// Applies an outside event to the table.
    pub fn happen(&self, table: Id, happening: Happening) -> Id {
        let name = self.memos.happenings.id(happening);
        self.memos.happened.get(table, name, || {
            let mut stored = Table::clone(&self.memos.tables.get(table));
            match happening {
                Happening::Edited(id) | Happening::Touched(id) => {
                    let before = stored.rows[&id].clone();
                    let mut after = before.clone();
                    after.version += 1;
                    if matches!(happening, Happening::Edited(_)) {
                        after.draft = changed(&before.draft);
                    }
                    stored.rows.insert(id, after.clone());
                    stored.add_to_rollups(&[Operation::Update { before, after }]);
                }
                Happening::Removed(id) => {
                    let before = stored.rows.remove(&id).expect("it was there");
                    let deleted = Operation::Delete { before };
                    stored.move_keys([(0, &deleted)]);
                    stored.add_to_rollups(&[deleted]);
                }
                Happening::HeaderDeleted(p) => {
                    let id = stored.headers.keys().nth(p).expect("it was there").clone();
                    stored.headers.remove(&id);
                    stored.history.forgotten.insert(id);
                }
                Happening::ChunksDeleted(p) => {
                    let id = stored.bodies.keys().nth(p).expect("it was there").clone();
                    stored.history.forgotten.insert(id.clone());
                    stored.bodies.remove(&id);
                    stored.chunks.retain(|(of, _), _| *of != id);
                }
                Happening::ChunkLost(c) | Happening::ChunkAltered(c) => {
                    let name = stored.chunks.keys().nth(c).expect("it was there").clone();
                    stored.history.damaged.insert(name.0.clone());
                    if matches!(happening, Happening::ChunkLost(_)) {
                        let lost = stored.chunks.remove(&name).expect("it was there");
                        stored.lose(&name.0, &lost);
                    } else if let Some(chunk) = stored.chunks.get_mut(&name).and_then(|kept| kept.content.as_mut()) {
                        stored.history.altered = true;
                        *chunk = Chunk { changes: undo::tampered(&chunk.changes), next: chunk.next.clone() };
                    }
                }
                Happening::FirstLost(p) => {
                    let id = stored.bodies.keys().nth(p).expect("it was there").clone();
                    stored.history.damaged.insert(id.clone());
                    stored.bodies.remove(&id);
                    if stored.headers.get(&id).is_none_or(|header| header.chunks_done() == 0) {
                        stored.history.lost.insert(id, 0);
                    }
                }
                Happening::FirstAltered(p) => {
                    let (id, body) = stored.bodies.iter_mut().nth(p).expect("it was there");
                    stored.history.damaged.insert(id.clone());
                    stored.history.altered = true;
                    let mut altered = (*body.body).clone();
                    altered.changes = undo::tampered(&altered.changes);
                    (body.body, body.intact) = (altered.into(), false);
                }
                _ => panic!("that does not happen to the table"),
            }
            self.memos.tables.id(stored)
        })
    }
}

impl Table {
    fn lose(&mut self, id: &ProposalId, lost: &KeptChunk) {
        let Some(header) = self.headers.get(id) else { return };
        let content = lost.content.as_ref().map(|chunk| chunk.changes.operations());
        let shown = self.history.shown(header).expect("all that is stored was shown");
        let number = shown.iter().position(|chunk| Some(chunk.as_slice()) == content);
        if let Some(number) = number.filter(|number| chunks_done(header).unwrap_or_default() <= *number) {
            self.history.lost.insert(id.clone(), number);
        }
    }
}

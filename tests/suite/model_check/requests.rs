//! Requests: how they begin, the events they receive, and the table's answers. Each is computed once.

use sayso::proposal::{Decision, Event, Outcome, Policy, Progress, ProposalStatus, Revision, StoreCall, Task, step};

use super::{
    memo::{Id, Interned, Memo},
    people::me,
    rules::Met,
    table::{Served, Table},
    undo,
    world::{Check, Happening, SEATS, Step},
};

/// Of one call.
const MOST_CHUNKS: usize = 4;

/// Events that need no table. Their ids are their positions, from 1.
const PLAIN: [Event; 5] = [Event::Committed, Event::Conflict, Event::Unknown, Event::OutOfTime, Event::Woke];
pub const COMMITTED: Id = 1;
pub const CONFLICT: Id = 2;
pub const UNKNOWN: Id = 3;
pub const OUT_OF_TIME: Id = 4;
const WOKE: Id = 5;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Request {
    pub progress: Progress,
    pub call: Option<StoreCall>,
}

/// Facts about a request that are needed often.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facts {
    pub call: Id,
    pub reads: bool,
    pub chunks: u8,
    pub can_wait: bool,
    pub ended: bool,
    pub rebased: bool,
    pub busy: bool,
    /// Whether its answer says that something was or may have been written.
    pub tells: bool,
    pub met: u64,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct TableFacts {
    pub broken: u32,
    pub has_effects: bool,
}

pub struct Memos {
    pub tables: Interned<Table>,
    pub requests: Interned<Request>,
    pub calls: Interned<StoreCall>,
    pub events: Interned<Event>,
    pub happenings: Interned<Happening>,
    pub facts: Memo<Facts>,
    /// Table and call → table and event.
    pub served: Memo<(Id, Id)>,
    pub arrived: [Memo<Id>; MOST_CHUNKS],
    pub received: Memo<Id>,
    pub happened: Memo<Id>,
    pub begun: [Memo<Option<(Id, Id)>>; SEATS],
    pub of_tables: Memo<TableFacts>,
    pub answers_broken: Memo<u32>,
}

impl Default for Memos {
    fn default() -> Memos {
        let events = Interned::default();
        for event in PLAIN {
            events.id(event);
        }
        Memos {
            tables: Interned::default(),
            requests: Interned::default(),
            calls: Interned::default(),
            events,
            happenings: Interned::default(),
            facts: Memo::default(),
            served: Memo::default(),
            arrived: Default::default(),
            received: Memo::default(),
            happened: Memo::default(),
            begun: Default::default(),
            of_tables: Memo::default(),
            answers_broken: Memo::default(),
        }
    }
}

impl Check {
    /// None if the step needs no request.
    pub fn begin(&self, table: Id, n: usize, step: u8) -> Option<(Id, Id)> {
        self.memos.begun[n].get(table, step.into(), || {
            let mut stored = Table::clone(&self.memos.tables.get(table));
            let progress = match self.seats[n].get(usize::from(step))?.clone() {
                Step::Ask { at, by, task } | Step::Message { at, by, task } => {
                    match &task {
                        Task::Submit { proposal, rest, .. } => stored.history.show(proposal, rest),
                        Task::Decide { decision: Decision::Revise(Revision { proposal: revision, rest }), .. } => {
                            stored.history.show(revision, rest);
                        }
                        _ => {}
                    }
                    Progress::new(by, at, task)
                }
                Step::Resume { at, id } => Progress::resume(id, at),
                Step::Undo { at, of, id } => {
                    let (proposal, rest) = undo::plan(&stored, &of, id, at)?;
                    stored.history.show(&proposal, &rest);
                    Progress::new(me(), at, Task::Submit { proposal, rest, policy: Policy::Always })
                }
                Step::Approve { at, id } => {
                    let fingerprint = stored.headers.get(&id).map(|header| header.fingerprint.clone());
                    Progress::new(me(), at, Task::Decide { id, fingerprint, decision: Decision::Approve })
                }
            };
            Some((self.memos.tables.id(stored), self.start_request(progress)))
        })
    }

    pub fn start_request(&self, progress: Progress) -> Id {
        let (progress, call) = step(progress, Event::Begin);
        self.memos.requests.id(Request { progress, call })
    }

    pub fn facts(&self, request: Id) -> Facts {
        if request == 0 {
            return Facts::default();
        }
        self.memos.facts.get(0, request, || {
            let request = self.memos.requests.get(request);
            let outcome = request.progress.outcome();
            let Some(call) = &request.call else {
                return Facts {
                    ended: true,
                    busy: matches!(outcome, Some(Outcome::Busy)),
                    tells: outcome.is_some_and(tells),
                    met: outcome.map_or(0, Met::of_outcome),
                    ..Facts::default()
                };
            };
            Facts {
                call: self.memos.calls.id(call.clone()),
                reads: matches!(call, StoreCall::Load(_) | StoreCall::LoadChunk { .. }),
                chunks: match call {
                    StoreCall::PutChunks { chunks, .. } => u8::try_from(chunks.len()).expect("there are few"),
                    _ => 0,
                },
                can_wait: call.can_wait(),
                rebased: matches!(call, StoreCall::Commit(approved) if !approved.adjustments().versions.is_empty()),
                ..Facts::default()
            }
        })
    }

    /// The table after a call, and the event. 0 is an error that ends the request.
    pub fn serve(&self, table: Id, call: Id) -> (Id, Id) {
        self.memos.served.get(table, call, || {
            let mut stored = Table::clone(&self.memos.tables.get(table));
            let served = stored.serve(&self.memos.calls.get(call), self.without);
            let event = match served {
                Served::Said(event) => self.memos.events.id(event),
                Served::Failed => 0,
            };
            (self.memos.tables.id(stored), event)
        })
    }

    /// One of the chunks that a call writes arrives.
    pub fn arrive(&self, table: Id, call: Id, chunk: usize) -> Id {
        self.memos.arrived[chunk].get(table, call, || {
            let mut stored = Table::clone(&self.memos.tables.get(table));
            let call = self.memos.calls.get(call);
            let StoreCall::PutChunks { header, chunks } = &*call else { panic!("it writes no chunks") };
            stored.put_chunk(&header.id, &chunks[chunk]);
            self.memos.tables.id(stored)
        })
    }

    /// A pause ends at once, because the following read is the only visible effect.
    pub fn receive(&self, request: Id, event: Id) -> Id {
        if event == 0 {
            return 0;
        }
        self.memos.received.get(request, event, || {
            let before = self.memos.requests.get(request);
            let (progress, call) = step(before.progress.clone(), Event::clone(&self.memos.events.get(event)));
            let pauses = matches!(call, Some(StoreCall::Pause { .. }));
            let after = self.memos.requests.id(Request { progress, call });
            if pauses { self.receive(after, WOKE) } else { after }
        })
    }

    /// Runs a request to its end without failures. None if it does not end.
    pub fn finish(&self, mut table: Id, mut request: Id) -> Option<(Id, Id)> {
        for _ in 0..50 {
            let facts = self.facts(request);
            if facts.ended || request == 0 {
                return Some((table, request));
            }
            if facts.chunks > 0 {
                table = (0..usize::from(facts.chunks)).fold(table, |table, k| self.arrive(table, facts.call, k));
                request = self.receive(request, COMMITTED);
            } else {
                let (next, event) = self.serve(table, facts.call);
                (table, request) = (next, self.receive(request, event));
            }
        }
        None
    }
}

fn tells(outcome: &Outcome) -> bool {
    match outcome {
        // An error does not tell what was written.
        Outcome::Executed { .. } | Outcome::Executing(_) | Outcome::Unknown | Outcome::Altered(_) => true,
        Outcome::Closed(proposal) => {
            let standing = proposal.header.status(proposal.header.created_at);
            matches!(
                standing,
                ProposalStatus::Executing
                    | ProposalStatus::Executed
                    | ProposalStatus::Partial
                    | ProposalStatus::Stopped
            )
        }
        _ => false,
    }
}

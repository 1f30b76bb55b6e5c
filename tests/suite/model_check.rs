//! The state machine that the service runs, under every interleaving of a few requests with lost, late and refused
//! store calls, killed processes, another writer and expiry. The store is a model of DynamoDB's conditions.

use jiff::{SignedDuration, Timestamp};
use sayso::{
    identity::{Caller, ClaimNames, VerifiedClaims},
    proposal::{
        Approved, Audience, Call, Change, ChangeSet, Draft, Event, Fence, HeaderCheck, Outcome, Policy, Progress,
        Proposal, ProposalBody, ProposalId, Record, Refusal, Settlement, Standing, State, StoreCall, Task, Verdict,
        number, step,
    },
};
use serde_json::json;
use stateright::{Checker, Model, Property};

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct World {
    stored: Option<Proposal>,
    revision: Option<Proposal>,
    row: Record,
    /// How often the operation took effect.
    effects: u8,
    guarded: bool,
    requests: Vec<Request>,
    /// Things that may still go wrong.
    faults_left: u8,
    another_writer: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Request {
    progress: Progress,
    call: Option<StoreCall>,
    /// Sent, given up by the sender, and still on its way.
    late: Option<StoreCall>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Happening {
    Served(usize),
    Conflict(usize),
    LostBefore(usize),
    LostAfter(usize),
    Late(usize),
    LateArrives(usize),
    /// The process is killed and the client asks again.
    Restarted(usize),
    RowChanged,
    /// DynamoDB's TTL deletes an expired proposal.
    Deleted,
}

struct Check {
    stored: Option<Proposal>,
    requests: Vec<(Timestamp, Task)>,
    faults: u8,
    another_writer: bool,
}

fn now() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn me() -> Caller {
    let names = ClaimNames { tenant: "tenant".into(), user: "user".into(), roles: Some("roles".into()) };
    let claims = [("tenant", "t"), ("user", "me"), ("roles", "member")];
    let claims = claims.map(|(name, claim)| (name.to_owned(), json!(claim)));
    Caller::from_claims(&VerifiedClaims(claims.into()), &names).unwrap()
}

fn draft(amount: i64) -> Draft {
    Draft {
        kind: "E".into(),
        owner: "me".into(),
        body: [("minor".to_owned(), json!(amount))].into(),
        date: jiff::civil::date(2026, 11, 20),
        rollups: vec![],
        likeness: Some("coffee".into()),
    }
}

fn row() -> Record {
    Record { id: 1, version: 1, draft: draft(350) }
}

fn proposal(id: u8, change: Change) -> Proposal {
    let changes = ChangeSet::new(number(vec![change], [("E".to_owned(), 2)].into(), Timestamp::UNIX_EPOCH)).unwrap();
    let call = Call { tool: "update_expense".into(), arguments: json!({}) };
    let audience = Audience { tenant: "t", user: "me", conversation: "default" };
    Proposal::new(
        ProposalId::random([id; 16]),
        audience,
        ProposalBody { call, notes: vec![], changes, manifest: None },
        now(),
    )
}

fn update() -> Proposal {
    proposal(1, Change::Update { before: row(), after: draft(400) })
}

fn create() -> Proposal {
    proposal(1, Change::Create(draft(500)))
}

fn decide(verdict: Verdict) -> (Timestamp, Task) {
    let proposal = update();
    let fingerprint = Some(proposal.header.fingerprint);
    (now(), Task::Decide { id: proposal.header.id, fingerprint, verdict })
}

fn reject() -> Verdict {
    Verdict::Reject { reason: None }
}

fn revise() -> Verdict {
    let revision = Box::new(proposal(2, Change::Update { before: row(), after: draft(450) }));
    Verdict::Revise { revision, rest: [].into() }
}

fn too_late(request: (Timestamp, Task)) -> (Timestamp, Task) {
    (update().header.expires_at + SignedDuration::from_millis(1), request.1)
}

impl Request {
    fn start(at: Timestamp, task: Task) -> Request {
        let (progress, call) = step(Progress::new(me(), at, task), Event::Begin);
        Request { progress, call, late: None }
    }

    fn hear(&mut self, event: Event) {
        let (progress, call) = step(self.progress.clone(), event);
        (self.progress, self.call) = (progress, call);
    }
}

impl World {
    /// DynamoDB: all conditions are looked at together, and all effects happen or none.
    fn serve(&mut self, call: &StoreCall) -> Event {
        match call {
            StoreCall::Load(id) => Event::Loaded(self.find(id)),
            StoreCall::Pause { .. } => Event::Woke,
            StoreCall::Put { proposal, settles } => {
                let standing = settles.as_ref().map(|settlement| self.check_pending(settlement));
                let taken = self.find(&proposal.header.id).map(|standing| standing.header);
                match (standing, taken) {
                    (Some(HeaderCheck::Failed(header)), _) => refused(header),
                    (_, Some(header)) => refused(Some(header)),
                    (standing, None) => {
                        if standing.is_some() {
                            self.settle(settles.as_ref().unwrap());
                            self.revision = Some(proposal.clone());
                        } else {
                            self.stored = Some(proposal.clone());
                        }
                        Event::Committed
                    }
                }
            }
            StoreCall::Settle(settlement) => match self.check_pending(settlement) {
                HeaderCheck::Failed(header) => refused(header),
                HeaderCheck::Passed => {
                    self.settle(settlement);
                    Event::Committed
                }
            },
            StoreCall::Commit(approved) => self.commit(approved),
            other => panic!("nothing here has several chunks: {other:?}"),
        }
    }

    fn commit(&mut self, approved: &Approved) -> Event {
        let proposal = approved.proposal();
        let standing = self.find(&proposal.header.id).map(|proposal| proposal.header);
        let State::Executed { at, .. } = &proposal.header.state else { panic!("only EXECUTED is committed") };
        let mut refusal = Refusal::default();
        match approved.fence() {
            Fence::Absent { .. } if standing.is_some() => refusal.header = HeaderCheck::Failed(standing),
            Fence::Absent { guards } => refusal.guard = self.guarded && !guards.is_empty(),
            Fence::Cursor(_) => panic!("nothing here has several chunks"),
            Fence::Pending => {
                let passes = standing.as_ref().is_some_and(|header| {
                    header.state == State::Pending
                        && header.fingerprint == proposal.header.fingerprint
                        && header.expires_at > *at
                });
                if !passes {
                    refusal.header = HeaderCheck::Failed(standing);
                }
            }
        }
        let before = proposal.body.changes.operations()[0].before();
        if before.is_some_and(|before| before.version != self.row.version) {
            refusal.rows.push((0, Some(self.row.clone())));
        }
        if refusal != Refusal::default() {
            return Event::Refused(refusal);
        }
        self.stored = Some(proposal.clone());
        self.guarded = true;
        self.effects += 1;
        if let (Some(_), Some(after)) = (before, proposal.body.changes.operations()[0].after()) {
            self.row = after.clone();
        }
        Event::Committed
    }

    fn find(&self, id: &ProposalId) -> Option<Proposal> {
        [&self.stored, &self.revision].into_iter().flatten().find(|proposal| proposal.header.id == *id).cloned()
    }

    fn check_pending(&self, settlement: &Settlement) -> HeaderCheck {
        match self.find(&settlement.header.id) {
            Some(standing)
                if standing.header.state == State::Pending
                    && standing.header.fingerprint == settlement.header.fingerprint =>
            {
                HeaderCheck::Passed
            }
            other => HeaderCheck::Failed(other.map(|proposal| proposal.header)),
        }
    }

    fn settle(&mut self, settlement: &Settlement) {
        let standing = self.stored.take().unwrap();
        self.stored = Some(standing.with_header(settlement.header.clone()));
    }

    fn ended(&self, is: impl Fn(&Outcome) -> bool) -> bool {
        self.requests.iter().any(|request| request.progress.outcome().is_some_and(&is))
    }
}

fn refused(header: Option<sayso::proposal::Header>) -> Event {
    Event::Refused(Refusal { header: HeaderCheck::Failed(header), ..Refusal::default() })
}

impl Model for Check {
    type State = World;
    type Action = Happening;

    fn init_states(&self) -> Vec<World> {
        let requests = self.requests.iter().map(|(at, task)| Request::start(*at, task.clone())).collect();
        vec![World {
            stored: self.stored.clone(),
            revision: None,
            row: row(),
            effects: 0,
            guarded: false,
            requests,
            faults_left: self.faults,
            another_writer: self.another_writer,
        }]
    }

    fn actions(&self, world: &World, happenings: &mut Vec<Happening>) {
        for (n, request) in world.requests.iter().enumerate() {
            if request.call.is_some() {
                happenings.push(Happening::Served(n));
            }
            if request.late.is_some() {
                happenings.push(Happening::LateArrives(n));
            }
            if request.call.is_none() || world.faults_left == 0 {
                continue;
            }
            happenings.push(Happening::Restarted(n));
            if !matches!(request.call, Some(StoreCall::Pause { .. })) {
                happenings.extend([Happening::Conflict(n), Happening::LostBefore(n), Happening::LostAfter(n)]);
                if request.late.is_none() {
                    happenings.push(Happening::Late(n));
                }
            }
        }
        if world.another_writer {
            happenings.push(Happening::RowChanged);
        }
        let expired = world.stored.as_ref().is_some_and(|proposal| proposal.header.state == State::Pending);
        if expired && self.requests.iter().any(|(at, _)| *at > now()) {
            happenings.push(Happening::Deleted);
        }
    }

    fn next_state(&self, world: &World, happening: Happening) -> Option<World> {
        let mut world = world.clone();
        let fault = !matches!(
            happening,
            Happening::Served(_) | Happening::LateArrives(_) | Happening::RowChanged | Happening::Deleted
        );
        world.faults_left -= u8::from(fault);
        match happening {
            Happening::Served(n) => {
                let event = world.serve(&world.requests[n].call.clone()?);
                world.requests[n].hear(event);
            }
            Happening::Conflict(n) => world.requests[n].hear(Event::Conflict),
            Happening::LostBefore(n) => world.requests[n].hear(Event::Unknown),
            Happening::LostAfter(n) => {
                world.serve(&world.requests[n].call.clone()?);
                world.requests[n].hear(Event::Unknown);
            }
            Happening::Late(n) => {
                world.requests[n].late = world.requests[n].call.clone();
                world.requests[n].hear(Event::Unknown);
            }
            Happening::LateArrives(n) => {
                let call = world.requests[n].late.take()?;
                world.serve(&call);
            }
            Happening::Restarted(n) => {
                let (at, task) = self.requests[n].clone();
                world.requests[n] = Request { late: world.requests[n].call.clone(), ..Request::start(at, task) };
            }
            Happening::RowChanged => {
                world.row.version += 1;
                world.another_writer = false;
            }
            Happening::Deleted => world.stored = None,
        }
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Check>> {
        let mut properties = vec![
            Property::<Check>::always("at most one effect", |_, world| world.effects <= 1),
            Property::<Check>::always("what is acknowledged is stored", |_, world| {
                !world.ended(|outcome| matches!(outcome, Outcome::Executed { .. })) || world.effects == 1
            }),
            Property::<Check>::always("an acknowledged rejection means no effect", |_, world| {
                !world.ended(|outcome| matches!(outcome, Outcome::Rejected(_))) || world.effects == 0
            }),
            Property::<Check>::always("stale means no effect", |_, world| {
                !world.ended(|outcome| matches!(outcome, Outcome::Stale { .. })) || world.effects == 0
            }),
            Property::<Check>::always("an effect leaves an executed proposal", |_, world| {
                let executed = world.stored.as_ref().map(|proposal| proposal.header.standing(now()));
                world.effects == 0 || executed == Some(Standing::Executed)
            }),
            Property::<Check>::always("a row changes by one version at most once", |_, world| world.row.version <= 3),
            Property::<Check>::always("an ended request asks for nothing more", |_, world| {
                world.requests.iter().all(|request| request.progress.outcome().is_none() == request.call.is_some())
            }),
        ];
        // Against vacuity: each of these has to be reached.
        properties.push(Property::<Check>::sometimes("everybody is answered", |_, world| {
            world.requests.iter().all(|request| request.progress.outcome().is_some())
        }));
        properties.push(Property::<Check>::sometimes(
            "a late call arrives after everybody was answered",
            |_, world| {
                world.requests.iter().all(|request| request.progress.outcome().is_some())
                    && world.requests.iter().any(|request| request.late.is_some())
            },
        ));
        properties
    }
}

type Met = (&'static str, fn(&Outcome) -> bool);

/// Explores everything, and that each of these outcomes is met somewhere.
fn explore(check: Check, met: &[Met], at_least: usize) {
    use std::sync::{Arc, Mutex};
    let reached: Arc<Mutex<Vec<bool>>> = Arc::new(Mutex::new(vec![false; met.len()]));
    let (seen, wanted) = (reached.clone(), met.to_vec());
    let visitor = move |path: stateright::Path<World, Happening>| {
        let mut seen = seen.lock().unwrap();
        for (seen, (_, is)) in seen.iter_mut().zip(&wanted) {
            *seen = *seen || path.last_state().ended(is);
        }
    };
    let checker = check.checker().visitor(visitor).spawn_bfs().join();
    checker.assert_properties();
    let states = checker.unique_state_count();
    println!("{states} states");
    for ((name, _), reached) in met.iter().zip(reached.lock().unwrap().iter()) {
        assert!(reached, "no run ends {name}");
    }
    assert!(states >= at_least, "only {states} states");
}

const EXECUTED: Met = ("executed", |o| matches!(o, Outcome::Executed { replayed: false, .. }));
const REPLAYED: Met = ("replayed", |o| matches!(o, Outcome::Executed { replayed: true, .. }));
const REJECTED: Met = ("rejected", |o| matches!(o, Outcome::Rejected(_)));
const STALE: Met = ("stale", |o| matches!(o, Outcome::Stale { .. }));
const CLOSED: Met = ("closed", |o| matches!(o, Outcome::Closed(_)));
const EXPIRED: Met = ("expired", |o| matches!(o, Outcome::Expired(_)));
const NOT_FOUND: Met = ("not found", |o| matches!(o, Outcome::NotFound));
const WAITING: Met = ("waiting", |o| matches!(o, Outcome::Waiting(_)));

#[test]
fn two_approvals_with_another_writer_have_one_effect() {
    let requests = vec![decide(Verdict::Approve), decide(Verdict::Approve)];
    let check = Check { stored: Some(update()), requests, faults: 2, another_writer: true };
    explore(check, &[EXECUTED, REPLAYED, STALE, CLOSED], 3_000);
}

#[test]
fn approval_rejection_and_revision_have_one_winner() {
    let requests = vec![decide(Verdict::Approve), decide(reject()), decide(revise())];
    let check = Check { stored: Some(update()), requests, faults: 1, another_writer: false };
    explore(check, &[EXECUTED, REJECTED, WAITING, CLOSED], 1_000);
}

#[test]
fn an_approval_too_late_finds_it_expired_or_gone() {
    let requests = vec![decide(Verdict::Approve), too_late(decide(Verdict::Approve))];
    let check = Check { stored: Some(update()), requests, faults: 2, another_writer: false };
    explore(check, &[EXECUTED, REPLAYED, EXPIRED, NOT_FOUND], 1_000);
}

#[test]
fn the_same_message_executed_at_once_twice_has_one_effect() {
    let submit = || (now(), Task::Submit { proposal: create(), rest: [].into(), policy: Policy::Risky });
    let check = Check { stored: None, requests: vec![submit(), submit()], faults: 2, another_writer: false };
    explore(check, &[EXECUTED, REPLAYED], 1_000);
}

#[test]
fn the_same_proposal_made_twice_is_one() {
    let submit = || (now(), Task::Submit { proposal: create(), rest: [].into(), policy: Policy::Always });
    let check = Check { stored: None, requests: vec![submit(), submit()], faults: 2, another_writer: false };
    explore(check, &[WAITING], 500);
}

//! Changing and deleting expenses that are there, by their number or by a description.
//!
//! Which rows a description fits is for the tools to find out.

use jiff::civil::Date;
use serde_json::{Map, Value};

use super::{
    Call, Question, Reply,
    draft::{Said, currency_alone},
    entries,
    fields::{PLACE, cost_after, cost_in, field, is_money},
    one,
    options::{self, Asking},
    orders::{Order, points_at_it},
    parts,
    questions::{which_amount, which_day},
    rows::{both, offered, picked},
    shown_rows::joined,
    small_talk, speech,
    wording::{self, WHICH_TO_DELETE},
};
use crate::{
    only::Only,
    phrases::{Class, CurrencyMention, DateMention, DateRange, DateReading, Reader, Reading},
    sorted::Collect,
};

mod several;
mod values;

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Changing {
    deletes: bool,
    ids: Vec<u64>,
    description: Option<String>,
    /// What it costs, where that points at it.
    cost: Option<String>,
    date: Option<DateReading>,
    /// The days that it is one of.
    span: Option<DateRange>,
    /// "The one from Thursday": its day is enough to find it.
    is_dated: bool,
    /// The one that was written last, whenever that was.
    is_last: bool,
    field: Option<&'static str>,
    changes: Map<String, Value>,
    /// What is not settled about the new value.
    question: Option<Question>,
    /// A new value that may be of several fields.
    unplaced: Option<String>,
    /// What "the tea was 4" is said of.
    pub corrects: Option<String>,
    /// An entry that comes back is meant, and no expense.
    recurring: Option<Map<String, Value>>,
    /// It cannot be done here, and this is why.
    declined: Option<&'static str>,
    /// What else is to change, said in the same message.
    others: Vec<Changing>,
}

impl Changing {
    pub fn read(command: &str, reader: Reader) -> Option<Self> {
        Self::of_all(Order::all(command, reader), reader)
    }

    pub fn of_all(orders: Vec<Order>, reader: Reader) -> Option<Self> {
        let are_several = orders.len() > 1;
        let Order { files: is_filed, which: first, .. } = orders.first()?.clone();
        let changes = orders.into_iter().map(|order| {
            let points = order.points() || order.which == first;
            Some((points, Self::ordered(order, reader)?))
        });
        let mut changes = changes.collect::<Option<Vec<_>>>()?.into_iter();
        let (_, mut first) = changes.next()?;
        for (points, next) in changes {
            first.goes_on(points, next, reader);
        }
        // "Put it in books" may answer which category a part is in.
        if !are_several && is_filed && !first.has_target() && first.declined.is_none() {
            return None;
        }
        if are_several && (first.deletes || first.declined.is_some()) {
            return Some(Self { declined: Some(wording::ONE_CHANGE), ..Self::default() });
        }
        Some(first)
    }

    /// "change the name to latte", of no row that it names: what becomes of it.
    pub fn unaimed(self) -> Option<Map<String, Value>> {
        let is_settled = self.question.is_none() && self.declined.is_none() && self.date.is_none();
        (is_settled && !self.has_target() && !self.changes.is_empty()).then_some(self.changes)
    }

    /// One field of the row with this number.
    pub fn of_row(id: u64, field: Option<&'static str>, value: &str, reader: Reader) -> Self {
        let mut change = Self { ids: vec![id], field, ..Self::default() };
        change.value(value, field, reader);
        change
    }

    /// With what is ordered next, of the same row or of another.
    fn goes_on(&mut self, points: bool, next: Self, reader: Reader) {
        let is_plain = !next.deletes && next.question.is_none() && next.declined.is_none() && !next.changes.is_empty();
        let row = self.others.last_mut().map_or(&mut self.changes, |other| &mut other.changes);
        match points {
            true if is_plain && !row.keys().any(|field| next.changes.contains_key(field)) => row.extend(next.changes),
            false if is_plain && matches!(next.clone().reply(reader), Reply::Calls(_)) => self.others.push(next),
            _ => self.declined = Some(wording::ONE_CHANGE),
        }
    }

    /// One order.
    fn ordered(order: Order, reader: Reader) -> Option<Self> {
        if order.states || order.clears {
            return None;
        }
        if order.deletes {
            return Some(Self::deletion(&order.which, reader));
        }
        let Order { which, new, old, files, .. } = &order;
        if *files {
            let is_number = !which.is_empty() && which.bytes().all(|byte| byte.is_ascii_digit());
            // "Put 20 in the tank this morning" is of something new.
            if is_number && !reader.dates(new).is_empty() {
                return None;
            }
            if is_number && !new.is_empty() {
                return Some(Self { declined: Some(wording::NUMBER_OR_AMOUNT), ..Self::default() });
            }
            let says_all = |(_, word): &wording::Word<'_>| word == "both" || Class::Quantifiers.contains(word);
            // With a price it is something new.
            let is_priced = [which, new].iter().any(|said| !reader.amounts(said).is_empty());
            if is_priced || wording::words(which).iter().any(says_all) {
                return None;
            }
        }
        let field = match order.field {
            Some(PLACE) if order.category(reader).is_some_and(|name| wording::words(name).len() < 3) => {
                Some("category")
            }
            Some(PLACE) => Some("date"),
            field => field,
        };
        let left = category_left(which, new).filter(|_| field.is_none_or(|field| field == "category"));
        let mut change = Self { field: left.map_or(field, |_| Some("category")), ..Self::default() };
        change.aim(left.unwrap_or(which), reader);
        if change.ids.is_empty() {
            change.cost = old.clone().or(change.cost);
        }
        // "rename the train to Paris to trip"; what goes on after a category is another change.
        if wording::words(new).iter().any(|(_, word)| word == "to" || *files && word == "and") {
            change.declined = Some(wording::ONE_CHANGE);
        }
        if !new.is_empty() {
            change.value(new, change.field, reader);
        }
        Some(change)
    }

    /// "the tea was 4", "coffee should be 4": of a day too, it would say when something new was bought.
    pub fn correction(text: &str, reader: Reader) -> Option<Self> {
        let Order { which: name, new: value, old, .. } =
            Order::stating(text, reader).filter(|order| order.field == Some("amount"))?;
        let is_changed = text.contains("should") || text.contains(['>', '→']);
        let (name, cost) = if is_changed && old.is_none() { cost_after(&name, reader) } else { (&*name, old) };
        // "the coffee yesterday was 3.50": the day that it stands under.
        let led = Class::BeforeKnownRow.contains(wording::first_word(text));
        let placed = led && !reader.dates(name).is_empty();
        if !reader.amounts(name).is_empty() || !placed && !reader.dates(text).is_empty() {
            return None;
        }
        let mut correction = Self { corrects: Some(name.to_owned()), cost, ..Self::default() };
        if placed {
            correction.aim(name, reader);
        } else {
            correction.aim_at(name);
        }
        correction.amount(&value, reader);
        (correction.has_target() || speech::is_the_last(name)).then_some(correction)
    }

    /// These changes of the row that is named so.
    pub fn of(target: &str, changes: Map<String, Value>) -> Self {
        let mut change = Self { changes, ..Self::default() };
        change.aim_at(target);
        change
    }

    /// Where nothing that was told has a last one of its own.
    pub fn take_last(&mut self) {
        if self.is_last && !self.has_target() {
            self.description = Some("last".to_owned());
        }
    }

    pub fn reply(mut self, reader: Reader) -> Reply {
        if !self.deletes && self.ids.len() > 1 {
            self.share();
        }
        let ask = |text: &str| Reply::Ask(Question { text: text.to_owned(), ..Question::default() });
        if let Some(why) = self.declined {
            return Reply::Say(why.to_owned());
        }
        let may_be = |date: &DateReading| matches!(date, DateReading::Ambiguous(days) if !days.is_empty());
        let unsettled = self.date.clone().filter(|date| !matches!(date, DateReading::On(_)));
        if let Some(day) = unsettled.filter(|date| self.has_target() || may_be(date)) {
            return Reply::Ask(which_day(day, reader));
        }
        if !self.has_target() {
            return ask(if self.deletes { WHICH_TO_DELETE } else { "Which expense should I change?" });
        }
        if let Some(question) = self.question {
            return Reply::Ask(question);
        }
        if !self.deletes && self.changes.is_empty() {
            let what = self.ids.first().map_or("it".to_owned(), |id| format!("#{id}"));
            return ask(&format!("What should I change {what} to?"));
        }
        if let Some(entry) = self.recurring {
            return if self.deletes {
                one("stop_recurring", entry.into())
            } else {
                entries::changed(entry, self.changes)
            };
        }
        Reply::Calls(if self.others.is_empty() { self.calls() } else { self.together() })
    }

    /// The question asks for something that this still needs.
    pub fn is_open(&self, asking: &Asking, reader: Reader) -> bool {
        let is_whole = matches!(self.clone().reply(reader), Reply::Calls(_));
        !is_whole || !offered(asking).is_empty() || parts::asks(asking)
    }

    /// With the answer filled in; None when the answer is about something else.
    pub fn answered(mut self, asking: &Asking, answer: &str, is_command: bool, reader: Reader) -> Option<Self> {
        if let Some(asked) = self.others.iter().position(|other| other.is_asked(asking)) {
            let other = self.others.remove(asked).answered(asking, answer, is_command, reader)?;
            self.others.insert(asked, other);
            return Some(self);
        }
        if let Some(entry) = entries::picked(answer, asking).filter(|_| self.ids.is_empty()) {
            self.recurring = Some(entry);
            return Some(self);
        }
        let rows = offered(asking);
        if !rows.is_empty() && self.ids.is_empty() {
            let both = both(answer, &rows).filter(|_| self.deletes);
            let Some(ids) = both.or_else(|| Some(vec![picked(answer, &rows, reader)?])) else {
                // A number that was not on offer: the same question again.
                let number = wording::trimmed(answer, &[Class::BeforeNumber], &[]).trim_start_matches('#');
                let other = number.parse::<u64>().is_ok() || options::number_first(answer).is_some();
                return other.then_some(self);
            };
            self.point_at(ids, asking);
            return Some(self);
        }
        // The same question again: what the other parts are now is not said.
        if parts::is_one_part(asking, answer, reader) {
            return Some(self);
        }
        // "Perfect" is no yes here.
        let is_small_talk = small_talk::in_a_word(answer).is_some();
        let joins_all = || asking.is_for(parts::ALL) && !is_small_talk && small_talk::yes_or_no(answer) == Some(true);
        let known = self.changes.get("lines").and_then(Value::as_array);
        let lines = known
            .and_then(|lines| parts::with_rest(lines, asking, answer))
            .or_else(|| parts::parted(asking, answer, reader))
            .or_else(|| joins_all().then(Vec::new));
        if let Some(lines) = lines {
            self.changes.insert("lines".to_owned(), lines.into());
            return Some(self);
        }
        if asking.is_for("currency")
            && let Some(Said::Exactly(code)) = currency_alone(answer, reader)
        {
            self.set("currency", code);
            self.question = None;
            return Some(self);
        }
        if asking.is_for("date") && self.changes.contains_key("date") && !reader.dates(answer).is_empty() {
            self.day(answer, reader);
            if let [DateMention { reading: DateReading::On(said), .. }] = reader.dates(answer)[..] {
                // "the 15th", of 15 October and 19 November.
                let offered = asking.values.iter().filter_map(|value| value["date"].as_str()?.parse::<Date>().ok());
                let day = offered.filter(|day| day.day() == said.day()).only().unwrap_or(said);
                self.set("date", day.to_string());
            }
            return Some(self);
        }
        if let Some(value) = self.unplaced.clone()
            && let Some(field @ ("item" | "category" | "notes")) =
                wording::words(answer).iter().find_map(|(_, word)| field(word))
        {
            self.set(field, value);
            self.question = None;
            return Some(self);
        }
        if is_command || self.declined.is_some() || matches!(self.clone().reply(reader), Reply::Calls(_)) {
            return None;
        }
        if wording::is_filler(answer) || is_small_talk || small_talk::yes_or_no(answer).is_some() {
            // The same question again.
        } else if !self.has_target() {
            self.aim(answer, reader);
        } else if self.date.as_ref().is_some_and(|date| !matches!(date, DateReading::On(_))) {
            self.date = Some(DateReading::On(reader.resolve_date(answer).ok()?));
        } else {
            let field = self.field;
            let chosen = match &self.question {
                // Shown with the person's own mark.
                Some(question) => options::named(answer, &question.options).map(|option| option.replace(',', ".")),
                None => None,
            };
            self.question = None;
            match (field, chosen) {
                (Some("amount"), Some(amount)) if parts::scaled(&amount).is_some() => self.set("amount", amount),
                _ => self.value(value_of(answer), field, reader),
            }
        }
        Some(self)
    }

    pub fn deletion(target: &str, reader: Reader) -> Self {
        let mut deletion = Self { deletes: true, ..Self::default() };
        let counts = wording::words(target)
            .windows(2)
            .any(|pair| pair[0].1.parse::<u8>().is_ok() && Class::CountedRows.contains(&pair[1].1));
        let both = || wording::words(target).iter().any(|(_, word)| word == "both");
        if counts || both() {
            deletion.declined = Some(wording::NOT_SO_MANY);
            return deletion;
        }
        deletion.aim(speech::without_reason(target, reader), reader);
        deletion
    }

    pub(super) fn has_target(&self) -> bool {
        !self.ids.is_empty() || self.description.is_some() || self.cost.is_some() || self.is_dated
    }

    /// The row that is meant, with the day said beside it.
    fn aim(&mut self, target: &str, reader: Reader) {
        // A row as it was listed.
        if let Some((id, label)) = options::number_first(target)
            && label.trim_start().starts_with(['“', '"'])
        {
            self.ids = vec![id];
            return;
        }
        let costing = cost_in(target, reader);
        let target = costing.as_ref().map_or(target, |(_, rest)| rest);
        self.cost = costing.as_ref().map(|(cost, _)| cost.clone());
        if self.cost.is_none() && !target.contains(['“', '"']) && reader.amounts(target).iter().any(is_money) {
            self.declined = Some(if self.deletes { wording::NOT_SO_MANY } else { wording::ONE_CHANGE });
        }
        let days = reader.dates(target);
        let spans = reader.ranges(target).into_iter().filter(|found| found.range.from != found.range.to);
        let many: Vec<_> = spans.collect();
        (self.date, self.span) = match (&days[..], &many[..]) {
            ([], []) => (None, None),
            ([one], []) => (Some(one.reading.clone()), None),
            ([], [days]) => (None, Some(days.range)),
            _ => (Some(DateReading::Ambiguous(Vec::new())), None),
        };
        let spans = days.into_iter().map(|day| day.span).chain(many.into_iter().map(|days| days.span));
        let beside = wording::without(target, spans, &[Class::BeforeDayOfRow]);
        // "Delete it today"
        let is_settled = self.span.is_some() || matches!(self.date, Some(DateReading::On(_)));
        self.is_dated = is_settled && !Class::It.contains(wording::trimmed(&beside, &[], &[]));
        self.aim_at(&beside);
    }

    fn aim_at(&mut self, target: &str) {
        let target = wording::trimmed(target, &[Class::ChangingFront], &[Class::BehindChanged]);
        let words = wording::words(target);
        let numbers = words.iter().map(|(_, word)| word.trim_start_matches('#').trim_end_matches("'s"));
        let joining = |word: &&str| !Class::BetweenIds.contains(word);
        let ids: Option<Vec<u64>> = numbers
            .filter(joining)
            .map(|word| word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit())))
            .collect();
        match ids.filter(|ids| !ids.is_empty()) {
            Some(ids) => (self.ids, self.cost) = (ids, None),
            None if speech::is_the_last(target) => {
                self.is_last = !target.contains("before") && !target.contains("previous")
            }
            None => self.description = Some(target.to_owned()).filter(|target| !points_at_it(target)),
        }
    }

    fn set(&mut self, key: &str, value: String) {
        self.changes.insert(key.to_owned(), Value::String(value));
    }

    fn ask(&mut self, text: &str, missing: &'static str) {
        self.question = Some(Question { text: text.to_owned(), options: Vec::new(), missing: vec![missing] });
    }

    fn calls(self) -> Vec<Call> {
        let (name, day) = if self.deletes { ("delete_expense", "date") } else { ("update_expense", "on") };
        let date = match (self.date, self.span) {
            (Some(DateReading::On(date)), _) => Some(date.to_string()),
            (_, span) => span.map(|span| format!("{}..{}", span.from, span.to)),
        };
        let told = [("description", self.description), ("cost", self.cost), (day, date)].into_iter();
        let told = told.filter_map(|(key, said)| Some((key.to_owned(), said?.into()))).chain(self.changes);
        let told: Map<String, Value> = told.inserted();
        let complete = |mut arguments: Map<String, Value>| {
            arguments.extend(told.clone());
            Call { name, arguments: arguments.into() }
        };
        let ids = self.ids.iter().map(|id| complete([("id".to_owned(), (*id).into())].inserted()));
        if self.ids.is_empty() { vec![complete(Map::new())] } else { ids.collect() }
    }
}

/// "the taxi from transport", to another category: what is moved.
fn category_left<'t>(target: &'t str, value: &str) -> Option<&'t str> {
    let is_category = |name: &str| {
        let name = wording::trimmed(name, &[Class::BeforeCategory], &[Class::BehindCategory]).to_lowercase();
        Class::CommonCategory.says(&name).is_some()
    };
    let (rest, from) = target.rsplit_once(" from ")?;
    (is_category(from) || is_category(value) && from.chars().all(char::is_alphabetic)).then_some(rest)
}

/// "to 5" as an answer.
fn value_of(answer: &str) -> &str {
    if wording::first_word(answer) == "to" { wording::rest(answer) } else { answer }
}

//! Two changes of one expense in a sentence: "put lunch in food and make it 14".

use serde_json::{Map, Value};

use super::{Changing, DELETING, IT, Reader, is_change, speech, split_field, wording};

/// What is ordered of no row that is there, or of its parts.
const OTHERS: [&str; 3] = ["add", "log", "split"];

impl Changing {
    /// None if one thing alone is ordered. What is ordered of another expense is refused, and the first with it.
    pub(super) fn joined(command: &str, reader: Reader) -> Option<Self> {
        if !is_change(&wording::first_word(command)) {
            return None;
        }
        let words = wording::words(command);
        let word = |at: usize| words.get(at).map_or("", |(_, word)| &**word);
        let parts = |at: usize| match word(at - 1) {
            "and" | "then" => true,
            _ => command[words[at - 1].0.end..words[at].0.start].contains([',', ';']),
        };
        let is_order =
            |at: &usize| [&DELETING[..], &OTHERS].iter().any(|of| of.contains(&word(*at))) || is_change(word(*at));
        let at = (2..words.len().saturating_sub(1)).find(|at| is_order(at) && parts(*at))?;
        let last = (1..at).rev().find(|at| !matches!(word(*at), "and" | "then"))?;
        let refused = Some(Self { declined: Some(wording::ONE_CHANGE), ..Self::default() });
        let of_it = IT.contains(&word(at + 1));
        let (mut first, second) = match Self::ordered(&command[..words[last].0.end], reader) {
            Some(first) if of_it => (first, Self::ordered(&command[words[at].0.start..], reader).unwrap_or_default()),
            // "put down coffee 3, make up 12"
            None if !of_it => return None,
            _ => return refused,
        };
        let is_plain = second.question.is_none() && second.declined.is_none() && !second.changes.is_empty();
        if !is_plain || second.has_target() || first.changes.keys().any(|field| second.changes.contains_key(field)) {
            return if first.declined.is_some() { Some(first) } else { refused };
        }
        first.changes.extend(second.changes);
        Some(first)
    }

    /// The same with the number of the row in the place of "it", where it begins with that, or names no row at all: "move it
    /// to Friday", "change the name to latte", "delete".
    pub fn of_it(command: &str, id: u64, reader: Reader) -> Option<String> {
        let command = wording::trimmed(command, &[], &["please", "again"]);
        let it = |named: &str| wording::trimmed(named, &[], &["one", "expense", "entry", "row"]).to_lowercase();
        if let Some((_, category)) = Self::put_in(command, reader).filter(|(named, _)| IT.contains(&&*it(named))) {
            return Some(format!("put #{id} in {category}"));
        }
        let (verb, rest) = command.split_once(' ').unwrap_or((command, ""));
        let verb = verb.to_lowercase();
        let points = |what: &str| what.is_empty() || IT.contains(&what) || speech::is_the_last(what);
        if DELETING.contains(&verb.as_str()) {
            let what = wording::trimmed(rest, &["the", "my"], &["one", "expense", "entry"]).to_lowercase();
            return points(&what).then(|| format!("delete #{id}"));
        }
        let is_order = is_change(&verb);
        if let Some((field, value)) = rest.split_once(" to ").filter(|_| is_order)
            && let (what, Some(_)) = split_field(field)
            && what.is_empty()
        {
            return Some(format!("{verb} {field} of #{id} to {value}"));
        }
        let (pointed, value) = (wording::first_word(rest), wording::rest(rest));
        let becomes = match verb.as_str() {
            "move" | "rename" | "change" => wording::first_word(value) == "to" && wording::words(value).len() > 1,
            "call" | "name" => !value.is_empty(),
            _ => false,
        };
        // An amount alone is read as any other correction is.
        let alone = becomes && reader.amounts(value).is_empty();
        (IT.contains(&&*pointed) && (alone || Self::joined(command, reader).is_some())).then(|| {
            let (verb, link) = match (verb.as_str(), wording::first_word(value).as_str()) {
                ("call" | "name", _) => ("rename", " to"),
                (verb @ ("put" | "file"), _) | (verb, "to") => (verb, ""),
                _ => ("change", " to"),
            };
            format!("{verb} #{id}{link} {value}")
        })
    }

    /// "change the name to latte", of no row that it names: what becomes of it.
    pub fn unaimed(said: &str, reader: Reader) -> Option<Map<String, Value>> {
        let change = Self::alone(wording::after_courtesies(said), reader)?;
        let is_settled = change.question.is_none() && change.declined.is_none() && change.date.is_none();
        (is_settled && !change.has_target() && !change.changes.is_empty()).then_some(change.changes)
    }

    /// One order, of whatever expense.
    fn ordered(command: &str, reader: Reader) -> Option<Self> {
        let rest = wording::rest(command);
        match wording::first_word(command).as_str() {
            "put" | "file" => Self::filing(rest, reader),
            // "call it brunch"
            "call" | "name" | "rename" if !rest.contains(" to ") => {
                let (target, name) = rest.split_once(' ')?;
                Some(Self::update(&format!("{target} to {name}"), Some("item"), reader))
            }
            _ => Self::read(command, reader),
        }
    }
}

//! Expenses to add: one or several in a message, and what is still missing of each.
//!
//! An amount, currency or day that is not settled is asked about. Amounts are passed on exactly as they were read.

use jiff::civil::Date;
use serde_json::{Value, json};

use super::{
    Call, Question, Reply,
    drafting::{currency, drafts},
    looking::{which_amount, which_day},
    wording,
};
use crate::{
    money::{Currency, Money},
    phrases::{self, DateReading, Reading},
};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Adding {
    drafts: Vec<Draft>,
    /// A verb said that something is to be added.
    pub explicit: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Draft {
    pub item: Option<String>,
    pub amount: Said,
    pub currency: Said,
    pub date: Option<DateReading>,
    pub category: Option<String>,
    pub notes: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    Nothing,
    Exactly(String),
    OneOf(Vec<String>),
}

impl Adding {
    pub fn read(text: &str, command: &str, today: Date) -> Option<Self> {
        const VERBS: [&str; 17] = [
            "add", "log", "record", "enter", "put", "note", "track", "save", "register", "create", "spent", "paid",
            "bought", "got", "pay", "new", "expense",
        ];
        let explicit = VERBS.contains(&wording::first_word(command).as_str());
        if !explicit && text.contains('?') || is_no_statement(text) {
            return None;
        }
        let (body, notes) = split_notes(command);
        let mut drafts = drafts(body, today);
        if let ([draft], Some(notes)) = (&mut drafts[..], notes) {
            draft.notes = Some(notes.to_owned());
        }
        let longest = drafts
            .iter()
            .filter_map(|draft| draft.item.as_deref())
            .map(|item| item.split_whitespace().count())
            .max()
            .unwrap_or(0);
        let priced = drafts.iter().any(|draft| draft.amount != Said::Nothing);
        let short = matches!(&drafts[..], [draft] if draft.item.as_ref().is_some_and(|item| is_plain_name(item)));
        let commanded = drafts.iter().filter_map(|draft| draft.item.as_deref()).any(is_a_command);
        let plausible = !commanded && if explicit { longest <= 12 } else { longest <= 6 && (priced || short) };
        plausible.then_some(Self { drafts, explicit })
    }

    pub fn is_complete(&self) -> bool {
        self.drafts.iter().all(|draft| draft.question().is_none())
    }

    pub fn reply(self) -> Reply {
        match self.drafts.iter().find_map(Draft::question) {
            Some(question) => Reply::Ask(question),
            None => Reply::Calls(self.drafts.into_iter().map(Draft::call).collect()),
        }
    }

    /// With the answer filled in; None when the answer is about something else.
    pub fn answered(mut self, fresh: Option<&Self>, question: &str, answer: &str, today: Date) -> Option<Self> {
        let Some(open) = self.drafts.iter().position(|draft| draft.question().is_some()) else {
            let currency = currency_alone(answer).filter(|_| question.to_lowercase().contains("currency"))?;
            self.drafts.iter_mut().for_each(|draft| draft.currency = currency.clone());
            return Some(self);
        };
        let draft = &self.drafts[open];
        if let Some(fresh) = fresh.filter(|fresh| fresh.is_complete()) {
            let empty = draft.item.is_none() && draft.amount == Said::Nothing;
            let same =
                fresh.drafts.len() == 1 && same_item(&draft.item, &fresh.drafts[0].item) && self.drafts.len() == 1;
            if !(empty || same) {
                return None;
            }
            let carried = draft.clone();
            self.drafts.splice(open..=open, fresh.drafts.iter().map(|new| new.clone().over(&carried)));
            return Some(self);
        }
        let another =
            |new: &Draft| new.amount != Said::Nothing && new.item.is_some() && !same_item(&draft.item, &new.item);
        if draft.item.is_some() && fresh.is_some_and(|fresh| fresh.drafts.iter().any(another)) {
            return None;
        }
        // A bare name is no price, and nothing new either: the question stays open.
        let unpriced = fresh
            .is_some_and(|fresh| !fresh.explicit && fresh.drafts.iter().all(|draft| draft.amount == Said::Nothing));
        match draft.clone().filled(answer, today) {
            Some(filled) => self.drafts[open] = filled,
            None if unpriced => {}
            None => return None,
        }
        Some(self)
    }
}

impl Draft {
    fn question(&self) -> Option<Question> {
        let ask = |text: String, missing: &[&'static str]| {
            Some(Question { text, options: Vec::new(), missing: missing.to_vec() })
        };
        match (&self.item, &self.amount) {
            (_, Said::OneOf(options)) => return Some(which_amount(options)),
            (None, Said::Nothing) => {
                return ask("What did you buy, and how much was it?".to_owned(), &["item", "amount"]);
            }
            (None, Said::Exactly(amount)) => {
                return ask(format!("What was the {} for?", self.shown(amount)), &["item"]);
            }
            (Some(item), Said::Nothing) => return ask(format!("How much was the {item}?"), &["amount"]),
            (Some(_), Said::Exactly(_)) => {}
        }
        if let Said::OneOf(options) = &self.currency {
            let text = "Which currency is that in?".to_owned();
            return Some(Question { text, options: options.clone(), missing: vec!["currency"] });
        }
        match &self.date {
            None | Some(DateReading::On(_)) => None,
            Some(unsettled) => Some(which_day(unsettled.clone())),
        }
    }

    fn shown(&self, amount: &str) -> String {
        let money = match &self.currency {
            Said::Exactly(code) => Currency::parse(code).ok().and_then(|currency| Money::parse(amount, currency).ok()),
            _ => None,
        };
        money.map_or_else(|| amount.to_owned(), |money| money.to_string())
    }

    fn call(self) -> Call {
        let mut arguments = json!({ "item": self.item });
        let mut set = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                arguments[key] = Value::String(value);
            }
        };
        set("amount", self.amount.exactly());
        set("currency", self.currency.exactly());
        let date = match self.date {
            Some(DateReading::On(date)) => Some(date.to_string()),
            _ => None,
        };
        set("date", date);
        set("category", self.category);
        set("notes", self.notes);
        Call { name: "add_expense", arguments }
    }

    /// What an earlier message said of the same expense still holds.
    fn over(self, earlier: &Self) -> Self {
        let keep = |new: Said, old: &Said| if new == Said::Nothing { old.clone() } else { new };
        Self {
            item: self.item.or_else(|| earlier.item.clone()),
            amount: keep(self.amount, &earlier.amount),
            currency: keep(self.currency, &earlier.currency),
            date: self.date.or_else(|| earlier.date.clone()),
            category: self.category.or_else(|| earlier.category.clone()),
            notes: self.notes.or_else(|| earlier.notes.clone()),
        }
    }

    fn filled(mut self, answer: &str, today: Date) -> Option<Self> {
        let before = self.clone();
        let [said] = &drafts(answer, today)[..] else { return None };
        if let (Said::OneOf(options), Said::Nothing) = (&self.amount, &said.amount) {
            self.amount = picked(answer, options).map_or(self.amount.clone(), |option| Said::Exactly(option.clone()));
        } else if !matches!(self.amount, Said::Exactly(_)) && said.amount != Said::Nothing {
            self.amount = said.amount.clone();
            self.currency = if said.currency == Said::Nothing { self.currency } else { said.currency.clone() };
        } else if let Said::OneOf(options) = &self.currency {
            let option = picked(answer, options).map(|option| Said::Exactly(option.clone()));
            self.currency = option.or_else(|| currency_alone(answer)).unwrap_or_else(|| self.currency.clone());
        } else if let (None, Some(DateReading::Ambiguous(days)), true) = (&said.date, &self.date, self.item.is_some()) {
            let options: Vec<String> = days.iter().map(Date::to_string).collect();
            self.date = picked(answer, &options).and_then(|day| day.parse().ok()).map(DateReading::On).or(self.date);
        }
        if said.date.is_some() {
            self.date = said.date.clone();
        }
        self.category = self.category.or_else(|| said.category.clone());
        self.item = self.item.or_else(|| said.item.clone());
        (self != before).then_some(self)
    }
}

impl Said {
    fn exactly(self) -> Option<String> {
        match self {
            Self::Exactly(text) => Some(text),
            _ => None,
        }
    }
}

fn is_no_statement(text: &str) -> bool {
    const OPENERS: [&str; 17] = [
        "did", "was", "is", "are", "should", "do", "does", "what", "why", "when", "who", "where", "how", "which", "if",
        "ignore", "tell",
    ];
    const PLANS: [&str; 7] =
        ["want to buy", "want to pay", "going to", "should i", "plan to", "would cost", "will cost"];
    let lower = text.to_lowercase();
    OPENERS.contains(&wording::first_word(text).as_str()) || PLANS.iter().any(|plan| lower.contains(plan))
}

/// Words that ask for something else than adding, where a name should be.
fn is_a_command(item: &str) -> bool {
    const COMMANDS: [&str; 28] = [
        "delete",
        "remove",
        "erase",
        "change",
        "update",
        "edit",
        "rename",
        "move",
        "show",
        "list",
        "undo",
        "redo",
        "revert",
        "confirm",
        "approve",
        "reject",
        "cancel",
        "export",
        "budget",
        "yes",
        "no",
        "ok",
        "okay",
        "but",
        "except",
        "all",
        "everything",
        "without",
    ];
    COMMANDS.contains(&wording::first_word(item).as_str())
}

fn is_plain_name(item: &str) -> bool {
    item.split_whitespace().count() <= 2
        && item.chars().all(|character| character.is_alphabetic() || " '-&".contains(character))
}

fn same_item(one: &Option<String>, other: &Option<String>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one.to_lowercase() == other.to_lowercase())
}

fn split_notes(text: &str) -> (&str, Option<&str>) {
    let lower = text.to_ascii_lowercase();
    let found = [" notes:", " note:", ",note:", ",notes:"]
        .iter()
        .find_map(|mark| lower.find(mark).map(|at| (at, at + mark.len())));
    match found {
        Some((at, end)) => {
            (text[..at].trim_end_matches([' ', ',', ';']), Some(text[end..].trim()).filter(|notes| !notes.is_empty()))
        }
        None => (text, None),
    }
}

/// An answer that is a currency and nothing else.
fn currency_alone(answer: &str) -> Option<Said> {
    let name = wording::trimmed(answer, &["in", "it", "was", "it's", "the"], &["please"]);
    if let Ok(code) = Currency::parse(name) {
        return Some(Said::Exactly(code.code().to_owned()));
    }
    let text = format!("1 {name}");
    match &phrases::amounts(&text)[..] {
        [found] if found.span == (0..text.len()) && found.reading == Reading::Exact("1".to_owned()) => {
            Some(currency(&found.currency)).filter(|said| *said != Said::Nothing)
        }
        _ => None,
    }
}

/// The option that an answer names by its text or its place.
fn picked<'o>(answer: &str, options: &'o [String]) -> Option<&'o String> {
    let name = wording::trimmed(answer, &["the"], &["one", "option", "please"]).to_lowercase();
    let place = match name.as_str() {
        "first" | "1st" => 0,
        "second" | "2nd" => 1,
        "third" | "3rd" => 2,
        "last" => options.len().checked_sub(1)?,
        _ => return options.iter().find(|option| option.to_lowercase() == name),
    };
    options.get(place)
}

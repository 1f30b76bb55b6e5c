//! Expenses to add: one or several in a message, and what is still missing of each.
//!
//! An amount, currency or day that is not settled is asked about. Amounts are passed on exactly as they were read.

use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::{
    Call, Question, Reply,
    draft::{Draft, Numbered, Said, currency_alone, offered},
    drafting::{self, drafts},
    naming, noting,
    options::{self, Asking},
    parts,
    questions::{which_amount, which_day, with_mark},
    speech, wording,
};
use crate::{
    money::{Currency, Money},
    phrases::{self, AmountMention, Class, CurrencyMention, DateReading, Hedge, Reader, Reading},
};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Adding {
    drafts: Vec<Draft>,
    /// A verb said that something is to be added.
    pub explicit: bool,
    /// What else may be meant: several expenses, where one in parts was read.
    apart: Vec<Draft>,
}

impl Adding {
    pub fn read(text: &str, command: &str, reader: Reader) -> Option<Self> {
        let explicit = is_explicit(command);
        // "rent 1200, half and half" is whole without its end.
        let points_back = || speech::points_back(command) && speech::points_back(&drafting::unshared(command, reader));
        let asks = !explicit && (text.contains('?') || points_back());
        if asks
            || speech::is_no_statement(text)
            // "I need milk"
            || reader.amounts(text).is_empty() && reader.hedges(text).iter().any(|found| found.hedge == Hedge::ToCome)
            || speech::is_a_bound(text, reader)
            || speech::is_of_what_was_shown(text)
        {
            return None;
        }
        let (body, notes) = noting::split_notes(naming::body(text, command), reader);
        let (body, currency) = match drafting::in_one_currency(&body, reader) {
            Some((body, currency)) => (body, Some(currency)),
            None => (body, None),
        };
        let body = drafting::unshared(&body, reader);
        // "£12 42 note: x" has another amount without its note.
        let whole = reader.amounts(text);
        if reader.amounts(&body).iter().any(|found| !whole.iter().any(|said| said.reading == found.reading)) {
            return None;
        }
        // "Total expenditure for 2025" names a year.
        let is_year = |price: &AmountMention| {
            price.currency == CurrencyMention::None && reader.month_or_year(&text[price.span.clone()]).is_some()
        };
        let asks_for_sum = || reader.hedges(text).iter().any(|found| found.hedge == Hedge::NotSpent);
        if matches!(&whole[..], [only] if is_year(only)) && asks_for_sum() {
            return None;
        }
        let mut drafts = drafts(&body, reader);
        for draft in &mut drafts {
            draft.notes = notes.clone().into_iter().chain(draft.notes.take()).reduce(|notes, tags| notes + " " + &tags);
            if let Some(currency) = currency.as_ref().filter(|_| draft.currency == Said::Nothing) {
                draft.currency = currency.clone();
            }
        }
        if let [Draft { amount, .. }] = &mut drafts[..]
            && let Said::Exactly(all) = &amount
            && let Some(part) = reader.parts(text).and_then(|parts| phrases::part_of(all, parts))
        {
            *amount = Said::OneOf(vec![all.clone(), part]);
        }
        // The tools know nothing of a bare sign beside a price that is chosen later.
        let of_sign = whole.iter().find_map(|found| match &found.currency {
            CurrencyMention::Ambiguous(any) if !any.is_empty() => Some(any),
            _ => None,
        });
        for draft in drafts.iter_mut().filter(|draft| matches!(draft.amount, Said::OneOf(_))) {
            if let Some(any) = of_sign.filter(|_| draft.currency == Said::Shared) {
                draft.currency = offered(any);
            }
        }
        let priced = drafts.iter().any(|draft| draft.amount != Said::Nothing);
        let short = matches!(&drafts[..], [draft] if draft.item.as_ref().is_some_and(|item| is_plain_name(item)));
        let commanded = drafts.iter().filter_map(|draft| draft.item.as_deref()).any(speech::is_a_command);
        let asks_else = |item: &str| wording::says(item, Class::NoLoneName);
        // "Only shopping" narrows a question.
        let narrows = [text, command].iter().any(|said| Class::Narrowing.contains(wording::first_word(said)));
        let short = short && !narrows && !drafts.iter().filter_map(|draft| draft.item.as_deref()).any(asks_else);
        // "£6 on a magazine and gum at WHSmith at the station"
        let opens = whole.first().is_some_and(|price| price.span.start == 0 && price.currency != CurrencyMention::None);
        let most = if explicit || opens { 12 } else { 7 };
        // Of the ten words of "birthday present for my little brother from the lego shop", six name it.
        let is_long = |item: &str| {
            let names = naming_words(item).filter(|word| !Class::MyOrThe.contains(word)).count();
            item.split_whitespace().count() > most && names >= most
        };
        // Of a story with one price it is asked what that was for.
        if let ([Draft { item, amount: Said::Exactly(_), currency: Said::Exactly(_) | Said::Shared, .. }], [_]) =
            (&mut drafts[..], &whole[..])
        {
            *item = item.take().filter(|item| !is_long(item));
        }
        let no_name = drafts.iter().filter_map(|draft| draft.item.as_deref()).any(is_long);
        let plausible = !commanded && !no_name && (explicit || priced || short);
        plausible.then_some(Self { drafts, explicit, apart: vec![] })
    }

    /// One in parts; or several, if that may be meant.
    pub fn split(draft: Draft, apart: Vec<Draft>, command: &str) -> Self {
        Self { drafts: vec![draft], explicit: is_explicit(command), apart }
    }

    pub fn is_complete(&self, reader: Reader) -> bool {
        self.apart.is_empty() && self.drafts.iter().all(|draft| draft.question(reader).is_none())
    }

    pub fn reply(self, reader: Reader) -> Reply {
        match self.which(reader).or_else(|| self.drafts.iter().find_map(|draft| draft.question(reader))) {
            Some(question) => Reply::Ask(question),
            None => Reply::Calls(self.drafts.into_iter().map(Draft::call).collect()),
        }
    }

    /// What is said of the only one, if nothing is to be asked.
    pub fn only_arguments(self, reader: Reader) -> Option<Map<String, Value>> {
        let is_complete = self.is_complete(reader);
        let [draft] = <[Draft; 1]>::try_from(self.drafts).ok().filter(|_| is_complete)?;
        draft.call().arguments.as_object().cloned()
    }

    /// What is asked once more, where something else was said in the place of an answer.
    pub fn asks_again(&self, reader: Reader) -> Option<String> {
        let (draft, question) = self.drafts.iter().find_map(|draft| Some((draft, draft.question(reader)?)))?;
        let what = draft.item.as_ref().map_or_else(|| "Your expense".to_owned(), |item| format!("“{item}”"));
        Some(format!("{what} is not added yet. {}", super::in_words(&question)))
    }

    /// With the answer filled in; None when the answer is about something else.
    pub fn answered(mut self, fresh: Option<&Self>, asking: &Asking, answer: &str, reader: Reader) -> Option<Self> {
        if !self.apart.is_empty() {
            let apart = std::mem::take(&mut self.apart);
            let words: Vec<_> = wording::words(answer).into_iter().map(|(_, word)| word).collect();
            let says = |class: Class| words.iter().any(|word| class.contains(word));
            let counts = words.iter().any(|word| *word == apart.len().to_string());
            return match (counts || says(Class::AsSeveral), says(Class::InOne)) {
                (true, _) => Some(Self { drafts: apart, ..self }),
                (false, true) => Some(self),
                (false, false) => None,
            };
        }
        let Some(open) = self.drafts.iter().position(|draft| draft.question(reader).is_some()) else {
            return self.completed(asking, answer, reader);
        };
        let draft = &self.drafts[open];
        let unsettled = draft.date.clone().filter(|date| !matches!(date, DateReading::On(_)));
        let told = draft.item.is_some()
            && draft.amount == Said::Nothing
            && (speech::is_price_of_it(answer, reader)
                || fresh.is_some_and(|fresh| fresh.drafts.iter().all(Draft::is_of_price)));
        // "add another coffee" is none of what was paid.
        if draft.item.is_none() && fresh.is_some_and(|fresh| fresh.explicit) && wording::says(answer, Class::Another) {
            return None;
        }
        if let Some(said) = draft.with_more(fresh, answer, reader) {
            self.drafts.splice(open..=open, said);
            return Some(self);
        }
        if let Some(fresh) = fresh.filter(|fresh| fresh.is_complete(reader) && !told) {
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
        // "lunch", "dinner": the last one that was named is asked about.
        let another = |new: &Draft| {
            let is_priced = new.amount != Said::Nothing || draft.amount == Said::Nothing;
            is_priced && new.item.is_some() && !same_item(&draft.item, &new.item)
        };
        if draft.item.is_some() && !told && fresh.is_some_and(|fresh| fresh.drafts.iter().any(another)) {
            return None;
        }
        // A bare name is no price, and nothing new either: the question stays open.
        let unpriced = fresh
            .is_some_and(|fresh| !fresh.explicit && fresh.drafts.iter().all(|draft| draft.amount == Said::Nothing));
        // "for him"
        let bare = wording::trimmed(answer, &[Class::NamingFront], &[Class::BehindItem]);
        match draft.clone().filled(answer, reader) {
            Some(filled) => {
                // A day or a currency said once for several is answered once.
                if let Said::OneOf(offered) = draft.currency.clone()
                    && !offered.is_empty()
                {
                    let asked = Said::OneOf(offered);
                    let same = self.drafts.iter_mut().filter(|draft| draft.currency == asked);
                    same.for_each(|draft| draft.currency = filled.currency.clone());
                }
                let day = filled.date.clone();
                let same = |draft: &&mut Draft| unsettled.is_some() && draft.date == unsettled;
                self.drafts.iter_mut().filter(same).for_each(|draft| draft.date = day.clone());
                self.drafts[open] = filled;
            }
            None if unpriced || [answer, bare].into_iter().any(wording::is_filler) => {}
            None => return None,
        }
        Some(self)
    }

    /// What the tools asked about expenses that seemed complete here.
    fn completed(mut self, asking: &Asking, answer: &str, reader: Reader) -> Option<Self> {
        if asking.is_for("currency") {
            let currency = currency_alone(answer, reader)?;
            let shared = self.drafts.iter().any(|draft| draft.currency == Said::Shared);
            let missing = if shared { Said::Shared } else { Said::Nothing };
            let alone = self.drafts.len() == 1;
            let open = self.drafts.iter_mut().filter(|draft| alone || draft.currency == missing);
            open.for_each(|draft| draft.currency = currency.clone());
            return Some(self);
        }
        if let [draft] = self.drafts.as_mut_slice()
            && let Some(lines) =
                parts::with_rest(&draft.lines, asking, answer).or_else(|| parts::parted(asking, answer, reader))
        {
            draft.lines = lines;
            return Some(self);
        }
        let days = reader.dates(answer);
        if asking.is_for("date") && !days.is_empty() {
            let to_come = |draft: &Draft| matches!(draft.date, Some(DateReading::On(date)) if date > reader.today);
            let day =
                drafts(answer, reader).pop().filter(|said| said.item.is_none() && said.amount == Said::Nothing)?.date;
            let alone = self.drafts.len() == 1;
            self.drafts.iter_mut().filter(|draft| alone || to_come(draft)).for_each(|draft| draft.date = day.clone());
            return Some(self);
        }
        let offered = asking.options.iter().any(|option| options::letters(option) == options::letters(answer));
        let [found] = &reader.amounts(answer)[..] else { return None };
        let ([draft], true, Reading::Exact(amount)) = (&mut self.drafts[..], offered, &found.reading) else {
            return None;
        };
        draft.amount = Said::Exactly(amount.clone());
        Some(self)
    }

    /// One or several?
    fn which(&self, reader: Reader) -> Option<Question> {
        let ([draft], n) = (self.drafts.as_slice(), self.apart.len()) else { return None };
        let Draft { amount: Said::Exactly(amount), lines, .. } = draft else { return None };
        let text = format!(
            "Is that one expense of {} in {} parts, or {n} expenses?",
            draft.shown(amount, reader),
            lines.len()
        );
        let options = vec!["one expense".to_owned(), format!("{n} expenses")];
        (n > 0).then(|| Question { text, options, missing: vec!["which"] })
    }

    /// Nothing says that it was bought, or for how much exactly.
    pub fn may_ask(&self, text: &str) -> bool {
        let [Draft { amount, .. }] = self.drafts.as_slice() else { return false };
        let words: Vec<_> = wording::words(text).into_iter().map(|(_, word)| word).collect();
        let bounds =
            |at: usize| Class::LeadsToBound.length(&words[at..]).is_some_and(|length| at + length < words.len());
        (!self.explicit || wording::first_word(text) == "spent")
            && (*amount == Said::Nothing || (0..words.len()).any(bounds))
    }

    /// "coffee": no verb, no amount.
    pub fn is_a_name_alone(&self) -> bool {
        !self.explicit && self.has_no_amount()
    }

    pub fn has_no_amount(&self) -> bool {
        self.drafts.iter().all(|draft| draft.amount == Said::Nothing)
    }

    pub fn has_items(&self) -> bool {
        self.drafts.iter().all(|draft| draft.item.is_some())
    }

    /// It names an expense that these words are adding.
    pub fn is_about(&self, name: &str) -> bool {
        self.drafts.iter().any(|draft| same_item(&draft.item, &Some(name.to_owned())))
    }
}

impl Draft {
    fn question(&self, reader: Reader) -> Option<Question> {
        let ask = |text: String, missing: &[&'static str]| {
            Some(Question { text, options: Vec::new(), missing: missing.to_vec() })
        };
        // "Record 285 in groceries" is called by its category.
        match (self.item.as_ref().or(self.category.as_ref()), &self.amount) {
            (_, Said::OneOf(options)) => return Some(which_amount(options, reader)),
            (None, Said::Nothing | Said::Shared) => {
                return ask("What did you buy, and how much was it?".to_owned(), &["item", "amount"]);
            }
            (None, Said::Exactly(amount)) => {
                return ask(format!("What was the {} for?", self.shown(amount, reader)), &["item"]);
            }
            (Some(item), Said::Nothing | Said::Shared) => {
                return ask(format!("How much did you pay for {item}?"), &["amount"]);
            }
            (Some(_), Said::Exactly(_)) => {}
        }
        if let Said::OneOf(options) = &self.currency {
            let text = "Which currency is that in?".to_owned();
            return Some(Question { text, options: options.clone(), missing: vec!["currency"] });
        }
        match &self.date {
            None | Some(DateReading::On(_)) => None,
            Some(unsettled) => Some(which_day(unsettled.clone(), reader)),
        }
    }

    fn shown(&self, amount: &str, reader: Reader) -> String {
        let money = match &self.currency {
            Said::Exactly(code) => Currency::parse(code).ok().and_then(|currency| Money::parse(amount, currency).ok()),
            _ => None,
        };
        money.map_or_else(|| amount.to_owned(), |money| money.written(reader.conventions.style.money))
    }

    fn call(self) -> Call {
        let mut arguments = json!({ "item": self.item.as_ref().or(self.category.as_ref()) });
        let mut set = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                arguments[key] = Value::String(value);
            }
        };
        set("amount", self.amount.exactly());
        set("currency", self.currency.exactly());
        set("date", self.date.and_then(|date| date.only()).map(|day| day.to_string()));
        set("category", self.category);
        set("notes", self.notes);
        if !self.lines.is_empty() {
            arguments["lines"] = self.lines.into();
        }
        Call { name: "add_expense", arguments }
    }

    /// What an earlier message said of the same expense still holds.
    fn over(self, earlier: &Self) -> Self {
        let keep = |new: Said, old: &Said| if new == Said::Nothing { old.clone() } else { new };
        Self {
            item: earlier.item.clone().or(self.item),
            numbered: self.numbered,
            amount: keep(self.amount, &earlier.amount),
            currency: keep(self.currency, &earlier.currency),
            date: self.date.or_else(|| earlier.date.clone()),
            within: self.within.or(earlier.within),
            category: self.category.or_else(|| earlier.category.clone()),
            notes: self.notes.or_else(|| earlier.notes.clone()),
            lines: if self.lines.is_empty() { earlier.lines.clone() } else { self.lines },
        }
    }

    /// "a jumper, and 20 on socks" for which 60 was paid, "22 and shampoo 5" of a haircut: what was asked for, and more
    /// expenses. Another amount for what was paid may be meant instead.
    fn with_more(&self, fresh: Option<&Adding>, answer: &str, reader: Reader) -> Option<Vec<Self>> {
        let mut said = drafting::drafts_beside(answer, self, reader);
        let is_more = said.len() > 1;
        // "22 at toni and guy"
        let is_placed = self.item.is_some() && speech::is_price_of_it(answer, reader);
        said.retain(|draft| !is_placed || draft.amount != Said::Nothing);
        let (first, rest) = said.split_first_mut()?;
        match (&self.item, &self.amount, &first.amount) {
            (None, Said::Exactly(_), Said::Nothing) if first.item.is_some() && is_more => {}
            (Some(_), Said::Nothing, Said::Exactly(_)) if is_more && (is_placed || first.is_of_price()) => {}
            // "no, 60"
            (None, Said::Exactly(_), Said::Exactly(_))
                if first.item.is_none() && speech::is_price_only(answer, reader) => {}
            (None, Said::Exactly(paid), Said::Exactly(other))
                if first.item.is_some() && !is_more && paid != other && !phrases::takes_back(answer) =>
            {
                first.amount = Said::OneOf(vec![paid.clone(), other.clone()]);
                fresh.is_none_or(|fresh| !fresh.explicit).then_some(())?;
            }
            _ => return None,
        }
        *first = first.clone().over(self);
        let said_of_all = Self { date: self.date.clone(), currency: self.currency.clone(), ..Self::default() };
        rest.iter_mut().for_each(|more| *more = more.clone().over(&said_of_all));
        rest.iter().all(|more| more.item.is_some()).then_some(said)
    }

    fn is_of_price(&self) -> bool {
        self.item.as_deref().is_none_or(speech::is_of_price)
    }

    fn filled(mut self, answer: &str, reader: Reader) -> Option<Self> {
        let before = self.clone();
        // "What was the 15 for?" "Euros, for petrol."
        let whole = match (&self.amount, &self.item, &self.currency) {
            (Said::Exactly(amount), None, Said::Nothing) => drafts(&format!("{amount} {answer}"), reader),
            _ => vec![],
        };
        if let [whole] = &whole[..]
            && whole.amount == self.amount
            && matches!(whole.currency, Said::Exactly(_) | Said::Shared)
        {
            return Some(whole.clone().over(&self));
        }
        // "my half was 40"
        let answer = phrases::own_share(answer).map_or(answer, |own| &answer[own.end..]);
        let [said] = &drafts(answer, reader)[..] else { return None };
        let offered = match &self.amount {
            Said::OneOf(amounts) => {
                let shown: Vec<String> = amounts.iter().map(|amount| with_mark(amount, reader)).collect();
                let named = options::named(answer, &shown);
                let plain = |amount: &&String| {
                    said.currency == Said::Nothing && said.amount == Said::Exactly((*amount).clone())
                };
                amounts.iter().find(|amount| named == Some(&with_mark(amount, reader)) || plain(amount)).cloned()
            }
            _ => None,
        };
        if let Some(offered) = offered {
            if let Some(Numbered { name, currency, .. }) = self.numbered.take_if(|last| last.price == offered) {
                (self.item, self.currency) = (Some(name), currency);
            }
            self.amount = Said::Exactly(offered);
            return Some(self);
        }
        let is_open = !matches!(self.amount, Said::Exactly(_)) || phrases::takes_back(answer);
        if is_open && said.amount != Said::Nothing {
            self.amount = said.amount.clone();
            self.currency = if said.currency == Said::Nothing { self.currency } else { said.currency.clone() };
        } else if let Said::OneOf(options) = &self.currency {
            let option = options::named(answer, options).map(|option| Said::Exactly(option.to_owned()));
            self.currency = option.or_else(|| currency_alone(answer, reader)).unwrap_or_else(|| self.currency.clone());
        } else if let (None, Some(DateReading::Ambiguous(days)), true) = (&said.date, &self.date, self.item.is_some()) {
            let options: Vec<String> = days.iter().map(Date::to_string).collect();
            self.date =
                options::named(answer, &options).and_then(|day| day.parse().ok()).map(DateReading::On).or(self.date);
        }
        if let Some(day) = said.date.clone() {
            let within = self.within.filter(|_| said.within.is_none());
            self.date = Some(within.map_or(day.clone(), |range| drafting::day_within(range, day, answer, reader)));
            self.within = said.within.or(self.within);
        }
        self.category = self.category.or_else(|| said.category.clone());
        self.item = match (self.item, said.item.clone()) {
            (Some(item), Some(_)) => {
                let place = speech::place_behind(answer, reader);
                Some(place.into_iter().fold(item, |item, place| item + " " + &place))
            }
            (known, said) => known.or(said),
        };
        (self != before).then_some(self)
    }
}

fn is_explicit(command: &str) -> bool {
    Class::AddingVerbs.contains(wording::first_word(command))
}

/// Perhaps with a count in front: "2 coffees".
fn is_plain_name(item: &str) -> bool {
    let item = item
        .split_once(' ')
        .filter(|(count, _)| count.len() < 3 && count.parse::<u8>().is_ok())
        .map_or(item, |(_, name)| name);
    let opens = !Class::Closed.contains(wording::first_word(item));
    naming_words(item).count() <= 2
        && (opens || item.split_whitespace().count() <= 2)
        && item.chars().all(|character| character.is_alphabetic() || " '-&".contains(character))
}

/// Without articles and what leads on: two of "taxi to the airport".
fn naming_words(item: &str) -> impl Iterator<Item = &str> {
    let joins = |word: &str| Class::LeadsOn.contains(word) || Class::NamingArticle.contains(word) || word == "the";
    item.split_whitespace().filter(move |word| !joins(word))
}

/// What is told again may be told shorter: "the bill", of the phone bill.
fn same_item(known: &Option<String>, again: &Option<String>) -> bool {
    let (Some(known), Some(again)) = (known, again) else { return false };
    let (known, again) = (wording::words(known), wording::words(wording::trimmed(again, &[Class::Asides], &[])));
    !again.is_empty() && again.iter().all(|(_, word)| known.iter().any(|(_, own)| own == word))
}

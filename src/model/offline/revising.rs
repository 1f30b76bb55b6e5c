//! A change of mind about what was shown: "yes but 45", "no, yesterday", "all except the taxis".
//!
//! Only what is nothing but that is read so; "tea 2" beside a waiting proposal is something new.

use std::ops::Range;

use serde_json::{Map, Value, json};

use super::{
    adding::Adding,
    bounds,
    changing::Changing,
    draft::{Said, currency_alone, settled},
    following,
    noting::split_notes,
    options,
    orders::{Order, points_at_it},
    rows::costs,
    speech, splitting,
    wording::{is_filler, trimmed, words},
};
use crate::{
    only::Only,
    phrases::{AmountMention, Class, CurrencyMention, DateReading, Reader, frequency, plurals::are_alike},
    shown::{Changes, Line, Shown, ShownRow},
    sorted::{Collect, Sort},
};

/// The arguments of `revise_proposal`, if that is what the person says about what they were shown.
pub(super) fn read(shown: &Changes, said: &str, reader: Reader) -> Option<Value> {
    let lines = lines(shown);
    let without = excluded(shown, &lines, said, reader).or_else(|| kept(&lines, said));
    if shown.verbs().first() == Some(&"delete") {
        return without;
    }
    let rows: Vec<&ShownRow> = shown.lines.iter().flat_map(Line::rows).collect();
    without.or_else(|| {
        let only = shown.only().and_then(|line| line.after.as_ref());
        let parts =
            || splitting::restated(only?, trimmed(said, &[Class::RevisingLeads], &[Class::BehindValue]), reader);
        if denies_another(&rows, said, reader) {
            return None;
        }
        // Of several lines it could mean any, unless it names one.
        let edits = if lines.is_empty() {
            let named = || Some(edit_of_one(&[only_line(shown)?], said, reader)?.1);
            let fields = edited(said, reader)
                .or_else(|| amount_alone(said, reader))
                .or_else(parts)
                .or_else(|| splitting::of_shown(said, reader))
                .or_else(|| said_anew(said, reader).filter(|_| only_line(shown).is_some()))
                .or_else(|| noted(said, reader));
            let ordered = || Changing::read(super::wording::after_courtesies(said), reader)?.unaimed();
            vec![(1, fields.or_else(named).or_else(ordered)?)]
        } else if let Some(fields) = of_all(said, lines.len(), true, reader).filter(|_| !shown.is_sampled()) {
            lines.iter().map(|(number, _)| (*number, fields.clone())).collect()
        } else if said.matches(" to ").count() > 1 {
            let each = Order::all(super::wording::after_courtesies(said), reader);
            if each.is_empty() {
                return None;
            }
            each.into_iter().map(|order| ordered_edit(&lines, order, reader)).collect::<Option<_>>()?
        } else {
            vec![edit_of_one(&lines, said, reader)?]
        };
        let edits = edits.into_iter().map(|(line, fields)| json!({ "line": line, "fields": fields }));
        Some(json!({ "edits": edits.collect::<Vec<_>>() }))
    })
}

/// The same of what an answer to a question only mentioned. An order or a statement names a line: "the bag was 19.99"; or
/// an order points at the only one, where no other row was shown: "change it to 875".
pub(super) fn of_mentioned(told: &Shown, said: &str, reader: Reader) -> Option<Value> {
    let waiting = told.mentioned.as_ref().filter(|waiting| waiting.verbs().first() != Some(&"delete"))?;
    let order = Order::read(super::wording::after_courtesies(said), reader)
        .filter(|order| !order.deletes && !order.states)
        .or_else(|| Order::stating(said, reader))?;
    let (numbered, only) = (lines(waiting), only_line(waiting));
    let (line, fields) = if order.points() {
        only.filter(|_| told.all_rows().is_empty() && following::sums_up(told))?;
        let fields = edited(said, reader).filter(|fields| fields.contains_key("amount"));
        (1, fields.or_else(|| Changing::of_all(vec![order.of(String::new())], reader)?.unaimed())?)
    } else {
        // "The second" may be of what was shown since.
        let is_name = order.which.contains(char::is_alphabetic) && options::place(&order.which, 2).is_none();
        let lines = if numbered.is_empty() { std::slice::from_ref(only.as_ref()?) } else { &numbered };
        edit_of_one(lines, said, reader).filter(|_| is_name && !speech::is_the_last(&order.which))?
    };
    Some(json!({ "edits": [{ "line": line, "fields": fields }] }))
}

/// "42", and nothing else: what the only one cost.
fn amount_alone(said: &str, reader: Reader) -> Option<Map<String, Value>> {
    let paid = trimmed(said, &[Class::RevisingLeads, Class::PaidInstead], &[Class::BehindValue]);
    match &reader.amounts(paid)[..] {
        [found] if found.span == (0..paid.len()) => bounds::money(found, &["amount"]),
        _ => None,
    }
}

/// "both yesterday", "in euros": a day, a currency or a category of so many rows. Which are meant need not be said where
/// they are all that was spoken of.
pub(super) fn of_all(said: &str, count: usize, alone: bool, reader: Reader) -> Option<Map<String, Value>> {
    let words = words(said);
    let says = |any: Class| words.iter().any(|(_, word)| any.contains(word));
    let points = says(Class::EachOfThem) || says(Class::BothOfThem);
    // "The 2nd" of them is no day.
    let is_one = options::place(said, count).is_some();
    if says(Class::BothOfThem) && count != 2 || is_one || !points && !alone {
        return None;
    }
    let all = [Class::EachOfThem, Class::EveryOne, Class::BothOfThem];
    let pointing = |word: &str| Class::any(&all, word) || Class::AroundAll.contains(word);
    let fields = match filed(said, reader) {
        Some((them, category)) if trimmed(&them, &all, &all).is_empty() && (points || !them.is_empty()) => {
            [("category".to_owned(), json!(category))].inserted()
        }
        Some(_) => return None,
        None => {
            let spans = words.iter().filter(|(_, word)| pointing(word)).map(|(span, _)| span.clone());
            edited(&super::wording::without(said, spans, &[]), reader)?
        }
    };
    fields.keys().all(|field| matches!(field.as_str(), "date" | "currency" | "category")).then_some(fields)
}

/// "put lunch in food", "lunch is food": what is filed, and in which category.
fn filed(said: &str, reader: Reader) -> Option<(String, String)> {
    let command = super::wording::after(super::wording::after_courtesies(said), &[Class::BeforeFiled]);
    let order = Order::read(command, reader)?;
    // "Change the category of 42" is about a row that is there.
    let is_of_row = !order.files && !order.states && order.which.bytes().all(|byte| byte.is_ascii_digit());
    let category = order.category(reader).filter(|_| !is_of_row || order.which.is_empty())?.to_owned();
    Some((order.which, category))
}

/// "no, tea 2", "I meant tea for 2": all of the expense.
fn said_anew(said: &str, reader: Reader) -> Option<Map<String, Value>> {
    let spoken = words(said);
    let denies = spoken.first().is_some_and(|(_, word)| Class::Objection.contains(word));
    let leads = spoken.iter().take_while(|(_, word)| Class::RevisingLeads.contains(word));
    // "No, and tea 2" is one more, "no, the tea was 2" is said of another.
    let is_meant = leads.fold(denies, |is_meant, (_, word)| {
        !Class::any(&[Class::And, Class::The], word) && (is_meant || Class::MeansInstead.contains(word))
    });
    let anew = trimmed(said, &[Class::RevisingLeads], &[]);
    Adding::read(anew, anew, reader).filter(|_| is_meant)?.only_arguments(reader)
}

/// "yes, by card": how it was paid.
fn noted(said: &str, reader: Reader) -> Option<Map<String, Value>> {
    let (rest, notes) = split_notes(trimmed(said, &[Class::RevisingLeads], &[Class::BehindValue]), reader);
    let is_all = trimmed(&rest, &[Class::RevisingLeads], &[]).is_empty();
    Some([("notes".to_owned(), json!(notes.filter(|_| is_all)?))].inserted())
}

/// Of one line that is named; also as of an expense that is there: "rename lunch to brunch".
fn edit_of_one(lines: &[Numbered<'_>], said: &str, reader: Reader) -> Option<(usize, Map<String, Value>)> {
    let order = || Order::read(super::wording::after_courtesies(said), reader);
    let edit = named_edit(lines, said, reader).or_else(|| renamed_from(lines, said));
    edit.or_else(|| ordered_edit(lines, order()?, reader))
}

/// "tea, not coffee", "not coffee but tea": what the line with that name is called instead.
fn renamed_from(lines: &[Numbered<'_>], said: &str) -> Option<(usize, Map<String, Value>)> {
    let told = trimmed(said, &[Class::RevisingLeads], &[Class::BehindValue]);
    let spoken = words(told);
    let said: Vec<&str> = spoken.iter().map(|(_, word)| &**word).collect();
    let named = |old: Range<usize>| called(lines, trimmed(&said.get(old)?.join(" "), &[Class::IndefiniteArticle], &[]));
    let (number, name) = if Class::NotThat.contains(said.first()?) {
        let (number, end) = (2..said.len()).rev().find_map(|end| Some((named(1..end)?, end)))?;
        (number, trimmed(&told[spoken[end].0.start..], &[Class::ButThat, Class::RevisingLeads], &[]))
    } else {
        let old = |at: usize| named(at + Class::InPlaceOf.length(&said[at..])?..said.len());
        let (number, at) = (1..said.len()).find_map(|at| Some((old(at)?, at)))?;
        (number, &told[..spoken[at - 1].0.end])
    };
    let name = trimmed(name, &[Class::IndefiniteArticle], &[]);
    (is_new_name(name) && called(lines, name).is_none())
        .then(|| (number, [("item".to_owned(), json!(name))].inserted()))
}

/// What may be the name of something, where only a name is said.
fn is_new_name(name: &str) -> bool {
    let words = words(name);
    let is_plain = name.chars().all(|character| character.is_alphabetic() || " '-&".contains(character));
    let may_name = words.iter().all(|(_, word)| !Class::NoNames.contains(word)) && !is_filler(name);
    is_plain && may_name && (1..=3).contains(&words.len())
}

/// "yes but the bread was 1.05", "make the second 5", "that should be 5, not 4", "lunch is food".
fn named_edit(lines: &[Numbered<'_>], said: &str, reader: Reader) -> Option<(usize, Map<String, Value>)> {
    if let Some((name, category)) = filed(said, reader) {
        return Some((called(lines, &name)?, [("category".to_owned(), json!(category))].inserted()));
    }
    let (said, old) = without_old(said, reader);
    let said = said.as_str();
    if let Some(Old::Amount(old)) = old {
        let is_that = |(_, line): &&Numbered<'_>| line.rows().any(|row| costs(row, &old));
        let line = lines.iter().filter(is_that).only()?;
        let fields = edited(said, reader).or_else(|| Some(named_edit(std::slice::from_ref(line), said, reader)?.1));
        return Some((line.0, fields?));
    }
    let (leads, named): (Vec<_>, Vec<_>) =
        beside(said, reader).into_iter().partition(|(_, word)| Class::RevisingLeads.contains(word));
    // "rent 1150 on Oct 1" is another one, "the rent was 1150 on Oct 1" is not.
    let leads_to_day = |word: &str| Class::any(&[Class::BeforeDays, Class::LeadToDay], word);
    let is_told = leads.iter().any(|(_, word)| !leads_to_day(word));
    let number = called(lines, &named.iter().map(|(_, word)| &**word).collect::<Vec<_>>().join(" "))?;
    let (_, line) = lines.iter().find(|(own, _)| *own == number)?;
    let rest = super::wording::without(said, named.iter().map(|(at, _)| at.clone()), &[]);
    let fields = edited(&rest, reader).filter(|fields| !fields.contains_key("item"))?;
    let is_its_day = |day: &Value| line.rows().any(|row| row.date.is_some_and(|own| *day == own.to_string()));
    let is_another = fields.contains_key("amount") && fields.get("date").is_some_and(|day| !is_its_day(day));
    (is_told || !is_another).then_some((number, fields))
}

fn ordered_edit(lines: &[Numbered<'_>], order: Order, reader: Reader) -> Option<(usize, Map<String, Value>)> {
    Some((called(lines, &order.which)?, Changing::of_all(vec![order.of(String::new())], reader)?.unaimed()?))
}

/// What it was before.
pub(super) enum Old {
    Amount(AmountMention),
    Day(DateReading),
}

/// "not 4, 5", "no 4 sino 5"
fn is_not_that(word: &str, between: &str) -> bool {
    let instead = between.is_empty() || Class::ButThat.contains(between);
    Class::NotThat.contains(word) && instead || word == "no" && between == "sino"
}

/// "5, not 4", "not today but yesterday": without what it was before, and that.
pub(super) fn without_old(said: &str, reader: Reader) -> (String, Option<Old>) {
    let (amounts, days) = (reader.amounts(said), reader.dates(said));
    let of_amounts = || amounts.iter().map(|found| (found.span.clone(), Old::Amount(found.clone())));
    let of_days = || days.iter().map(|found| (found.span.clone(), Old::Day(found.reading.clone())));
    let mut mentions = match (amounts.len(), days.len()) {
        (2, _) => of_amounts().collect::<Vec<_>>(),
        (0, 2) => of_days().collect(),
        _ => return (said.to_owned(), None),
    };
    let (Some((second, late)), Some((first, early))) = (mentions.pop(), mentions.pop()) else {
        return (said.to_owned(), None);
    };
    let between = trimmed(&said[first.end..second.start], &[], &[Class::On]).to_lowercase();
    let before = trimmed(&said[..first.start], &[], &[Class::On]);
    match words(before).last() {
        Some((not, word)) if is_not_that(word, &between) => {
            (format!("{}{}", &before[..not.start], &said[second.start..]), Some(early))
        }
        _ if Class::InPlaceOf.says(&between).is_some() => (said[..first.end].to_owned(), Some(late)),
        _ => (said.to_owned(), None),
    }
}

/// "4, not 5", where it never was 5; "yesterday, not today", where that is no day of it. `rows`: as they were and are.
pub(super) fn denies_another(rows: &[&ShownRow], said: &str, reader: Reader) -> bool {
    match without_old(said, reader).1 {
        Some(Old::Amount(old)) => !rows.iter().any(|row| costs(row, &old) || has_part(row, &old)),
        Some(Old::Day(DateReading::On(old))) => !rows.iter().any(|row| row.date == Some(old)),
        Some(Old::Day(_)) => true,
        None => false,
    }
}

fn has_part(row: &ShownRow, price: &AmountMention) -> bool {
    row.parts.iter().any(|(_, minor)| costs(&ShownRow { amount: Some(*minor), ..row.clone() }, price))
}

/// A line of a proposal of several operations, with its number.
type Numbered<'a> = (usize, &'a Line);

/// People see only the first of very many.
const SAMPLED: usize = 5;

fn lines(shown: &Changes) -> Vec<Numbered<'_>> {
    let seen = if shown.is_sampled() { SAMPLED } else { shown.lines.len() };
    (1..).zip(shown.lines.iter().take(seen)).filter(|_| shown.is_numbered()).collect()
}

/// Of a proposal to add one.
fn only_line(shown: &Changes) -> Option<Numbered<'_>> {
    shown.only().filter(|line| line.verb == "add").map(|line| (1, line))
}

/// One amount, one day or both, or a currency or a name, and a word that says that it is a correction.
pub(super) fn edited(said: &str, reader: Reader) -> Option<Map<String, Value>> {
    // "no 14" is no number of a house.
    let refused = said.get(..3).filter(|no| no.eq_ignore_ascii_case("no ")).map(|_| format!("no, {}", &said[3..]));
    let (said, old) = without_old(refused.as_deref().unwrap_or(said), reader);
    let said = &speech::without_roughly(&said, reader);
    let (amounts, dates) = (reader.amounts(said), reader.dates(said));
    if amounts.len() > 1 || dates.len() > 1 {
        return None;
    }
    // "change 2 to yesterday": a number and a new day.
    if let ([number], [day]) = (amounts.as_slice(), dates.as_slice())
        && said.get(number.span.end..day.span.start).is_some_and(|between| between.trim() == "to")
    {
        return None;
    }
    let mut fields = Map::new();
    if let Some(mention) = amounts.first() {
        fields = bounds::money(mention, &["amount"])?;
    }
    if let Some(mention) = dates.first() {
        let date = match &mention.reading {
            DateReading::On(date) => date.to_string(),
            // The tools ask which of them.
            DateReading::Ambiguous(days) if !days.is_empty() => said[mention.span.clone()].to_owned(),
            _ => return None,
        };
        fields.insert("date".into(), json!(date));
    }
    if fields.is_empty() {
        let name = trimmed(said, &[Class::RevisingLeads], &[Class::BehindMeantName]);
        if let Some((_, category)) = filed(said, reader).filter(|(which, _)| points_at_it(which)) {
            return Some([("category".to_owned(), json!(category))].inserted());
        }
        let field = match currency_alone(name, reader)
            .filter(|found| name.len() < said.len() || matches!(found, Said::Exactly(_)))
        {
            Some(Said::Exactly(code)) => ("currency", code),
            Some(_) => return None,
            None => ("item", trimmed(renamed(name, said, reader)?, &[Class::IndefiniteArticle], &[]).to_owned()),
        };
        return Some([(field.0.to_owned(), json!(field.1))].inserted());
    }
    let leads = beside(said, reader);
    // "paid 60 instead"
    let is_instead = || words(said).iter().any(|(_, word)| word == "instead");
    let is_paid = |word: &str| Class::PaidInstead.contains(word) && is_instead();
    // A day alone is bought nowhere.
    let leads_only = (!leads.is_empty() || old.is_some() || amounts.is_empty())
        && leads.iter().all(|(_, word)| Class::RevisingLeads.contains(word) || is_paid(word));
    leads_only.then_some(fields)
}

/// "in dollars", where many share the name.
pub(super) fn which_currency(said: &str, reader: Reader) -> Option<String> {
    let (_, name) = alone(said, reader).filter(|(field, _)| *field == "currency")?;
    let Some(Said::OneOf(codes)) = settled(&name, reader) else { return None };
    Some(format!("Nothing was changed. Please say which {name}, by their code: {}.", codes.join(", ")))
}

/// The words that are of no amount and no day.
fn beside(said: &str, reader: Reader) -> Vec<super::wording::Word<'_>> {
    let days = reader.dates(said).into_iter().map(|found| found.span);
    let spans: Vec<_> = reader.amounts(said).into_iter().map(|found| found.span).chain(days).collect();
    let is_of = |at: &Range<usize>| spans.iter().any(|span| span.start < at.end && at.start < span.end);
    words(said).into_iter().filter(|(at, _)| !is_of(at)).collect()
}

/// "it was last Friday", "in dollars": a day or a currency alone, in the person's words.
pub(super) fn alone(said: &str, reader: Reader) -> Option<(&'static str, String)> {
    let name = trimmed(said, &[Class::RevisingLeads], &[Class::BehindValue]);
    if name.len() < said.len() && currency_alone(name, reader) == Some(Said::Shared) {
        return Some(("currency", name.to_owned()));
    }
    let (plain, _) = without_old(said, reader);
    let day = reader.dates(&plain).into_iter().next()?;
    let is_alone = edited(said, reader).is_some_and(|fields| fields.len() == 1 && fields.contains_key("date"));
    // "C'était hier" is French. "Hier" alone may be German.
    let only = day.reading.only().map(|day| day.to_string());
    is_alone.then(|| ("date", only.unwrap_or_else(|| plain[day.span].to_owned())))
}

/// "no, it was tea": what was bought, said after a no to what it was taken for. "It was for two", "it was last month" and
/// "that's every month" name nothing.
fn renamed<'s>(name: &'s str, said: &str, reader: Reader) -> Option<&'s str> {
    let lead = words(&said[..said.find(name)?]);
    let is_for = lead.last().is_some_and(|(_, word)| Class::BeforeWhom.contains(word));
    let is_time = !reader.ranges(name).is_empty()
        || frequency::read(&name.to_lowercase().split(' ').collect::<Vec<_>>()).is_some();
    if is_for || is_time {
        return None;
    }
    let said = said.to_lowercase();
    let is_behind = |(lead, _): &(&str, _)| said.strip_prefix(lead).is_some_and(|rest| rest.starts_with(' '));
    let points = Class::ItWas.all().iter().any(is_behind);
    let corrects = points || Class::RevisingCorrecting.contains(super::wording::first_word(&said));
    let says_what = || points || words(&said).iter().any(|(_, word)| Class::SaysWhat.contains(word));
    (corrects && is_new_name(name) && says_what()).then_some(name)
}

/// What is excepted: numbers of lines, each of which must be there, and not all of them; or names, where not all lines
/// are before one's eyes.
fn excluded(shown: &Changes, lines: &[Numbered<'_>], said: &str, reader: Reader) -> Option<Value> {
    // "The £2 one" is no number of a line.
    if reader.amounts(said).iter().any(|mention| mention.currency != CurrencyMention::None) {
        return None;
    }
    let headline = *shown.verbs().first()?;
    // "Remove the tea" of what is to be added. Of what is to be deleted it may mean more.
    let leads = [Class::Courtesies, Class::RevisingLeads];
    let mut orders = [said, super::wording::after(said, &leads[..1]), super::wording::after(said, &leads)].into_iter();
    let is_removal = |order: &Order| headline == "add" && order.deletes;
    let removed = orders.find_map(|said| Order::read(said, reader).filter(is_removal));
    let leaves_out = removed.is_none();
    let said = removed.map_or(said.to_owned(), |order| format!("without {}", order.which)).replace(',', " and ");
    let said = words(&said);
    let at = said.iter().rposition(|(_, word)| Class::LeftOut.contains(word))?;
    let (before, after) = said.split_at(at);
    // "Delete all but the coffee", of what is to be added, means another thing.
    let before: Vec<&str> = before.iter().map(|(_, word)| &**word).filter(|word| *word != headline).collect();
    // "yes but 45" is no exception; "all but 2" is one.
    let whole = before.iter().any(|word| Class::WholeAnswer.contains(word));
    if before.iter().any(|word| !Class::Before.contains(word)) || (after.first()?.1 == "but" && !whole) {
        return None;
    }
    let named = after[1..].iter().map(|(_, word)| if leaves_out { as_line(word, lines) } else { word });
    let named: Vec<&str> = named.collect();
    let names = || named.split(|word| Class::AndOr.contains(word)).filter(|name| !name.is_empty());
    if shown.is_sampled() {
        let names: Vec<String> = names().map(|name| telling(name).join(" ")).collect();
        let are_names = names.iter().all(|name| name.chars().any(char::is_alphabetic));
        return (!names.is_empty() && are_names).then(|| json!({ "exclude_named": names }));
    }
    let mut numbers = meant(lines, &named)
        .or_else(|| names().map(|name| meant(lines, name)).collect::<Option<Vec<_>>>().map(|found| found.concat()))?;
    numbers.put_in_order(Ord::cmp);
    numbers.dedup();
    (!numbers.is_empty() && numbers.len() < lines.len()).then(|| json!({ "exclude": numbers }))
}

/// "only the tea": all others are left out.
fn kept(lines: &[Numbered<'_>], said: &str) -> Option<Value> {
    let rest = trimmed(said, &[Class::BeforeOnly], &[Class::BehindKept]);
    let spoken = words(rest);
    let said: Vec<&str> = spoken.iter().map(|(_, word)| &**word).collect();
    let led = Class::OnlyThat.length(&said).map(|length| &rest[spoken[length - 1].0.end..]);
    let rest = led.or_else(|| rest.strip_suffix(" only"))?;
    let rest = rest.replace(',', " and ");
    let spoken = words(&rest);
    let names: Vec<&str> = spoken.iter().map(|(_, word)| as_line(word, lines)).collect();
    let names = names.split(|word| Class::AndSign.contains(word)).filter(|name| !name.is_empty());
    let kept = names.map(|name| meant(lines, name)).collect::<Option<Vec<_>>>()?.concat();
    let others: Vec<usize> = lines.iter().map(|(number, _)| *number).filter(|number| !kept.contains(number)).collect();
    (!kept.is_empty() && !others.is_empty()).then(|| json!({ "exclude": others }))
}

/// "without #1", where no line is about such a row: the line, which the person is then asked about.
fn as_line<'w>(word: &'w str, lines: &[Numbered<'_>]) -> &'w str {
    let Some(number) = word.strip_prefix('#') else { return word };
    let row: Option<u64> = number.parse().ok();
    if row.is_some() && lines.iter().all(|(_, line)| line.known_row() != row) { number } else { word }
}

/// Words that are not only there for the sentence.
fn telling<'w>(name: &[&'w str]) -> Vec<&'w str> {
    name.iter().copied().filter(|word| !Class::Empty.contains(word)).collect()
}

/// The only line that is meant by a name.
fn called(lines: &[Numbered<'_>], name: &str) -> Option<usize> {
    let name = words(name);
    let found = meant(lines, &name.iter().map(|(_, word)| &**word).collect::<Vec<_>>())?;
    found.first().copied().filter(|_| found.len() == 1)
}

/// The lines that one name, number or place means; none if there is no such line. "#1" is the number of a row.
fn meant(lines: &[Numbered<'_>], name: &[&str]) -> Option<Vec<usize>> {
    let telling = telling(name);
    let placed = |word: &str| options::place(word, lines.len()).map(|place| lines[place].0);
    let those = |is_meant: &dyn Fn(&Numbered<'_>) -> bool| {
        lines.iter().filter(|line| is_meant(line)).map(|(number, _)| *number).collect::<Vec<usize>>()
    };
    let found = match telling.as_slice() {
        [] => vec![],
        [row] if row.starts_with('#') => {
            let row = row[1..].parse().ok();
            those(&|(_, line)| row.is_some() && line.known_row() == row)
        }
        [number] if let Ok(number) = number.parse::<usize>() => those(&|(own, _)| *own == number),
        [word] if placed(word).is_some() => placed(word).into_iter().collect(),
        telling => those(&|(_, line)| {
            let item = words(line.name().unwrap_or_default());
            telling.iter().all(|word| item.iter().any(|(_, own)| are_alike(own, word)))
        }),
    };
    (!found.is_empty()).then_some(found)
}

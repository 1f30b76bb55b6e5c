//! Grounding: finds the values in a model's changes that do not come from the person's words, today's date or their
//! settings. The person is shown these as assumptions, and the change waits for approval.

use std::ops::Range;

use serde_json::json;

use super::{
    category_preference::split_place,
    expense::{Expense, KIND, Line, words},
    lines,
    lookup::FILLERS,
    spoken_facts::{SpokenAmount, SpokenFacts, also_said, assumed, can_mean, has_word, money_fields},
};
use crate::{
    money::Money,
    phrases::{self, AmountMention, Class, Hedge, HedgeMention, Reading, part_of, plurals::are_alike},
    proposal::{Change, Note, Record},
    tool::ToolContext,
};

mod last_of_list;
mod names;
mod rows;

pub fn unsupported(changes: &[Change], context: &ToolContext<'_>) -> Vec<Note> {
    let mut facts = SpokenFacts::new(context, changes.len() > 1);
    let (mut unsupported, mut created, mut repriced) = (Vec::new(), Vec::new(), Vec::new());
    for change in changes {
        match change {
            Change::Create(draft) => {
                if let Some(expense) = Expense::of(draft) {
                    facts.check_expense(&expense, None, &mut unsupported);
                    let named = facts.check_place(&expense).or_else(|| facts.check_split_name(&expense));
                    unsupported.extend(named.filter(|note| !unsupported.contains(note)));
                    unsupported.extend(facts.check_repeated(&expense).or_else(|| facts.check_detached(&expense)));
                    created.push(expense);
                }
            }
            Change::Update { before, after } => {
                facts.check_row(before, &mut unsupported);
                if let Some(expense) = Expense::of(after) {
                    let existing = Expense::of(&before.draft);
                    facts.check_expense(&expense, existing.as_ref(), &mut unsupported);
                    if existing.is_none_or(|existing| existing.money != expense.money) {
                        repriced.push(expense);
                    }
                }
            }
            Change::Delete { before: row } | Change::Restore(row) => facts.check_row(row, &mut unsupported),
        }
    }
    if changes.iter().all(|change| matches!(change, Change::Create(_))) {
        let hedged = facts.check_hedges(&created, |_| true);
        if unsupported.is_empty() && hedged.is_none() {
            // The words were said, but not as a name.
            let is_none = |item: &str| phrases::is_a_fragment(item) || facts.is_activity(item);
            let fragment = created.iter().find(|expense| is_none(&expense.item));
            unsupported.extend(fragment.map(|expense| assumed("item", &*expense.item)));
            unsupported.extend(created.iter().filter_map(|expense| facts.check_day_in_name(expense)));
            unsupported.extend(facts.check_run_on_prices(&created));
        }
        unsupported.extend(hedged);
        unsupported.extend(facts.check_last_of_list(&created));
        unsupported.extend(facts.check_left_out(&created));
    }
    // "It should be 4" corrects an existing expense.
    unsupported.extend(facts.check_hedges(&repriced, |hedge| hedge == Hedge::Roughly));
    unsupported.extend(rows::check_left_out(changes, context));
    unsupported
}

impl SpokenFacts<'_> {
    /// Checks every value that differs from the existing expense.
    fn check_expense(&mut self, expense: &Expense, existing: Option<&Expense>, unsupported: &mut Vec<Note>) {
        let unsaid = existing
            .is_none_or(|existing| existing.money != expense.money)
            .then(|| self.match_amount(expense.money, existing.map(|existing| existing.money)))
            .flatten();
        if expense.lines.is_empty() {
            unsupported.extend(unsaid);
        } else {
            self.check_lines(expense, existing, unsaid, unsupported);
        }
        if existing.is_none_or(|existing| existing.date != expense.date) && !self.is_said_date(expense.date) {
            unsupported.push(assumed("date", json!(expense.date)).named(self.name_of(expense)));
        }
        let is_kept = |existing: &Expense| {
            let before = split_place(&existing.item, true).map(|(name, _)| name);
            existing.item == expense.item
                || expense.category.is_some() && before == Some(&expense.item)
                || self.is_said_change(&existing.item, &expense.item)
        };
        if !existing.is_some_and(is_kept) && !self.is_said(&expense.item) {
            unsupported.push(assumed("item", &*expense.item));
        }
        if let Some(category) = &expense.category
            && existing.is_none_or(|existing| existing.category != expense.category)
            && !self.is_said(category)
            && !are_alike(category, &expense.item.to_lowercase())
        {
            unsupported.push(assumed("category", &**category).named(self.name_of(expense)));
        }
        if let Some(notes) = &expense.notes
            && existing.is_none_or(|existing| existing.notes != expense.notes)
            && !self.is_said(notes)
            && !existing
                .and_then(|existing| existing.notes.as_deref())
                .is_some_and(|old| self.is_said_change(old, notes))
        {
            unsupported.push(assumed("notes", &**notes));
        }
    }

    /// Either the total is said, with one part as the rest or with equal parts; or all parts are said and the total is
    /// their sum.
    fn check_lines(
        &mut self,
        expense: &Expense,
        existing: Option<&Expense>,
        unsaid: Option<Note>,
        unsupported: &mut Vec<Note>,
    ) {
        let code = expense.money.currency;
        let same = |known: &Expense| lines::in_currency(&known.lines, known.money.currency, expense.money);
        let kept = |known: &Expense| (known.money.currency == code).then(|| known.lines.clone());
        let known = existing.and_then(|known| same(known).or_else(|| kept(known))).unwrap_or_default();
        let parts = |why: &str, lines: &[Line]| {
            assumed("lines", json!({ "currency": code.code(), "lines": lines })).because(why)
        };
        let mut open = Vec::new();
        for line in expense.lines.iter().filter(|line| !known.contains(line)) {
            let money = Money { minor: line.minor, currency: code };
            // A part has the currency of the total.
            if self.match_amount(money, Some(money)).is_some() {
                open.push(line);
            }
            let is_known = known.iter().any(|known| known.category == line.category);
            if !is_known && !self.is_said(&line.category) {
                unsupported.push(parts("category", std::slice::from_ref(line)));
            }
            if line.note.as_ref().is_some_and(|note| !self.is_said(note)) {
                unsupported.push(parts("remark", std::slice::from_ref(line)));
            }
        }
        let amounts = || expense.lines.iter().map(|line| line.minor);
        let odd = amounts().max() > amounts().min();
        let even = amounts().max() <= amounts().min().map(|least| least + 1);
        match (&unsaid, open.as_slice()) {
            (_, []) | (None, [_]) => {}
            (None, _) if even && self.says_equal() => {
                unsupported.extend(odd.then(|| parts("larger", &expense.lines[..1])));
            }
            _ => {
                unsupported.extend(unsaid);
                unsupported.push(parts("", &expense.lines));
            }
        }
    }

    /// Whether all words that came or went were said: "rename Tesco Express to Tesco", of "lunch at Tesco Express".
    fn is_said_change(&self, before: &str, after: &str) -> bool {
        let (before, after) = (words(before), words(after));
        let is_said_or_in = |word: &str, other: &str| has_word(other, word) || self.is_said(word);
        before.split_whitespace().all(|word| is_said_or_in(word, &after))
            && after.split_whitespace().all(|word| is_said_or_in(word, &before))
    }

    /// Words of the name that may mean another day than the expense has.
    fn check_day_in_name(&self, expense: &Expense) -> Option<Note> {
        let left = phrases::left_of_a_day(&expense.item)?;
        Some(assumed("date", json!(expense.date)).named(self.name_of(expense)).said(left))
    }

    fn says_equal(&self) -> bool {
        const EQUAL: [&str; 7] = ["half", "halves", "equal", "equally", "evenly", "fifty fifty", "50 50"];
        EQUAL.iter().any(|word| self.words.contains(&format!(" {word} ")))
    }

    /// For a note, if there are several.
    fn name_of(&self, expense: &Expense) -> Option<String> {
        self.several.then(|| expense.item.clone())
    }

    /// The row must have been named by its number or its words, or shown in the last answer.
    fn check_row(&self, row: &Record, unsupported: &mut Vec<Note>) {
        let numbered = self.context.names_row(&row.row_ref());
        let named = Expense::of(&row.draft).is_some_and(|expense| {
            let own = words(&expense.item);
            let mut telling = own.split_whitespace().filter(|word| !FILLERS.contains(word));
            telling.any(|word| self.words.contains(&format!(" {word} ")))
        });
        let priced = Expense::of(&row.draft)
            .is_some_and(|expense| self.amounts.iter().any(|spoken| spoken.is(expense.money, true)));
        if !(numbered || named || priced) {
            unsupported.push(Note::assumed_row(row.row_ref()));
        }
    }

    /// The messages that describe the new expenses. Only the last one, if it names them all.
    fn relevant_messages(&self, created: &[Expense]) -> &[String] {
        let said = self.context.user_messages;
        let last = words(said.last().map_or("", String::as_str));
        let named = |expense: &Expense| words(&expense.item).split_whitespace().all(|word| has_word(&last, word));
        if created.iter().all(named) { &said[said.len().saturating_sub(1)..] } else { said }
    }

    /// Amounts that were said but not proposed, except rejected alternatives, numbers in a name, and parts that were
    /// said again.
    fn check_left_out(&self, created: &[Expense]) -> Option<Note> {
        let is_divided = created.iter().any(|expense| !expense.lines.is_empty());
        let said = self.context.user_messages;
        let first = said.len() - if is_divided { 1 } else { self.relevant_messages(created).len() };
        let is_one =
            |reading: &Reading| created.iter().any(|expense| amounts_of(expense).any(|money| can_mean(reading, money)));
        let reader = self.context.reader();
        let of_message = |text: &String| {
            let mentions = reader.amounts(text).into_iter().filter(|mention| is_one(&mention.reading));
            mentions.map(|mention| mention.span).collect::<Vec<_>>()
        };
        let used: Vec<_> = said.iter().map(of_message).collect();
        let is_used = |spoken: &&SpokenAmount| {
            let answered = spoken.message + 1 < said.len();
            let text = &said[spoken.message];
            let corrected = || used[spoken.message].iter().any(|other| is_corrected(text, &spoken.span, other));
            // "80, my share is 20", answered with 20; "80, I paid half", answered with 40.
            let is_shared =
                || answered && (self.own_share(text, created).is_some() || self.is_chosen_part(text, created));
            // "3 or 4", answered with 3.
            let taken_back = || used[spoken.message].iter().any(|other| is_either(text, &spoken.span, other));
            // "£5 turkey 30": a number after a price may be a price too.
            let behind = || used[spoken.message].iter().any(|other| other.end <= spoken.span.start);
            let named = created.iter().any(|expense| {
                let (item, number) = (words(&expense.item), words(&spoken.text));
                item.contains(&number) && !(item.ends_with(&number) && behind())
            });
            // "three pints, £5.60 each", answered with 16.80.
            let totals = |message: usize| self.totals(&said[message], created);
            let is_of_total = totals(spoken.message).iter().any(|total| total.contains(&spoken.span.start));
            let says_total = is_one(&spoken.reading) && (first..said.len()).any(|message| !totals(message).is_empty());
            // "12.50", chosen of what "twelve pounds fifty" may be.
            let is_chosen = || words(&said[spoken.message]) == words(&spoken.text);
            let repeats = is_one(&spoken.reading) && (answered || is_chosen());
            // "2" alone picks the second option of the question before.
            let picks = || {
                let is_digit = said[spoken.message].trim().trim_end_matches('.').parse().is_ok_and(|n: u8| n < 10);
                spoken.message > 0 && is_digit
            };
            let is_sum = || {
                created.len() > 1
                    && is_called_sum(text, spoken)
                    && sum(created).is_some_and(|sum| can_mean(&spoken.reading, sum))
            };
            named
                || is_sum()
                || is_of_total
                || says_total
                || repeats
                || corrected()
                || is_shared()
                || answered && taken_back()
                || picks()
        };
        let left = self.amounts.iter().filter(|spoken| spoken.message >= first && !is_used(spoken));
        let mut left: Vec<&str> = left.map(|spoken| spoken.text.as_str()).collect();
        left.dedup();
        (!left.is_empty()).then(|| also_said(left))
    }

    /// Words that make an amount doubtful, like "around 20" or "split with Anna".
    fn check_hedges(&self, created: &[Expense], is_meant: impl Fn(Hedge) -> bool) -> Option<Note> {
        let reader = self.context.reader();
        // "Split" does not mean shared if the expense has parts.
        let divided = created.iter().all(|expense| !expense.lines.is_empty());
        let (text, found) = self.relevant_messages(created).iter().rev().find_map(|text| {
            let amounts = reader.amounts(text);
            let is_price =
                |mention: &AmountMention| created.iter().any(|expense| can_mean(&mention.reading, expense.money));
            let is_used =
                |span: &Range<usize>| amounts.iter().any(|mention| mention.span == *span && is_price(mention));
            // "3 beers at 5.20 each" is the whole price where that is the total.
            let totals = self.totals(text, created);
            let is_of_total =
                |span: &Range<usize>| totals.iter().any(|total| total.start <= span.start && span.end <= total.end);
            let hedges = reader.hedges(text).into_iter().filter(|found| !is_of_total(&found.span));
            let own = self.own_share(text, created);
            let is_own = |found: &HedgeMention| {
                own.as_ref().is_some_and(|own| found.hedge == Hedge::Shared || own.contains(&found.span.start))
            };
            let is_settled = self.is_chosen_part(text, created);
            let is_answered = |found: &HedgeMention| is_settled && found.hedge == Hedge::Shared;
            let hedges = hedges.filter(|found| !is_own(found) && !is_answered(found));
            let mut hedges = hedges.filter(|found| found.amount.as_ref().is_none_or(is_used));
            let found = hedges.find(|found| is_meant(found.hedge) && (!divided || found.hedge != Hedge::Shared))?;
            Some((text, found))
        })?;
        let taken = match found.hedge {
            Hedge::Roughly => "roughly",
            Hedge::Each => "each",
            Hedge::Repeated => "repeated",
            Hedge::ToCome => "to_come",
            Hedge::Unsure => "unsure",
            Hedge::Shared => "shared",
            Hedge::NotMine => "not_mine",
            Hedge::NotSpent => "not_spent",
        };
        let mut priced =
            reader.amounts(text).into_iter().filter(|mention| Some(&mention.span) == found.amount.as_ref());
        let of_it =
            priced.next().and_then(|price| created.iter().find(|expense| can_mean(&price.reading, expense.money)));
        let money = of_it.or(created.first())?.money;
        Some(assumed("amount", money_fields(money)).because(taken).said(&text[found.span]))
    }

    /// The words that lead to 20 in "80, my share is 20", of what costs 20. "My half of the 80" may be half of it.
    fn own_share(&self, text: &str, created: &[Expense]) -> Option<Range<usize>> {
        let own = phrases::own_share(text)?;
        let said = self.context.reader().amounts(text);
        let share = said.iter().find(|mention| mention.span.start >= own.end).filter(|_| said.len() > 1)?;
        let is_meant = created.iter().any(|expense| can_mean(&share.reading, expense.money));
        is_meant.then_some(own.start..share.span.start)
    }

    /// "80, I paid half", answered with what is proposed: all of it, or the part.
    fn is_chosen_part(&self, text: &str, created: &[Expense]) -> bool {
        let reader = self.context.reader();
        let Some(parts) = reader.parts(text) else { return false };
        let answers = self.context.user_messages.iter().rev().take_while(|later| *later != text);
        let (said, answered) = (reader.amounts(text), answers.flat_map(|answer| reader.amounts(answer)));
        let answered: Vec<_> = answered.collect();
        created.iter().any(|expense| {
            let is_price = |reading: &Reading| can_mean(reading, expense.money);
            let is_part = |reading: &Reading| match reading {
                Reading::Exact(all) => part_of(all, parts).is_some_and(|part| is_price(&Reading::Exact(part))),
                Reading::Ambiguous(_) => false,
            };
            answered.iter().any(|found| is_price(&found.reading))
                && said.iter().any(|found| is_price(&found.reading) || is_part(&found.reading))
        })
    }

    /// The counts with a price of one whose total is proposed.
    fn totals(&self, text: &str, created: &[Expense]) -> Vec<Range<usize>> {
        let found = self.context.reader().multiples(text).into_iter();
        let proposed = found.filter(|found| created.iter().any(|expense| found.comes_to(expense.money)));
        proposed.map(|found| found.span).collect()
    }

    /// "Coffee 4", right after a coffee for 3: may be a new expense or a correction.
    fn check_repeated(&self, expense: &Expense) -> Option<Note> {
        const ANOTHER: [&str; 22] = [
            "another", "also", "too", "second", "more", "again", "new", "extra", "add", "log", "record", "put", "noch",
            "auch", "neu", "encore", "aussi", "autre", "otro", "otra", "también", "nuevo",
        ];
        let last = self.context.user_messages.last()?;
        let (item, told, is_known) = (words(&expense.item), words(last), phrases::tells_of_known(last));
        let is_it = |name: &str| {
            let name = words(name);
            name == item || is_known && name.split_whitespace().all(|word| has_word(&item, word))
        };
        // A waiting proposal may be meant, whatever the words.
        let answers = self.context.visible_answers.iter().filter(|answer| is_known || answer.proposes);
        let mut named = answers.flat_map(|answer| &answer.rows).filter_map(|row| {
            let name = row.name.as_deref().filter(|name| row.kind == KIND && is_it(name))?;
            let same_day = is_known || row.date == Some(expense.date);
            let same_price =
                row.amount == Some(expense.money.minor) && row.unit.as_deref() == Some(expense.money.currency.code());
            (same_day && !same_price).then_some(name)
        });
        let name = named.next().filter(|_| !told.split_whitespace().any(|word| ANOTHER.contains(&word)))?;
        Some(assumed("amount", money_fields(expense.money)).because("another").named(Some(name.to_owned())))
    }
}

/// "9.80 no wait 11.80": of the first.
fn is_corrected(text: &str, first: &Range<usize>, second: &Range<usize>) -> bool {
    text.get(first.end..second.start).is_some_and(phrases::corrects)
}

/// "3 or 4", in any order.
fn is_either(text: &str, one: &Range<usize>, other: &Range<usize>) -> bool {
    let between = if other.start < one.start { other.end..one.start } else { one.end..other.start };
    text.get(between).is_some_and(phrases::takes_back)
}

/// "milk 2, bread 1.50, total 3.50"
fn is_called_sum(text: &str, spoken: &SpokenAmount) -> bool {
    let before = text[..spoken.span.start].trim_end_matches(|mark: char| !mark.is_alphanumeric());
    let word = before.rsplit(' ').next().map(str::to_lowercase);
    word.is_some_and(|word| Class::SumWords.contains(word))
}

/// What they come to, in one currency.
fn sum(created: &[Expense]) -> Option<Money> {
    let currency = created.first()?.money.currency;
    let minors = created.iter().map(|expense| Some(expense.money.minor).filter(|_| expense.money.currency == currency));
    Some(Money { minor: minors.sum::<Option<i64>>()?, currency })
}

/// The total and the parts.
fn amounts_of(expense: &Expense) -> impl Iterator<Item = Money> {
    let minors = std::iter::once(expense.money.minor).chain(expense.lines.iter().map(|line| line.minor));
    minors.map(|minor| Money { minor, ..expense.money })
}

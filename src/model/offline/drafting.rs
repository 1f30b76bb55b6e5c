//! A text cut into the expenses it names, each with what is said of it.
//!
//! Nothing is asked, guessed or completed here.

use std::ops::Range;

use super::{
    draft::{Draft, Said, currency},
    means,
    naming::name_in,
    speech, wording,
};
use crate::phrases::{
    self, AmountMention, Class, CurrencyMention, DateMention, DateRange, DateReading, Hedge, HedgeMention, Multiple,
    Reader, Reading,
};
use crate::{
    money::{Currency, Money},
    only::Only,
    sorted::Sort,
};
pub(super) use days::day_within;
use days::is_open;
pub(super) use one_currency::in_one_currency;
pub(super) use sharing::unshared;

mod days;
mod filed;
mod headed;
mod one_currency;
mod prices;
mod sharing;

pub(super) fn drafts(text: &str, reader: Reader) -> Vec<Draft> {
    headed::drafts(text, reader).unwrap_or_else(|| drafts_beside(text, &Draft::default(), reader))
}

/// Whether each expense that it names is whole, and what came in is left out beside them.
pub(super) fn leaves_out_income(text: &str, reader: Reader) -> bool {
    let drafts = drafts(text, reader);
    let is_whole = |draft: &Draft| draft.item.is_some() && matches!(draft.amount, Said::Exactly(_));
    // "Anna owes me: cake 20, gift 30"
    let is_of_all = text.split_once(':').is_some_and(|(head, _)| speech::is_not_spent(head, reader));
    !is_of_all && drafts.len() < reader.amounts(text).len() && drafts.iter().all(is_whole)
}

/// The same, where something of the first was said before.
pub(super) fn drafts_beside(text: &str, said: &Draft, reader: Reader) -> Vec<Draft> {
    let (mut corrected, mut amounts) = uncorrected(text, reader);
    corrected.extend(take_sums(text, &mut amounts));
    prices::take_numbers_of_names(text, &mut amounts, reader);
    // "Due on the 30th", "booked for the 30th"
    let hedges = reader.hedges(text);
    let is_to_come = hedges.iter().any(|found| found.hedge == Hedge::ToCome);
    let is_led =
        |at: usize| wording::words(&text[..at]).iter().rev().take(2).any(|(_, word)| Class::For.contains(word));
    let settled = |found: DateMention| match is_to_come || is_led(found.span.start) {
        true => (found.span, days::only(found.reading)),
        false => (found.span, days::spent_on(found.reading, reader.today)),
    };
    let dates = reader.dates(text).into_iter().map(settled);
    let dates: Vec<_> = dates.collect();
    // "the bill was 88 this month, paid it today"
    let has_a_day = |range: DateRange| {
        let is_in = |day: &DateReading| matches!(day, DateReading::On(day) if range.from <= *day && *day <= range.to);
        amounts.len() == 1 && dates.iter().any(|(_, day)| is_in(day))
    };
    let ranges = reader
        .ranges(text)
        .into_iter()
        .filter(|found| found.range.from != found.range.to)
        .filter(|found| amounts.is_empty() || !phrases::is_paid_for(text, found, reader.today));
    let ranges: Vec<_> = ranges.map(|found| (found.span, found.range)).collect();
    // A span of days does not say which day.
    let (settled, open): (Vec<_>, Vec<_>) = ranges.iter().cloned().partition(|(_, range)| has_a_day(*range));
    let unsettled: Vec<_> = open.into_iter().map(|(span, _)| (span, DateReading::Ambiguous(Vec::new()))).collect();
    let mut times = [dates, unsettled].concat();
    times.iter_mut().filter(|(_, day)| is_open(day)).for_each(|(span, _)| days::take_in_part(text, span));
    if amounts.is_empty() {
        amounts.extend(days::price_of_namesake(text, &mut times, reader));
        days::aim(text, &mut times, reader);
    }
    let is_behind = |span: &Range<usize>| amounts.iter().any(|found| found.span.end + 1 == span.start);
    let is_payer = |found: &&HedgeMention| match found.hedge {
        Hedge::NotMine => true,
        // "Coffee about 5 at Costa"
        Hedge::Roughly => found.amount.is_some(),
        Hedge::Repeated => found.amount.is_some() || is_behind(&found.span),
        _ => false,
    };
    let payers = hedges.iter().filter(is_payer).map(|found| found.span.clone()).collect();
    let says_own = wording::says(text, Class::OfMine);
    let own = says_own.then(|| phrases::own_share(text)).flatten().filter(|own| {
        let next = wording::first_word(&text[own.end..]);
        Class::WasOrIs.contains(&next) || next.starts_with(|first: char| first.is_ascii_digit())
    });
    // "cinema tickets 2 x 11.50": not "2 tickets 11.50 each"
    let is_in_doubt =
        |found: &AmountMention| matches!(&found.reading, Reading::Ambiguous(options) if options.len() < 2);
    let is_of_one = || hedges.iter().any(|found| found.hedge == Hedge::Each);
    let may_be_each = amounts.iter().any(is_in_doubt) || is_of_one();
    let multiples = if may_be_each { reader.multiples(text) } else { vec![] };
    let is_bare = |found: &&Multiple| {
        !text[found.span.start..found.amount.start].contains(|letter: char| letter.is_alphabetic() && letter != 'x')
    };
    let counts = multiples.iter().filter(is_bare).map(|found| found.span.clone());
    // "each" behind a price
    let of_one = multiples.iter().filter(|found| !is_bare(found)).map(|found| found.amount.end..found.span.end);
    let tags = filed::tags(text);
    let beside = filed::beside(text, &amounts, reader);
    let categories: Vec<_> = tags.iter().map(|tag| tag.start + 1..tag.end).chain(beside).collect();
    // "pizza 40, my half is 20": one of the two was spent.
    let share = own.as_ref().and_then(|own| amounts.iter().find(|found| found.span.start >= own.end));
    let share = share.map(|found| found.reading.all().to_vec()).filter(|_| amounts.len() > 1);
    let explained = own
        .into_iter()
        .chain(corrected)
        .chain(counts)
        .chain(of_one)
        .chain(settled.into_iter().map(|(span, _)| span))
        .chain(tags)
        .chain(categories.clone())
        .collect();
    let mut marked = Marked { text, said, amounts, times, ranges, payers, explained, categories, noted: vec![] };
    let segments = marked.spent(marked.segments(), reader);
    if segments.len() > 1 {
        marked.note_means(&segments, reader);
    }
    let mut drafts: Vec<Draft> = segments.iter().map(|segment| marked.draft(segment)).collect();
    // Semicolons part the lines of a list by now.
    let mut start = 0;
    for line in segments.chunk_by(|one, next| !text[one.end..next.start].contains(';')) {
        let days = marked.days_of(line).into_iter().flatten();
        drafts[start..].iter_mut().zip(days).for_each(|(draft, day)| draft.date = Some(day));
        start += line.len();
    }
    marked.relate_days(&segments, &mut drafts, reader);
    if let ([Draft { amount: amount @ Said::Exactly(_), .. }], Some(share)) = (&mut drafts[..], share)
        && let Said::Exactly(all) = &amount
        && !share.contains(all)
    {
        *amount = Said::OneOf([vec![all.clone()], share].concat());
    }
    // "3 bagels at 2.50 each" come to 7.50; of "4 friends 20 each" either may be meant.
    for (draft, segment) in drafts.iter_mut().zip(&segments) {
        let each = multiples.iter().find(|found| segment.contains(&found.amount.start));
        let Some([all, one]) = each.and_then(Multiple::prices) else { continue };
        let is_sure = each.is_some_and(|each| each.is_sure);
        match &draft.amount {
            Said::Exactly(price) if is_sure && *price == one => draft.amount = Said::Exactly(all),
            Said::OneOf(options) if options.len() < 2 && is_sure => draft.amount = Said::Exactly(all),
            Said::OneOf(options) if options.len() < 2 => draft.amount = Said::OneOf(vec![all, one]),
            _ => {}
        }
    }
    drafts
}

/// "uber 9.80 no wait 11.80": what was taken back, up to what is said in its place, and the amounts without it.
fn uncorrected(text: &str, reader: Reader) -> (Vec<Range<usize>>, Vec<AmountMention>) {
    let mut amounts = reader.amounts(text);
    let mut corrected = Vec::new();
    for at in (1..amounts.len()).rev() {
        let (first, second) = (amounts[at - 1].span.clone(), amounts[at].span.clone());
        if text.get(first.end..second.start).is_some_and(phrases::corrects) {
            corrected.push(first.start..second.start);
            amounts.remove(at - 1);
        }
    }
    (corrected, amounts)
}

/// "Balance: £340", "milk 2, bread 1.50, total 3.50": what is no price of anything, with the words that say so.
fn take_sums(text: &str, amounts: &mut Vec<AmountMention>) -> Vec<Range<usize>> {
    let minor = |found: &AmountMention| match &found.reading {
        Reading::Exact(value) => Money::parse(value, Currency::GBP).ok().map(|money| money.minor),
        Reading::Ambiguous(_) => None,
    };
    let mut sums = Vec::new();
    for at in (1..amounts.len()).rev() {
        let between = text.get(amounts[at - 1].span.end..amounts[at].span.start).unwrap_or_default();
        // The part of the sentence that the amount ends.
        let clause = between.trim_end().rfind(['.', ',', ';']).map_or(between, |mark| &between[mark..]);
        let words = wording::words(clause);
        let Some((_, last)) = words.last() else { continue };
        let are_only = |class: Class| words.iter().rev().skip(1).all(|(_, word)| class.contains(word));
        // What would come to something else is asked about.
        let before = amounts[..at].iter().map(minor).sum::<Option<i64>>();
        let in_one_currency = || amounts[..at].iter().all(|found| found.currency == amounts[0].currency);
        let fits = || amounts[at].currency == amounts[0].currency || amounts[at].currency == CurrencyMention::None;
        let is_sum = Class::SumWords.contains(last) && at > 1 && before.is_some() && before == minor(&amounts[at]);
        let is_sum = is_sum && words.len() == 1 && in_one_currency() && fits();
        // "new balance 80" is a pair of shoes.
        let is_balance = Class::Balance.contains(last) && (words.len() > 1 || clause.contains(':'));
        if is_sum || is_balance && are_only(Class::BeforeBalance) {
            let start = amounts[at].span.start - clause.len();
            sums.push(start..amounts.remove(at).span.end);
        }
    }
    sums
}

/// What a text says about amounts and days, and where.
struct Marked<'t> {
    text: &'t str,
    /// What was said before of the first.
    said: &'t Draft,
    amounts: Vec<AmountMention>,
    times: Vec<(Range<usize>, DateReading)>,
    ranges: Vec<(Range<usize>, DateRange)>,
    /// "My wife bought", "twice": who paid, and how often.
    payers: Vec<Range<usize>>,
    /// "2 x", "my half", "#food": what else is no part of a name.
    explained: Vec<Range<usize>>,
    categories: Vec<Range<usize>>,
    /// How one of several was paid.
    noted: Vec<Range<usize>>,
}

impl Marked<'_> {
    /// One for each expense. What has no amount belongs to what comes next, as in "fish and chips 12".
    fn segments(&self) -> Vec<Range<usize>> {
        let mut segments: Vec<Range<usize>> = Vec::new();
        for piece in self.pieces() {
            let is_open = segments.last().is_some_and(|current| !self.is_priced(current));
            let piece = match self.aside(&piece, is_open) {
                Some(own) if self.item(&own).is_none() && !segments.is_empty() => match is_open && self.is_priced(&own)
                {
                    true => own,
                    false => continue,
                },
                Some(own) => own,
                None => piece,
            };
            let is_second = segments.len() == 1;
            let Some(current) = segments.last_mut() else {
                segments.push(piece);
                continue;
            };
            let (priced, item) = (self.is_priced(&piece), self.item(&piece));
            let named = item.is_some();
            // "parking 8, ridiculous"
            let is_remark = |item: String| wording::words(&item).iter().all(|(_, word)| Class::Remarks.contains(word));
            let explains =
                || phrases::aside(self.text[piece.clone()].trim_start()).is_some_and(|words| words.start == 0);
            if !priced && item.is_some_and(|item| is_remark(item) || explains()) {
                continue;
            }
            // Behind something else, where somebody was has a day of its own.
            if priced && named && is_second && self.is_occasion(current, &piece) {
                *current = piece;
                continue;
            }
            let instead = priced && !named && phrases::takes_back(&self.text[piece.clone()]);
            // A line of a list is of its own, whatever it lacks.
            let is_line = named
                && self.text[current.end..piece.start].contains(';')
                && (self.is_priced(current) || self.item(current).is_some());
            let known = if is_second { self.said } else { &Draft::default() };
            let is_paid = known.amount != Said::Nothing && self.item(current).is_some();
            let is_named = known.item.is_some() && self.is_priced(current);
            let is_open =
                || !is_paid && !self.is_priced(current) || !priced && !is_named && self.item(current).is_none();
            // "pizza 12.99, dominos", "milk 2 holland & barrett": the only price is of all that stands apart behind it.
            let is_beside = || {
                let [price] = &self.amounts[..] else { return false };
                let is_shop = || {
                    let (shop, mark) = (price.span.end..current.end, current.end..piece.start);
                    self.text[mark].trim() == "&" && self.item(&shop).is_some()
                };
                let between = || &self.text[price.span.end..piece.start];
                current.contains(&price.span.start) && (between().contains([',', ';', '.']) || is_shop())
            };
            let goes_on = instead || !priced && (is_paid || !named || is_beside()) || !is_line && is_open();
            if goes_on { current.end = piece.end } else { segments.push(piece) }
        }
        segments.into_iter().flat_map(|segment| self.in_a_row(segment)).collect()
    }

    /// "shoes 60 instead of 90", "20 of it tip": what is before words that only explain a price. Grounding asks about an
    /// amount that is left behind. Of what has no price yet they
    /// say one: "pizza, £23.40 incl delivery", "a taxi, my half was 7".
    fn aside(&self, piece: &Range<usize>, is_open: bool) -> Option<Range<usize>> {
        let words = phrases::aside(&self.text[piece.clone()])?;
        let (start, end) = (piece.start + words.start, piece.start + words.end);
        let said = wording::first_word(&self.text[start..end]);
        let mut own = piece.start..start;
        if is_open && self.explained.contains(&(start..end)) {
            return None;
        }
        // "60 (20 of which was tip)"
        let prices = self.prices(&own);
        if let [.., part] = prices[..]
            && (prices.len() > 1 || is_open)
            && Class::OfPart.contains(&said)
            && self.text[part.span.end..start].trim().is_empty()
        {
            own.end = part.span.start;
        }
        let is_bare = self.item(&own).is_none();
        // "my half of the rent 450"
        let link = wording::words(&self.text[end..piece.end]).into_iter().next();
        if let Some((link, _)) = link.filter(|(_, word)| Class::OfSomebody.contains(word))
            && is_bare
            && Class::OfMine.contains(&*said)
        {
            return Some(end + link.end..piece.end);
        }
        (self.is_priced(piece) && (self.is_priced(&own) || is_bare)).then_some(own)
    }

    /// "I went shopping yesterday and spent 85 at Zara", "got back from the gym, coffee 3": where somebody was when it was spent.
    fn is_occasion(&self, clause: &Range<usize>, next: &Range<usize>) -> bool {
        let of = |range: &Range<usize>| wording::words(&self.text[range.clone()]);
        let spends = of(next)
            .iter()
            .find(|(_, word)| !Class::SpendsThen.contains(word))
            .is_some_and(|(_, word)| Class::SpentBeforeName.contains(word));
        let came_back = || {
            let said = of(clause);
            said.windows(3).any(|of| Class::CameBack.contains(&of[0].1) && of[1].1 == "back" && of[2].1 == "from")
        };
        (spends || came_back())
            && !self.is_priced(clause)
            && of(clause).iter().any(|(_, word)| Class::Being.contains(word))
    }

    /// "cinema 9.50 popcorn 4.20 coke 3" names three, each before its price. A day between two prices may belong to
    /// either, and a number that a word leads on from is of the name: "table for 4 at Nando's 60".
    fn in_a_row(&self, segment: Range<usize>) -> Vec<Range<usize>> {
        let prices = self.prices(&segment);
        if prices.len() < 2 {
            return vec![segment];
        }
        // "£3 coffee £2 tea"
        if let Some(parts) = self.priced_first(&segment) {
            return parts;
        }
        let mut parts = Vec::new();
        let mut from = segment.start;
        for found in &prices {
            parts.push(from..found.span.end);
            from = found.span.end;
        }
        let rest = wording::trimmed(&self.text[from..segment.end], &[Class::NamingFront], &[Class::BehindItem]);
        let opens = |part: &Range<usize>| Class::LeadsOn.contains(wording::first_word(&self.text[part.clone()]));
        let is_one_of = prices.windows(2).any(|pair| self.is_either(pair[0], pair[1]));
        let named = parts.iter().all(|part| self.item(part).is_some()) && !parts.iter().skip(1).any(opens);
        let dated = self.days(&segment).next().is_some();
        if is_one_of || !named || dated || !rest.is_empty() {
            return vec![segment];
        }
        parts
    }

    fn priced_first(&self, segment: &Range<usize>) -> Option<Vec<Range<usize>>> {
        let prices = self.prices(segment);
        let starts: Vec<usize> = prices.iter().map(|found| found.span.start).collect();
        let ends = starts[1.min(starts.len())..].iter().copied().chain([segment.end]);
        let parts: Vec<Range<usize>> = starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
        let opens =
            wording::trimmed(&self.text[segment.start..*starts.first()?], &[Class::NamingFront], &[Class::BehindItem])
                .is_empty();
        let all = prices.iter().all(|found| found.currency != CurrencyMention::None)
            && parts.iter().all(|part| self.item(part).is_some());
        (parts.len() > 1 && opens && all && self.days(segment).next().is_none()).then_some(parts)
    }

    fn pieces(&self) -> Vec<Range<usize>> {
        let taken = |at: usize| {
            let amount = self.amounts.iter().any(|found| found.span.contains(&at));
            let is_taken = |spans: &[Range<usize>]| spans.iter().any(|span| span.contains(&at));
            amount || self.times.iter().any(|(span, _)| span.contains(&at)) || is_taken(&self.explained)
        };
        // "back from the shops. spent 34"
        let ends = |at: usize| {
            let next = &self.text[at + 1..];
            let word = wording::first_word(next);
            next.starts_with(' ') && (Class::SpentBeforeName.contains(&word) || Class::Remarks.contains(&word))
        };
        // "M&S"
        let is_within = |at: usize| {
            self.text[..at].ends_with(char::is_alphabetic) && self.text[at + 1..].starts_with(char::is_alphabetic)
        };
        let parts = |(at, mark): &(usize, char)| match mark {
            '&' => !is_within(*at),
            '.' => ends(*at) || self.amounts.iter().any(|found| found.span.end == *at),
            _ => ",;+".contains(*mark),
        };
        let marks = self.text.char_indices().filter(parts).map(|(at, _)| at..at + 1);
        let words = wording::words(self.text)
            .into_iter()
            .filter(|(_, word)| Class::PartsExpenses.contains(word))
            .map(|(span, _)| span);
        let joins = |cut: &Range<usize>| {
            self.amounts.windows(2).any(|pair| {
                pair[0].span.end <= cut.start && cut.end <= pair[1].span.start && self.is_either(&pair[0], &pair[1])
            })
        };
        let is_cut = |cut: &Range<usize>| {
            !taken(cut.start) && !joins(cut) && !self.is_of_one_price(cut) && !self.is_in_brackets(cut)
        };
        let mut cuts: Vec<Range<usize>> = marks.chain(words).filter(is_cut).collect();
        cuts.put_in_order_of(|cut| cut.start);
        let mut pieces = Vec::new();
        let mut from = 0;
        for cut in cuts {
            pieces.push(from..cut.start.max(from));
            from = cut.end.max(from);
        }
        pieces.push(from..self.text.len());
        pieces.retain(|piece| !self.text[piece.clone()].trim().is_empty());
        if pieces.is_empty() {
            pieces.push(0..self.text.len());
        }
        pieces
    }

    /// "tesco 30 (milk, bread and cheese)": what stands in brackets without a price is no expense of its own.
    fn is_in_brackets(&self, cut: &Range<usize>) -> bool {
        let open = self.text[..cut.start].rfind('(').filter(|open| !self.text[*open..cut.start].contains(')'));
        let close = self.text[cut.end..].find(')').map(|at| cut.end + at);
        let is_priced = |(open, close)| self.amounts.iter().any(|found| (open..close).contains(&found.span.start));
        open.zip(close).is_some_and(|brackets| !is_priced(brackets))
    }

    fn is_priced(&self, segment: &Range<usize>) -> bool {
        self.amounts.iter().any(|found| segment.contains(&found.span.start))
    }

    fn days(&self, segment: &Range<usize>) -> impl Iterator<Item = &(Range<usize>, DateReading)> {
        self.times.iter().filter(|(span, _)| segment.contains(&span.start))
    }

    fn item(&self, segment: &Range<usize>) -> Option<String> {
        let times = self.days(segment).map(|(span, _)| self.with_all(segment, span));
        let prices = self.prices(segment);
        let before = |found: &AmountMention| self.before_price(segment.start..found.span.start);
        let amounts = prices.iter().map(|found| before(found)..self.past_of(segment, found.span.end));
        let either = prices.windows(2).filter(|pair| self.is_either(pair[0], pair[1]));
        let either = either.map(|pair| pair[0].span.start..pair[1].span.end);
        let filed = self.filed(segment).map(|(words, _)| words);
        let is_inside = |span: &Range<usize>| segment.start <= span.start && span.end <= segment.end;
        let said = times.chain(amounts).chain(either).chain(self.explained.iter().cloned()).chain(filed);
        let said: Vec<_> = said.filter(is_inside).collect();
        let named = |payers: &[Range<usize>]| {
            let spans = said.iter().chain(payers).filter(|span| is_inside(span));
            let inner = spans.map(|span| span.start - segment.start..span.end - segment.start);
            let text = wording::without(&self.text[segment.clone()], inner, &[Class::NamingLeads]);
            // "coffee @ Costa"
            let text = in_one(&text.replace(" @ ", " at ").replace(" @", " at "));
            let name = name_in(&text);
            (!name.is_empty() && !wording::is_filler(name)).then(|| name.to_owned())
        };
        // "Tom paid 25" names nothing else.
        named(&self.payers).or_else(|| named(&[]).filter(|_| !self.payers.is_empty()))
    }

    /// "12, dinner 25 all yesterday": the day, with the word that it was so of all.
    fn with_all(&self, segment: &Range<usize>, day: &Range<usize>) -> Range<usize> {
        let words = wording::words(&self.text[segment.start..day.start]);
        let last = words.iter().rev().find(|(_, word)| !Class::NamingLeads.contains(word));
        let all = last.filter(|(_, word)| Class::OfAll.contains(word));
        // ", date 20 November", as in a form.
        let label = || {
            let (span, _) = last.filter(|(_, word)| Class::LabelOfDay.contains(word))?;
            self.text[segment.start..][..span.start].trim_end().ends_with(',').then_some(last?)
        };
        all.or_else(label).map_or(day.start, |(span, _)| segment.start + span.start)..day.end
    }

    /// "repair cost me 89 at the shop": where the words begin that only say whom it cost that.
    fn before_price(&self, before: Range<usize>) -> usize {
        let words = wording::words(&self.text[before.clone()]);
        let said: Vec<&str> = words.iter().map(|(_, word)| &**word).collect();
        // "I was charged 9.99 by Netflix", "he charged me 9": nothing stands before it that is a name.
        let names_none = |at: usize| {
            let before = if at > 0 { said[at - 1] } else { "" };
            Class::Passive.contains(before) || Class::OtherPerson.contains(before)
        };
        let is_last = |at: usize| Class::CostsSomebody.length(&said[at..]) == Some(said.len() - at);
        let costs = |at: &usize| is_last(*at) && !names_none(*at);
        (0..said.len()).find(costs).map_or(before.end, |at| before.start + words[at].0.start)
    }

    /// "60 de luz", "30 war Essen": past what only joins the name to the price before it.
    fn past_of(&self, segment: &Range<usize>, end: usize) -> usize {
        let after = &self.text[end..segment.end];
        let bare = wording::trimmed(&self.text[segment.start..end], &[Class::NamingFront], &[Class::BehindItem])
            .starts_with(|sign: char| !sign.is_alphabetic());
        let joins = |of: &str| {
            let rest = after.strip_prefix(' ')?.strip_prefix(of)?;
            (rest.starts_with(' ') || of.ends_with(['\'', '’'])).then_some(1 + of.len())
        };
        let length = Class::JoinsPriceToName.all().iter().find_map(|(of, _)| joins(of)).filter(|_| bare);
        end + length.unwrap_or(0)
    }

    fn draft(&self, segment: &Range<usize>) -> Draft {
        let prices = self.prices(segment);
        let named = prices.iter().filter(|found| found.currency != CurrencyMention::None);
        let currency = named.only().map_or(Said::Nothing, |one| currency(&one.currency));
        let amount = match prices[..] {
            [] => Said::Nothing,
            [AmountMention { reading: Reading::Exact(value), .. }] => Said::Exactly(value.clone()),
            _ => Said::OneOf(prices.iter().flat_map(|one| one.reading.all()).cloned().collect()),
        };
        let mut days: Vec<_> = self.days(segment).map(|(_, reading)| reading.clone()).collect();
        days.dedup();
        let date = match &days[..] {
            [] => None,
            [one] => Some(one.clone()),
            _ => Some(DateReading::Ambiguous(days.iter().flat_map(DateReading::days).copied().collect())),
        };
        let filed = self.filed(segment).map(|(_, name)| name);
        // An expense has one category, so other tags are noted.
        let is_other =
            |tag: &Range<usize>| segment.contains(&tag.start) && filed.as_ref() != Some(&(tag.start + 1..tag.end));
        let tags = filed::tags(self.text).into_iter().filter(is_other).map(|tag| self.text[tag].to_owned());
        let means = self.noted.iter().filter(|noted| segment.contains(&noted.start));
        let notes = means.map(|noted| self.text[noted.clone()].to_owned()).chain(tags);
        let notes = notes.reduce(|notes, more| notes + " " + &more);
        let category = filed.map(|name| self.text[name].to_owned());
        let numbered = self.numbered(segment, &prices);
        Draft { item: self.item(segment), numbered, amount, currency, date, category, notes, ..Draft::default() }
    }

    /// "got 20 from mum, lunch 8": beside what was spent, what came in is left out. Grounding says so.
    fn spent(&self, mut segments: Vec<Range<usize>>, reader: Reader) -> Vec<Range<usize>> {
        if segments.len() > 1 {
            let is_spent = |segment: &Range<usize>| {
                !self.is_priced(segment) || !speech::is_not_spent(&self.text[segment.clone()], reader)
            };
            let is_any = segments.iter().any(|segment| self.is_priced(segment) && is_spent(segment));
            segments.retain(|segment| !is_any || is_spent(segment));
        }
        segments
    }

    /// "train 20 by card, bus 3 in cash"
    fn note_means(&mut self, segments: &[Range<usize>], reader: Reader) {
        for segment in segments {
            let Some(means) = means::of(&self.text[segment.clone()], reader) else { continue };
            let [words, noted] =
                [means.words, means.noted].map(|span| segment.start + span.start..segment.start + span.end);
            self.explained.push(words);
            self.noted.push(noted);
        }
    }
}

/// "pizza, dominos": without the price, what stood on both sides of it.
fn in_one(text: &str) -> String {
    if ![" ,", ":,", ";", "- -"].iter().any(|marks| text.contains(marks)) {
        return text.to_owned();
    }
    let parts =
        text.split([',', ';']).flat_map(|part| part.split(" - ")).map(|part| part.trim_matches([' ', '-', ':']));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

//! What the person means by the last message, given the questions it may answer.
//!
//! Only the person's own words are interpreted. What the assistant showed and asked is data.

use super::{
    Call, Message, Question, Reply,
    adding::Adding,
    after_row, bulk,
    changing::Changing,
    corrections, drafting, entries, following,
    frames::{self, Meaning},
    intent::Intent,
    looking,
    options::{self, Asking, question_in},
    orders::{Order, points_at_it},
    parts, price_phrases, revising, rows, same_day, short_questions, small_talk, speech, splitting, suggesting,
    wording,
};
use crate::{
    phrases::{self, CATEGORIES, Class, Reader, interjections::OBJECTIONS, is_one_of, list_marks, yes_no},
    shown::Shown,
    sorted::Collect,
};

pub(super) fn reply(messages: &[Message], reader: Reader) -> Reply {
    if let [before @ .., Message::User(said)] = messages {
        let line = in_one_line(said, reader);
        // "Yes and tea 2", of what waits; "right and tight gin 30" is bought.
        let waits = before.last().and_then(Message::shown).is_some_and(|told| told.proposal.is_some());
        let yes = yes_no::joined_yes(&line).filter(|_| waits).map_or(0, str::len);
        let plain = plain(&line[yes..], reader);
        if plain != *said {
            // "Hello again" is more than "again".
            if let Some(reply @ Reply::Say(_)) = frames::read(&line, reader) {
                return reply;
            }
            return reply_to(&[before, &[Message::User(plain)]].concat(), reader);
        }
    }
    reply_to(messages, reader)
}

/// Without what only reacts to what was said before, and with the plain words for what something came to.
pub(super) fn plain(line: &str, reader: Reader) -> String {
    let told = after_reason(wording::after_reactions(line), reader);
    price_phrases::with_was(told, reader).unwrap_or_else(|| told.to_owned())
}

/// "Sam paid half, so make it 29": what is ordered, without why.
fn after_reason(line: &str, reader: Reader) -> &str {
    let words = wording::words(line);
    let is_so = |at: &usize| *at > 0 && Class::Therefore.contains(&*words[*at].1);
    let Some((so, _)) = (0..words.len()).rfind(is_so).map(|at| &words[at]) else { return line };
    let ordered = line[so.end..].trim_start();
    // "Dinner 58, Sam paid half so make it 29" names an expense of its own.
    let is_new = !reader.amounts(&line[..so.start]).is_empty();
    let is_of_it = !is_new && Order::read(ordered, reader).is_some_and(|order| points_at_it(&order.which));
    if is_of_it { ordered } else { line }
}

/// "lunch was 9" is said of a row; where the tools found none that is called so, it was bought.
pub(super) fn of_no_row(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [.., Message::User(said), Message::Assistant { calls, .. }, Message::Outcomes(outcomes)] = messages else {
        return None;
    };
    let ([call], [outcome]) = (&calls[..], &outcomes[..]) else { return None };
    let is_none = call.name == "update_expense" && outcome.nothing_found;
    let plain = |said: String| price_phrases::with_was(&said, reader).unwrap_or(said);
    let line = plain(in_one_line(said, reader));
    let states = |line: &String| speech::states_a_price(line, reader);
    // "USD", in which currency it was.
    let whole = || Some(plain(read_chain(&messages[..messages.len() - 2], reader)?.text)).filter(states);
    let line = Some(line).filter(|_| is_none)?;
    let line = if states(&line) { line } else { whole()? };
    let Order { which, new, .. } = Order::stating(&line, reader)?;
    if speech::is_of_price(&which) {
        return None;
    }
    let text = format!("{which} {new}");
    let adding = Adding::read(&line, &text, reader)?;
    adding.is_complete(reader).then(|| adding.reply(reader))
}

/// The last message is in one line and plain.
fn reply_to(messages: &[Message], reader: Reader) -> Reply {
    // "That's all" corrects nothing that was said before.
    if let [.., Message::Assistant { .. }, Message::User(said)] = messages
        && let Some(answer) = small_talk::said(said, reader)
    {
        let is_open = |shown: &Shown| shown.proposal.is_some() || !shown.waiting.is_empty() || shown.asked.is_some();
        let waits = messages.iter().rev().find_map(Message::shown).is_none_or(is_open);
        return Reply::Say(
            if answer == wording::UNDECIDED && !waits { wording::NOTHING_WAITING } else { answer }.to_owned(),
        );
    }
    if let Some(reply) = revised(messages, reader) {
        return reply;
    }
    if let Some(answered) = answered_late(messages, reader) {
        return answered.reply(reader);
    }
    let special = bulk::of_what_was_listed(messages, reader)
        .or_else(|| the_other(messages, reader))
        .or_else(|| corrections::read(messages, reader))
        .or_else(|| following::read(messages, |whole| reply(&[Message::User(whole.to_owned())], reader), reader));
    if let Some(reply) = special {
        return reply;
    }
    if let Some(reply) = after_row::read(messages, reader) {
        return reply;
    }
    let Some(Read { mut intent, text, .. }) = read_chain(messages, reader) else {
        return Reply::Say(wording::HELP.to_owned());
    };
    // While something waits, a name alone may be an answer to it in other words.
    let may_answer = match &intent {
        Intent::Yes | Intent::No => true,
        // "Was it 3 or 4, let me check" states no price.
        Intent::Add(adding) if text.split(',').any(yes_no::is_unsure) => !adding.is_complete(reader),
        Intent::Add(adding) => adding.is_a_name_alone(),
        _ => false,
    };
    if let Intent::Change(change) = &mut intent
        && !corrections::tells_several(messages)
    {
        change.take_last();
    }
    if let [.., told, _] = messages
        && told.shown().is_some_and(|shown| shown.proposal.is_some() || !shown.waiting.is_empty())
    {
        if may_answer {
            return Reply::Say(wording::NEITHER.to_owned());
        }
        if matches!(intent, Intent::Unknown | Intent::Look(Reply::Say(_))) && small_talk::is_about_what_waits(&text) {
            return Reply::Say(wording::WAITS.to_owned());
        }
    }
    same_day::with_day_before(messages, act(intent, &text, reader), reader)
}

/// What is said of what waits, if it was shown or mentioned last.
fn revised(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [.., told, Message::User(said)] = messages else { return None };
    let told = told.shown()?;
    let waiting = told.proposal.as_ref().or(told.mentioned.as_ref())?;
    if corrections::names_another_row(messages, waiting, reader) {
        return None;
    }
    let arguments = match &told.proposal {
        Some(_) if let Some(question) = revising::which_currency(said, reader) => return Some(Reply::Say(question)),
        Some(shown) => revising::read(shown, said, reader),
        None => revising::of_mentioned(told, said, reader),
    };
    Some(Reply::Calls(vec![Call { name: "revise_proposal", arguments: arguments? }]))
}

/// Of two that were offered, the one that was not picked. The question is answered anew with it.
fn the_other(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [
        before @ ..,
        asked @ Message::Assistant { .. },
        Message::User(picked),
        Message::Assistant { .. },
        Message::User(said),
    ] = messages
    else {
        return None;
    };
    let plain = wording::trimmed(said, &[Class::BeforeCorrection], &[Class::Please]);
    Class::TheOther.says(&plain.to_lowercase())?;
    let asking = question_in(std::slice::from_ref(asked));
    let offered = rows::offered(&asking);
    let other = match &offered[..] {
        [one, other] => {
            let taken = rows::picked(picked, &offered, reader)?;
            let left = if taken == one.row.id { other.row.id } else { one.row.id };
            format!("#{left}")
        }
        [] => options::other(picked, &asking)?.to_owned(),
        _ => return None,
    };
    let messages = [before, &[asked.clone(), Message::User(other)]].concat();
    Some(reply(&messages, reader))
}

/// What the last message means, with those before it that it goes on from.
struct Read {
    intent: Intent,
    text: String,
    /// What is still to be added, where something else was asked in the place of an answer.
    left: Option<Adding>,
}

fn read_chain(messages: &[Message], reader: Reader) -> Option<Read> {
    let mut turns = chain(messages, reader).into_iter().peekable();
    let (_, mut text, first) = turns.next()?;
    let mut intent = first.map_or_else(|| read(&text, reader), Intent::Change);
    // The question that a query came between, and what it was asked about.
    let mut left: Option<(Asking, Adding)> = None;
    while let Some((asking, answer, _)) = turns.next() {
        let asking = left.take().map_or(asking, |(open, _)| open);
        let answer = options::chosen(&answer, &asking).unwrap_or(answer);
        let (next, merged) = answered(intent.clone(), &text, &asking, &answer, reader);
        if let (Intent::Add(adding), Intent::Look(Reply::Calls(_))) = (&intent, &next)
            && !adding.is_complete(reader)
        {
            left = Some((asking, adding.clone()));
        }
        // "Hello" between a question and its answer changes neither, and nor does a query.
        if turns.peek().is_none() || !next.is_talk() && left.is_none() {
            (intent, text) = (next, merged);
        }
    }
    Some(Read { intent, text, left: left.map(|(_, adding)| adding) })
}

/// What is asked again behind the answer to a query, because nothing was added yet.
pub(super) fn left_open(messages: &[Message], reader: Reader) -> Option<String> {
    let [.., Message::User(_)] = messages else { return None };
    let asked = messages.iter().rev().find_map(Message::shown)?.asked.is_some();
    read_chain(messages, reader).filter(|_| asked)?.left?.asks_again(reader)
}

/// The day or the price of what is still to be added, said right behind the answer to a query. It might go on from that
/// answer, but it was asked for once more.
fn answered_late(messages: &[Message], reader: Reader) -> Option<Adding> {
    let [before @ .., Message::User(said)] = messages else { return None };
    let told = before.last()?.shown().filter(|told| told.asked.is_some() && told.list.is_some())?;
    let is_day = || match &reader.dates(said)[..] {
        [day] => wording::trimmed(&wording::without(said, std::slice::from_ref(&day.span), &[]), &[], &[]).is_empty(),
        _ => false,
    };
    let is_value = told.proposal.is_none() && (speech::is_price_only(said, reader) || is_day());
    match read_chain(messages, reader).filter(|_| is_value)?.intent {
        Intent::Add(adding) if adding.is_complete(reader) && adding.has_items() => Some(adding),
        _ => None,
    }
}

fn act(intent: Intent, said: &str, reader: Reader) -> Reply {
    match intent {
        Intent::Add(adding) if adding.is_a_name_alone() && is_one_of(&said.to_lowercase(), &CATEGORIES) => {
            let text = format!("How much did you pay for {said}? To see what you spent on it, say “show {said}”.");
            Reply::Ask(Question { text, options: Vec::new(), missing: vec!["amount"] })
        }
        Intent::Add(adding) => adding.reply(reader),
        Intent::Change(changing) => changing.reply(reader),
        Intent::Look(Reply::Say(text)) if text == wording::CANNOT_LOOK => {
            suggesting::did_you_mean(said, reader).map_or(Reply::Say(text), Reply::Ask)
        }
        Intent::Look(reply) => reply,
        Intent::Command(command) => command.reply(),
        Intent::Say(text) | Intent::Dropped(text) | Intent::Refused(text) => Reply::Say(text.to_owned()),
        Intent::Yes | Intent::No => Reply::Say(wording::NOTHING_WAITING.to_owned()),
        Intent::Unknown if let Some(reply) = short_questions::read(said, reader) => reply,
        Intent::Unknown if small_talk::is_out_of_scope(said) => Reply::Say(wording::OUT_OF_SCOPE.to_owned()),
        Intent::Unknown if let Some(question) = suggesting::did_you_mean(said, reader) => Reply::Ask(question),
        Intent::Unknown => Reply::Say(wording::UNKNOWN.to_owned()),
    }
}

fn read(text: &str, reader: Reader) -> Intent {
    if let Some(meaning) = frames::meaning(text, reader) {
        return match meaning {
            Meaning::Reply(reply) => Intent::Look(reply),
            Meaning::Command(command) => Intent::Command(command),
        };
    }
    if wording::first_word(text) == "slashcommand" {
        return Intent::Say(wording::UNKNOWN_COMMAND);
    }
    let command = wording::after_courtesies(text);
    if let Some(talk) = small_talk::read(text) {
        return talk.into();
    }
    if speech::is_no(text, reader) {
        return Intent::No;
    }
    // "no, the coffee was 4", "coffee was 4, not 3"
    // "I never bought the shoes, take them off"
    let ordered = || Order::read(text, reader).filter(|order| !order.states && !wording::is_negated(&order.which));
    let is_negated = wording::is_negated(text) && ordered().is_none();
    if (is_negated || OBJECTIONS.contains(&*wording::first_word(text)))
        && let Some(correction) = Changing::correction(text, reader)
    {
        return Intent::Change(correction);
    }
    if is_negated || options::number_first(text).is_some() {
        return Intent::Unknown;
    }
    if let Some(intent) = splitting::read(text, command, reader) {
        return intent;
    }
    // "Received 100 and spent 20 on lunch"
    let is_of_both = |why: &&str| *why == wording::NOT_SPENT && drafting::leaves_out_income(text, reader);
    if let Some(why) = speech::refusal(text, reader).filter(|why| !is_of_both(why)) {
        return Intent::Refused(why);
    }
    if let Some(reply) = bulk::read(text, command, reader) {
        return Intent::Look(reply);
    }
    if let Some(changing) = Changing::read(command, reader) {
        return Intent::Change(changing);
    }
    if let Some(reply) = frames::last(text, reader) {
        return Intent::Look(reply);
    }
    if let Some(correction) = Changing::correction(text, reader) {
        return Intent::Change(correction);
    }
    if let Some(order) = Order::read(text, reader).filter(Order::is_of_another) {
        return Intent::Change(Changing::of(&order.which, [("category".to_owned(), order.new.into())].inserted()));
    }
    match Adding::read(text, command, reader) {
        Some(adding)
            if adding.may_ask(text)
                && let Some(reply) = short_questions::of_a_name(text, reader) =>
        {
            Intent::Look(reply)
        }
        Some(adding) => Intent::Add(adding),
        None => Intent::Unknown,
    }
}

/// What is meant after a question was answered, and the words that say so.
fn answered(open: Intent, said: &str, asking: &Asking, answer: &str, reader: Reader) -> (Intent, String) {
    let fresh = read(answer, reader);
    let new = |intent| (intent, answer.to_owned());
    let merged = |intent| (intent, format!("{said} {answer}"));
    match (open, fresh) {
        // The words of an offered entry are an order too.
        (Intent::Command(_), fresh @ Intent::Command(_)) if entries::picked(answer, asking).is_none() => new(fresh),
        (Intent::Command(command), fresh) => match command.answered(asking, answer, reader) {
            Some(command) => merged(Intent::Command(command)),
            None => new(fresh),
        },
        (Intent::Add(adding), Intent::No) if !adding.is_complete(reader) || parts::asks(asking) => {
            new(Intent::Dropped(wording::NOT_ADDED))
        }
        (Intent::Change(changing), Intent::No) if changing.is_open(asking, reader) => {
            new(Intent::Dropped(wording::DROPPED))
        }
        (Intent::Change(changing), fresh) => match changing.answered(asking, answer, is_command(&fresh), reader) {
            Some(changing) => merged(Intent::Change(changing)),
            None => new(fresh),
        },
        (Intent::Add(adding), fresh @ (Intent::Refused(_) | Intent::Change(_))) if is_correction(&fresh) => {
            match corrected(adding, &fresh, asking, answer, reader) {
                Some(adding) => merged(Intent::Add(adding)),
                None => new(fresh),
            }
        }
        // There is nothing to say yes to: it is asked once more.
        (Intent::Add(adding), Intent::Yes) if !adding.is_complete(reader) => (Intent::Add(adding), said.to_owned()),
        (
            Intent::Add(_),
            fresh @ (Intent::Change(_) | Intent::Look(_) | Intent::Command(_) | Intent::Say(_) | Intent::Yes),
        ) => new(fresh),
        // "I don't know" names nothing that was bought.
        (Intent::Add(adding), Intent::Unknown)
            if !adding.has_items()
                && (wording::is_negated(answer)
                    || answer.contains('?')
                    || speech::is_no_statement(answer)
                    || yes_no::goes_on_after_yes(answer)) =>
        {
            new(Intent::Unknown)
        }
        (Intent::Add(adding), fresh) => {
            let whole = match &fresh {
                Intent::Add(other) => Some(other),
                _ => None,
            };
            match adding.answered(whole, asking, answer, reader) {
                Some(adding) => merged(Intent::Add(adding)),
                None => new(fresh),
            }
        }
        (Intent::Look(Reply::Ask(_)), fresh @ (Intent::Unknown | Intent::Add(_))) => {
            match (looking::answered(said, answer, reader), fresh) {
                (Some(reply), _) => merged(Intent::Look(reply)),
                (None, Intent::Add(adding)) if adding.is_complete(reader) => new(Intent::Add(adding)),
                (None, _) => new(Intent::Unknown),
            }
        }
        // An order by amount, which the tools have in one currency only.
        (Intent::Look(Reply::Calls(_)), fresh @ (Intent::Unknown | Intent::Add(_))) if asking.is_for("currency") => {
            looking::answered(said, answer, reader).map_or_else(|| new(fresh), |reply| merged(Intent::Look(reply)))
        }
        // After "no, the other one".
        (Intent::No, Intent::Unknown | Intent::Add(_)) if asking.is_for("expense") && !wording::is_negated(answer) => {
            merged(Intent::Change(Changing::deletion(answer, reader)))
        }
        (_, fresh) => new(fresh),
    }
}

fn is_correction(intent: &Intent) -> bool {
    match intent {
        Intent::Change(changing) => changing.corrects.is_some(),
        Intent::Refused(_) => true,
        _ => false,
    }
}

/// "no, it was 4" and "the coffee was 4" say what the coffee was, when that was asked.
fn corrected(adding: Adding, fresh: &Intent, asking: &Asking, answer: &str, reader: Reader) -> Option<Adding> {
    let about = match fresh {
        Intent::Change(changing) => {
            let says = |name: &str| {
                let points = Class::EachOfThem.contains(name) || Class::It.contains(name);
                points || !adding.has_items() || adding.is_about(name) || speech::is_of_price(name)
            };
            changing.corrects.as_deref().is_some_and(says)
        }
        _ => speech::is_price_only(answer, reader),
    };
    if adding.is_complete(reader) || !about {
        return None;
    }
    adding.answered(None, asking, answer, reader)
}

fn is_command(intent: &Intent) -> bool {
    match intent {
        Intent::Add(adding) => adding.explicit,
        Intent::Change(_) | Intent::Look(_) | Intent::Command(_) | Intent::Say(_) => true,
        Intent::Dropped(_) | Intent::Refused(_) | Intent::Yes | Intent::No | Intent::Unknown => false,
    }
}

/// The last message and those before it that it goes on from, each with the question it answers, and with the change of
/// the row that was shown just before.
fn chain(messages: &[Message], reader: Reader) -> Vec<(Asking, String, Option<Changing>)> {
    let mut turns = Vec::new();
    let mut rest = messages;
    while let Some((Message::User(text), before)) = rest.split_last() {
        let asked = before.iter().rposition(|message| matches!(message, Message::User(_)));
        let asking = question_before(before);
        let is_last = turns.is_empty();
        let said = if is_last { text.clone() } else { wording::after_reactions(&in_one_line(text, reader)).to_owned() };
        let english = if is_last { None } else { price_phrases::with_was(&said, reader) };
        let told = corrections::spoken_of(before, &said).filter(|_| asking.is_empty());
        let change = told.and_then(|told| corrections::of_known(told, &said, reader));
        // What was shown asks for a yes or a no, and for nothing that goes on from what was said before.
        let goes_on = !asking.is_empty() && !asking.proposes;
        turns.push((asking, english.unwrap_or(said), change));
        match asked {
            Some(at) if goes_on && turns.len() < LONGEST_CHAIN => rest = &messages[..=at],
            _ => break,
        }
    }
    turns.reverse();
    turns
}

const LONGEST_CHAIN: usize = 8;

/// The question that the next message may answer: of the last answer, or of one before it where those since show nothing.
fn question_before(messages: &[Message]) -> Asking {
    let mut rest = messages;
    loop {
        let said = rest.iter().rposition(|message| matches!(message, Message::User(_)));
        let told = &rest[said.map_or(0, |at| at + 1)..];
        let asking = question_in(told);
        let shows_nothing = || told.iter().all(|message| message.shown().is_none_or(|told| *told == Shown::default()));
        match said {
            Some(at) if asking.is_empty() && !told.is_empty() && shows_nothing() => rest = &rest[..at],
            _ => return asking,
        }
    }
}

/// A list of priced lines is a list of expenses; any other break between lines is only white space.
pub(super) fn in_one_line(text: &str, reader: Reader) -> String {
    let cleaned = text.lines().map(phrases::clean);
    let unmarked = cleaned.map(|line| list_marks::unnumbered(options::unmarked(&line)).to_owned());
    let mut lines: Vec<String> = unmarked.filter(|line| !line.is_empty()).collect();
    if lines.len() > 2 {
        lines = under_headings(lines, reader);
    }
    let priced = lines.iter().filter(|line| !reader.amounts(line).is_empty()).count();
    let line = phrases::clean(&lines.join(if priced > 1 { "; " } else { " " })).replace(" | ", ", ");
    let line = unlabelled(&line).or_else(|| noted(&line)).unwrap_or(line);
    let line = commanded(line, reader);
    Class::Uncategorised.all().iter().fold(line, |line, (said, sense)| line.replace(said, sense.says))
}

/// "Item: coffee Amount: 3.50", "amount 3.50, shop Costa", as forms are filled in. One label alone may be of a name.
fn unlabelled(line: &str) -> Option<String> {
    let (mut plain, mut from, mut count) = (String::new(), 0, 0);
    for (span, word) in wording::words(line) {
        let behind = line[span.end..].trim_start();
        let before = line[..span.start].trim_end();
        let begins = || before.is_empty() || before.ends_with([',', ';', ':']);
        // "paid with amex" is said of it.
        let is_bare = || begins() && !Class::BeforeMeans.contains(wording::first_word(behind));
        let value = behind.strip_prefix([':', '=']).or_else(|| is_bare().then_some(behind));
        if let Some((value, says)) = value.zip(Class::LabelOfForm.says(&word)) {
            plain.extend([&line[from..span.start], says, if says.is_empty() { "" } else { " " }]);
            (from, count) = (line.len() - value.trim_start().len(), count + 1);
        }
    }
    (count > 1).then(|| plain + &line[from..])
}

/// "note: with Anna", "add a note: with Anna", of what was spoken of.
fn noted(line: &str) -> Option<String> {
    let (lead, note) = line.split_once(':')?;
    let lead = wording::words(lead);
    let says = |class: Class| move |(_, word): &wording::Word<'_>| class.contains(word);
    let is_order = lead.iter().any(says(Class::WordsForNotes)) && lead.iter().all(says(Class::BeforeWordsForNotes));
    (is_order && !note.trim().is_empty()).then(|| format!("add a note that {}", note.trim()))
}

/// "/add coffee 3", as other bots are told. What only a command means has patterns of its own.
fn commanded(line: String, reader: Reader) -> String {
    let Some(rest) = line.strip_prefix(['/', '!', '$']).filter(|rest| rest.starts_with(char::is_alphabetic)) else {
        return line;
    };
    let command = format!("slashcommand {rest}");
    if frames::meaning(&command, reader).is_some() {
        return command;
    }
    let short = wording::first_word(rest);
    if let Some(verb) = Class::Slash.says(&short).filter(|_| !wording::rest(rest).is_empty()) {
        return format!("{verb} {}", wording::rest(rest));
    }
    let is_name = !Class::CommandOfOthers.contains(&short);
    match read(rest, reader) {
        // "/lunch 12"; the word of another command names nothing that was bought.
        Intent::Add(adding) if !adding.explicit => match wording::words(rest).get(1) {
            Some((span, _)) if is_name && rest[span.start..].starts_with(|it: char| it.is_ascii_digit()) => {
                rest.to_owned()
            }
            _ => command,
        },
        _ => rest.to_owned(),
    }
}

/// A line that is only a day is said of those after it; one that only announces them is no part of the first.
fn under_headings(lines: Vec<String>, reader: Reader) -> Vec<String> {
    let is_priced = |line: &String| !reader.amounts(line).is_empty();
    if lines.iter().filter(|line| is_priced(line)).count() < 2 {
        return lines;
    }
    let day = |line: &str| match reader.dates(line)[..] {
        [ref found] => wording::trimmed(&line[found.span.end..], &[], &[]).is_empty() && found.span.start == 0,
        _ => false,
    };
    // "Shopping", "milk 2", "bread 1.50": a title, with or without a colon.
    let is_named = |line: &String| is_priced(line) && line.starts_with(char::is_alphabetic);
    let is_title = || lines[0].ends_with(':') || lines[1..].iter().all(is_named);
    let announces = !is_priced(&lines[0]) && !day(&lines[0]) && is_title();
    let told = lines.iter().skip(usize::from(announces));
    let is_title_of_some = |line: &&String| line.ends_with(':') && !is_priced(line) && !day(line);
    let mut title = lines.first().filter(|_| announces && told.clone().any(|line| is_title_of_some(&line)));
    let are_parted = title.is_some();
    let mut heading = None;
    let mut under = Vec::new();
    for line in told {
        if day(line) && (heading.is_some() || under.is_empty()) {
            heading = Some(line.trim_end_matches(':'));
        } else if are_parted && is_title_of_some(&line) {
            title = Some(line);
        } else {
            let own = heading.filter(|_| reader.dates(line).is_empty());
            let line = own.map_or_else(|| line.clone(), |day| format!("{day}: {line}"));
            under.push(title.map_or(line.clone(), |title| format!("{line}, category {}", title.trim_end_matches(':'))));
        }
    }
    if are_parted {
        return under;
    }
    // "food:" is in which category they are.
    let is_category = |head: &str| CATEGORIES.contains(&head.to_lowercase().as_str()) || head.starts_with("in ");
    let head = lines[0].trim_end_matches(':');
    if let Some(first) = under.first_mut().filter(|_| announces && is_category(head)) {
        *first = format!("{head}: {first}");
    }
    under
}

//! What all readers make of every sentence that is known, as recorded in `tests/readings.txt`: a change of the rules shows
//! which sentences it reads otherwise.
//!
//! The ignored test adds the sentences of `tests/utterances`, `tests/conversations` and of the tests here, and records the
//! readings anew, to review the difference: `cargo test --lib readings_are_recorded -- --ignored`.

use std::{collections::BTreeSet, fmt::Write, fs, ops::Range, path::PathBuf};

use jiff::civil::date;

use super::{
    tests::{READER, shown_date},
    *,
};

#[test]
fn sentences_are_read_as_recorded() {
    let recorded = fs::read_to_string(folder(RECORD)).expect(RECORD);
    let read = readings(sentences_of(&recorded));
    let pairs = recorded.lines().zip(read.lines()).filter(|(before, now)| before != now);
    let changed: String = pairs.fold(String::new(), |mut changed, (before, now)| {
        let _ = writeln!(changed, "-{before}\n+{now}");
        changed
    });
    assert!(recorded == read, "these are read otherwise:\n{changed}");
    assert!(recorded.lines().count() > 5_000, "{RECORD} is not whole");
}

#[test]
#[ignore = "it writes the record"]
fn readings_are_recorded() {
    let mut sentences = sentences_of(&fs::read_to_string(folder(RECORD)).unwrap_or_default());
    sentences.extend(known_sentences());
    fs::write(folder(RECORD), readings(sentences)).expect(RECORD);
}

const RECORD: &str = "tests/readings.txt";

fn sentences_of(recorded: &str) -> BTreeSet<String> {
    recorded.lines().filter_map(|line| Some(line.split_once('\t')?.0.to_owned())).collect()
}

/// A line for each, read by four threads.
fn readings(sentences: BTreeSet<String>) -> String {
    let sentences: Vec<String> = sentences.into_iter().collect();
    let parts: Vec<String> = std::thread::scope(|scope| {
        let parts = sentences.chunks(sentences.len().div_ceil(4).max(1));
        let running: Vec<_> = parts.map(|part| scope.spawn(|| part.iter().map(|one| line(one)).collect())).collect();
        running.into_iter().map(|part| part.join().expect("it can be read")).collect()
    });
    parts.concat()
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn line(sentence: &str) -> String {
    let mut read = plain_readings(sentence);
    let plain = read_by(&READER, sentence);
    if !plain.is_empty() {
        read.push(plain.join(" "));
    }
    // Days that are counted from today, seen from another.
    if READER.times(sentence).iter().any(|found| found.when != periods::When::Day(DateReading::Ambiguous(Vec::new()))) {
        let other = Reader { today: date(2024, 2, 29), ..READER };
        read.push(format!("2024: {}", times(&other, sentence).join(" ")));
    }
    let is_foreign = openings::of(&READER.line(sentence)).foreign || !sentence.is_ascii();
    let tags: &[&str] = if is_foreign { &["en-US", "de-DE", "fr-FR", "es-ES"] } else { &["en-US"] };
    for tag in tags {
        let own = read_by(&Reader { conventions: Conventions::of_locale(tag), ..READER }, sentence);
        if own != plain {
            read.push(format!("{tag}: {}", own.join(" ")));
        }
    }
    format!("{sentence}\t{}\n", read.join(" | "))
}

/// What is read without a reader.
fn plain_readings(sentence: &str) -> Vec<String> {
    let span = |range: Range<usize>| format!("{}-{}", range.start, range.end);
    let mut read: Vec<String> =
        intents(sentence, &[]).into_iter().map(|found| format!("{:?}@{}", found.intent, span(found.span))).collect();
    read.extend(yes_no::read(sentence).map(|answer| format!("{answer:?}")));
    let people = possessors(sentence, &["Anna", "Tom"], None);
    read.extend(
        people
            .into_iter()
            .map(|found| format!("{:?}{}@{}", found.possessor, if found.may_own { "" } else { "?" }, span(found.span))),
    );
    read.extend(given_by(sentence).map(|found| format!("from@{}", span(found))));
    read.extend(aside(sentence).map(|found| format!("aside@{}", span(found))));
    read.extend(left_of_a_day(sentence).map(|left| format!("left:{left}")));
    read.extend(described(sentence).map(|what| format!("described:{what}")));
    let verdict = verdict(sentence);
    let told = [
        (takes_back(sentence), "takes-back"),
        (comes_in(sentence), "comes-in"),
        (tells_anew(sentence), "anew"),
        (is_a_fragment(sentence), "fragment"),
        (verdict == Some(Verdict::Unsure), "unsure"),
        (verdict == Some(Verdict::Undo), "undoes"),
        (verdict == Some(Verdict::Cancel), "cancels"),
    ];
    read.extend(told.into_iter().filter(|(is, _)| *is).map(|(_, name)| name.to_owned()));
    let how_often = frequency::foreign(&sentence.to_lowercase().split(' ').collect::<Vec<_>>());
    read.extend(how_often.map(|(words, unit)| format!("{unit:?}:{words}")));
    read
}

fn read_by(reader: &Reader, sentence: &str) -> Vec<String> {
    let lower = sentence.to_lowercase();
    let mut read = Vec::new();
    for found in reader.amounts(sentence) {
        let number = match &found.reading {
            Reading::Exact(one) => one.clone(),
            Reading::Ambiguous(many) => format!("{}|", many.join("|")),
        };
        let currency = match &found.currency {
            CurrencyMention::None => String::new(),
            CurrencyMention::Known(one) => one.to_string(),
            CurrencyMention::Ambiguous(many) => {
                format!("?{}*{}", many.first().map_or("", |one| one.code()), many.len())
            }
        };
        let bound = if lower.len() == sentence.len() { bounds::bound(&lower, &found.span) } else { None };
        let bound = bound.map_or(String::new(), |(bound, _)| format!("{bound:?}"));
        read.push(format!("{number}{currency}{bound}@{}-{}", found.span.start, found.span.end));
    }
    read.extend(times(reader, sentence));
    for found in reader.hedges(sentence) {
        let of = found.amount.map_or(String::new(), |amount| format!("/{}", amount.start));
        read.push(format!("{:?}{of}@{}-{}", found.hedge, found.span.start, found.span.end));
    }
    read.extend(reader.multiples(sentence).into_iter().map(|found| format!("{found:?}").replace(' ', "")));
    read
}

fn times(reader: &Reader, sentence: &str) -> Vec<String> {
    let shown = |found: periods::Found| {
        let when = match found.when {
            periods::When::Day(reading) => shown_date(reading),
            periods::When::Period(range) => format!("{}..{}", range.from, range.to),
        };
        format!("{when}@{}-{}", found.span.start, found.span.end)
    };
    reader.times(sentence).into_iter().map(shown).collect()
}

fn known_sentences() -> BTreeSet<String> {
    let files = |name: &str, ending: &str| {
        let entries = fs::read_dir(folder(name)).expect(name);
        let paths = entries.map(|entry| entry.expect(name).path());
        let paths = paths.filter(|path| path.to_string_lossy().ends_with(ending));
        paths.map(|path| fs::read_to_string(path).expect(name)).collect::<Vec<_>>()
    };
    let utterances = files("tests/utterances", ".txt").concat();
    let conversations = files("tests/conversations", ".md").concat();
    let named = ["foreign_tests", "language_tests", "money_tests", "related_tests", "spoken_tests", "/tests"];
    let tests = named.map(|name| files("src/phrases", &format!("{name}.rs")).concat()).concat();
    let spoken = conversations.lines().filter_map(|line| line.strip_prefix("you:")).map(|line| line.trim().to_owned());
    // Cases are in rows, so what is quoted is in one line.
    let quoted = tests.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| {
        let parts = line.split('"').skip(1).step_by(2);
        parts.map(str::to_owned).collect::<Vec<_>>()
    });
    let all = utterances.lines().map(unmarked).chain(spoken).chain(quoted);
    all.filter(|text| text.chars().any(char::is_alphanumeric) && !text.contains(['\t', '\\'])).collect()
}

/// "[coffee](subject) [3.50](amount)" without the marks of its slots.
fn unmarked(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((slot, after)) = after.split_once("](") else { break };
        text.push_str(before);
        text.push_str(slot);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    text + rest
}

#[test]
fn slots_are_read_without_their_marks() {
    assert_eq!(unmarked("spent [43](amount) on [clothes](subject) today"), "spent 43 on clothes today");
}

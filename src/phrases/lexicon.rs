//! Words as data: the classes that a word or phrase is of, from `lexicon/*.txt`.
//!
//! Only what a word can mean, never what it means in its sentence. A further language is a further file.

use std::{
    collections::HashMap,
    sync::{LazyLock, OnceLock},
};

use foldhash::fast::FixedState;
use smallvec::SmallVec;

use super::Language;

const FILES: [(Option<Language>, &str); 5] = [
    (None, include_str!("lexicon/any.txt")),
    (Some(Language::English), include_str!("lexicon/en.txt")),
    (Some(Language::German), include_str!("lexicon/de.txt")),
    (Some(Language::French), include_str!("lexicon/fr.txt")),
    (Some(Language::Spanish), include_str!("lexicon/es.txt")),
];

macro_rules! classes {
    ($($class:ident)*) => {
        /// The sections of the files. What a section says besides its class is the meaning of its words.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Class { $($class),* }

        const CLASSES: [Class; [$(Class::$class),*].len()] = [$(Class::$class),*];

        const CLASS_NAMES: [&str; CLASSES.len()] = [$(stringify!($class)),*];
    };
}

classes! {
    Add Adverb AfterNo AfterPhrase AfterSunOrSat Altogether And Apology Around Article Aside Asking
    AskingBeforePronoun AskingBeforeSubject AskingBeforeVerb AskingWithin Auxiliary BeforeCount BeforeDay
    BeforeMonth BeforeDayOfName BeforeDollar BeforeGiver BeforeHolidayWeekday BeforeName BeforeObject BeforeTransfer
    BeforeVerb BehindCameIn BehindDay Bill BoughtOnce BoundBefore BoundBehind Boundary Change Charity Cheap Choice
    Choosing Closed ClosedButNoun ClosedWithinName Closing CodeOrWord ComesBack CommonCode Connective Cost Counted
    CountedOrPriced Counting Country Courtesy Currency CurrencyInName CurrencyOrName Delete Describing Due Each
    EndOfSpan Every Everyone Forbidding Fraction FromHour FunctionWord Gift Got Having Holiday Hour InNoName
    Incoming IncomingBefore Instead Joining JoinsClauses LabelledPeriods Last LastBehind LastButOne
    LastButOneWeekday LastOrLatest LastWeekday Latest LeadToCount LeadToDay LeadToHour LeadToMeans LeadToOccasion
    LeadToSpan LeadToTransfer LengthOfTime Limiting LinkToSpan LongDay Look Meal MeansBehindPer MeansOfPayment
    Measure MinorUnit Month Myself NamedAfter NearToDay Negation NegationBehind Next NoCode NoExpense NoNameBegins
    NoNameEnds NoPlural NoTo NoTreat Note Number Numbered NumberedPart Objection Occasion OccasionAfterPrice OfKnown
    OfSunday OneOfMoney OnePeriod OpensSpan OpensTime OrderToBuy Ordinal OtherPerson OtherWeekday PaidAlone PaidBy
    PaidParticiple PartAt PartOfNumber PartOfSpan PartOfTime Passive Pause Paying Periods Place Places
    PluralAsSingular Point Pointing Polite Pound Praise PricedPeriod Pronoun Qualifier QualifierBefore
    QualifierBehind Reaction Relation Roughly Sale SaysFrench Scale Season Shared ShortDay ShortTime ShortWeekday
    Sigh Sign SinceMonth Speaker Spending StartOfSpan Subject Supposing TakesBack Telling This TimeZone Told
    Transfer Travel Unit VagueCount VagueTime Was WeakOrder Weekday Whole Wishing YesTo
}

/// One meaning of a word or phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sense {
    pub class: Class,
    /// None for what is the same in all.
    pub language: Option<Language>,
    /// "GBP" of `[currency GBP]`.
    pub says: &'static str,
}

impl Sense {
    /// 3 of `[month 3]`, or 0.
    pub fn number(&self) -> u64 {
        self.says.parse().unwrap_or(0)
    }
}

/// Of each class a bit.
type Bits = [u64; CLASSES.len().div_ceil(64)];

const NO_BITS: Bits = [0; CLASSES.len().div_ceil(64)];

/// What begins with a word.
#[derive(Debug, Default)]
pub struct Entry {
    /// Few words have more.
    word: SmallVec<[Sense; 2]>,
    /// The classes of the word.
    classes: Bits,
    /// The same, and those of the phrases that begin with it.
    begun: Bits,
    /// Those of several words, the longer first.
    phrases: Vec<(&'static str, Sense)>,
}

impl Entry {
    pub fn of(word: &str) -> &'static Entry {
        static NONE: Entry =
            Entry { word: SmallVec::new_const(), classes: NO_BITS, begun: NO_BITS, phrases: Vec::new() };
        LEXICON.entries.get(word).unwrap_or(&NONE)
    }

    pub fn has(&self, class: Class) -> bool {
        let (at, bit) = class.bit();
        self.classes[at] & bit != 0
    }

    /// Whether the word, or a phrase that begins with it, is of the class.
    pub fn begins(&self, class: Class) -> bool {
        let (at, bit) = class.bit();
        self.begun[at] & bit != 0
    }

    /// What the word can mean as one of the class.
    pub fn senses(&'static self, class: Class) -> impl Iterator<Item = &'static Sense> {
        self.word.iter().filter(move |sense| sense.class == class)
    }

    /// The phrases of several words of the class, the longer first.
    pub fn phrases(&'static self, class: Class) -> impl Iterator<Item = &'static (&'static str, Sense)> {
        self.phrases.iter().filter(move |(_, sense)| sense.class == class)
    }
}

struct Lexicon {
    entries: HashMap<&'static str, Entry, FixedState>,
    /// By class, in the order of the files.
    sections: Vec<Vec<(Phrases, Sense)>>,
    /// The phrases of the sections, once they are asked for. Most never are.
    listed: [OnceLock<Vec<(&'static str, Sense)>>; CLASSES.len()],
}

/// Words that phrases begin with. A table of this size is never made anew while the files are read.
const FIRST_WORDS: usize = 7_000;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let entries = HashMap::with_capacity_and_hasher(FIRST_WORDS, FixedState::default());
    let listed = [const { OnceLock::new() }; CLASSES.len()];
    let mut lexicon = Lexicon { entries, sections: vec![Vec::new(); CLASSES.len()], listed };
    for (language, file) in FILES {
        for (section, phrases) in sections(file) {
            let sense = sense(&NAMES, section, language).expect("a known section");
            lexicon.sections[sense.class as usize].push((phrases.clone(), sense));
            for phrase in phrases {
                // Byte by byte, like `Phrases`.
                let end = phrase.bytes().position(|byte| byte == b' ');
                let entry = lexicon.entries.entry(&phrase[..end.unwrap_or(phrase.len())]).or_default();
                let (at, bit) = sense.class.bit();
                entry.begun[at] |= bit;
                match end {
                    None => {
                        entry.classes[at] |= bit;
                        entry.word.push(sense);
                    }
                    Some(_) => entry.phrases.push((phrase, sense)),
                }
            }
        }
    }
    for entry in lexicon.entries.values_mut().filter(|entry| entry.phrases.len() > 1) {
        entry.phrases.sort_by_cached_key(|(phrase, _)| std::cmp::Reverse(phrase.matches(' ').count()));
    }
    lexicon
});

type Names = HashMap<String, Class, FixedState>;

static NAMES: LazyLock<Names> = LazyLock::new(names);

/// "bound before" of `BoundBefore`.
fn names() -> Names {
    let name = |(class, camel): (Class, &str)| {
        let mut name = String::with_capacity(2 * camel.len());
        for letter in camel.bytes() {
            if letter.is_ascii_uppercase() && !name.is_empty() {
                name.push(' ');
            }
            name.push(char::from(letter.to_ascii_lowercase()));
        }
        (name, class)
    };
    CLASSES.into_iter().zip(CLASS_NAMES).map(name).collect()
}

/// "bound before at least": the longest class that the section begins with, and the rest.
fn sense(names: &Names, section: &'static str, language: Option<Language>) -> Option<Sense> {
    let ends = section.match_indices(' ').map(|(end, _)| end).chain([section.len()]);
    let named = |end| Some((*names.get(&section[..end])?, section[end..].trim_start()));
    let (class, says) = ends.filter_map(named).next_back()?;
    Some(Sense { class, language, says })
}

/// The sections of a file: a name, and the phrases. A comment stands before a name.
pub(super) fn sections(file: &'static str) -> impl Iterator<Item = (&'static str, Phrases)> {
    file.split('[').filter_map(|section| section.split_once(']')).map(|(name, section)| (name, Phrases(section)))
}

/// What stands between commas and ends of lines, up to a comment. The patterns of `str::split` take five times as many instructions, and
/// every start of the program reads some thousands of phrases.
#[derive(Clone)]
pub(super) struct Phrases(&'static str);

impl Iterator for Phrases {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        let rest = self.0.trim_ascii_start();
        let bytes = rest.as_bytes();
        let mut end = 0;
        while end < bytes.len() && bytes[end] != b',' && bytes[end] != b'\n' {
            end += 1;
        }
        self.0 = rest.get(end + 1..).unwrap_or_default();
        Some(&rest[..end]).filter(|phrase| !matches!(phrase.as_bytes(), [] | [b'#', ..]))
    }
}

impl Class {
    fn bit(self) -> (usize, u64) {
        (self as usize / 64, 1 << (self as usize % 64))
    }

    /// By the name of its section.
    pub fn named(name: &str) -> Option<Class> {
        NAMES.get(name).copied()
    }

    pub fn contains(self, word: impl AsRef<str>) -> bool {
        Entry::of(word.as_ref()).has(self)
    }

    /// What a word of this class can mean.
    pub fn senses(self, word: &str) -> impl Iterator<Item = &'static Sense> {
        Entry::of(word).senses(self)
    }

    pub fn sense(self, word: &str) -> Option<&'static Sense> {
        self.senses(word).next()
    }

    /// Its phrases of several words that begin with that one, the longer first.
    pub fn phrases(self, first: &str) -> impl Iterator<Item = &'static (&'static str, Sense)> {
        Entry::of(first).phrases(self)
    }

    /// All of it, in the order of the files.
    pub fn all(self) -> &'static [(&'static str, Sense)] {
        let listed =
            |(phrases, sense): &(Phrases, Sense)| phrases.clone().map(|phrase| (phrase, *sense)).collect::<Vec<_>>();
        LEXICON.listed[self as usize].get_or_init(|| LEXICON.sections[self as usize].iter().flat_map(listed).collect())
    }

    /// What a whole phrase says as one of the class.
    pub fn says(self, phrase: &str) -> Option<&'static str> {
        self.all().iter().find(|(known, _)| *known == phrase).map(|(_, sense)| sense.says)
    }

    /// How many words the longest of its phrases has that they begin with.
    pub fn length(self, words: &[impl AsRef<str>]) -> Option<usize> {
        let first = words.first()?.as_ref();
        let whole = self.phrases(first).find_map(|(phrase, _)| super::phrase_length(phrase, words));
        whole.or_else(|| self.contains(first).then_some(1))
    }
}

/// Past all words of the class that it begins with, if more follows.
pub(super) fn past(words: &str, leads: Class) -> &str {
    let mut rest = words;
    while let Some((_, after)) = rest.split_once(' ').filter(|(first, _)| leads.contains(first)) {
        rest = after;
    }
    rest
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// That `sections` reads all of it.
    pub fn assert_format(file: &str) {
        let lines: Vec<&str> = file.lines().filter(|line| !line.is_empty()).collect();
        let is_misplaced = |pair: &&[&str]| pair[0].starts_with('#') && !pair[1].starts_with(['#', '[']);
        assert_eq!(lines.windows(2).find(is_misplaced), None, "a comment stands before a name");
        let has_marks = |line: &&&str| line.trim_start_matches(['#', '[']).contains(['#', '[']);
        assert_eq!(lines.iter().find(has_marks), None, "these marks begin lines");
        let has_gaps = |line: &&&str| !line.starts_with('#') && line.split(',').any(|phrase| phrase.trim().is_empty());
        assert_eq!(lines.iter().find(has_gaps), None, "there is a phrase between commas");
    }

    #[test]
    fn a_phrase_is_listed_once_in_a_section_and_every_section_is_known() {
        let names = names();
        for (language, file) in FILES {
            assert_format(file);
            let mut known = BTreeSet::new();
            for (section, phrases) in sections(file) {
                assert!(sense(&names, section, language).is_some(), "[{section}]");
                for phrase in phrases {
                    assert!(!phrase.starts_with(['#', '[']), "{phrase} in [{section}]");
                    assert!(known.insert((section, phrase)), "{phrase} twice in [{section}]");
                }
            }
        }
    }

    #[test]
    fn every_class_has_words() {
        for class in CLASSES {
            assert!(!class.all().is_empty(), "{class:?}");
        }
    }

    #[test]
    fn the_longest_phrase_counts() {
        assert_eq!(Class::Polite.length(&["can", "you", "please", "add"]), Some(3));
        assert_eq!(Class::Polite.length(&["can", "you", "add"]), Some(2));
        assert_eq!(Class::Polite.length(&["can", "he"]), None);
        assert_eq!(Class::Month.sense("märz").map(Sense::number), Some(3));
    }
}

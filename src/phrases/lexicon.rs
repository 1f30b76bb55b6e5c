//! Words as data: the classes that a word or phrase is of, from `lexicon/*.txt`.
//!
//! Only what a word can mean, never what it means in its sentence. A further language is a further file.

use std::{
    ops::Range,
    slice,
    sync::{LazyLock, OnceLock},
};

use super::{
    Language,
    word_table::{Place, WordTable, line},
};

// `TEXT` has all phrases, each on a line: those of a class together, in the order of the files. Then what they say.
include!(concat!(env!("OUT_DIR"), "/lexicon.rs"));

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

/// Of each section. They are made at the start: as a table of the program they need three times the space.
static SENSES: LazyLock<Vec<Sense>> = LazyLock::new(|| {
    let sense = |&(class, language, says): &(Class, _, Place)| Sense { class, language, says: says.of(TEXT) };
    SECTIONS.iter().map(sense).collect()
});

/// A word that phrases begin with, or that is one.
struct Word {
    /// Its only meaning, or where its meanings begin in `LISTS`; and how many they are.
    senses: (u16, u8),
    /// The same of the phrases in `PHRASES` that it begins.
    phrases: (u16, u16),
}

#[derive(Debug)]
struct Phrase {
    /// Where its line begins.
    start: u32,
    sense: u16,
}

/// Of each class a bit.
type Bits = [u64; CLASSES.div_ceil(64)];

const NO_BITS: Bits = [0; CLASSES.div_ceil(64)];

/// What a word can mean, and what begins with it, for whom many classes are asked for.
#[derive(Debug, Clone)]
pub struct Entry {
    pub found: Found,
    /// The classes of the word.
    classes: Bits,
    /// The same, and those of the phrases that begin with it.
    begun: Bits,
}

impl Entry {
    pub fn of(word: &str) -> Entry {
        let found = Found::of(word);
        let (mut classes, mut begun) = (NO_BITS, NO_BITS);
        let add = |bits: &mut Bits, sense: u16| {
            let (at, bit) = SECTIONS[usize::from(sense)].0.bit();
            bits[at] |= bit;
        };
        found.senses.iter().for_each(|sense| add(&mut classes, *sense));
        found.phrases.iter().for_each(|phrase| add(&mut begun, phrase.sense));
        classes.iter().zip(&mut begun).for_each(|(classes, begun)| *begun |= classes);
        Entry { found, classes, begun }
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

    /// The language of each of its meanings. `None` for one from a file of all languages.
    pub fn languages(&self) -> impl Iterator<Item = Option<Language>> + use<> {
        self.found.senses.iter().map(|sense| SENSES[usize::from(*sense)].language)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Found {
    senses: &'static [u16],
    /// Those of several words, the longer first.
    phrases: &'static [Phrase],
}

impl Found {
    fn of(word: &str) -> Found {
        let Some(at) = BY_WORD.find(word) else { return Found { senses: &[], phrases: &[] } };
        let Word { senses: (sense, senses), phrases: (phrase, phrases) } = &WORDS[at];
        Found {
            senses: match senses {
                1 => slice::from_ref(sense),
                _ => &LISTS[usize::from(*sense)..][..usize::from(*senses)],
            },
            phrases: &PHRASES[usize::from(*phrase)..][..usize::from(*phrases)],
        }
    }

    fn is(self, class: Class) -> bool {
        let sections = class.sections();
        self.senses.iter().any(|sense| sections.contains(sense))
    }

    /// What the word can mean as one of the class.
    pub fn senses(self, class: Class) -> impl Iterator<Item = &'static Sense> {
        let sections = class.sections();
        let senses = self.senses.iter().filter(move |sense| sections.contains(*sense));
        senses.map(|sense| &SENSES[usize::from(*sense)])
    }

    /// The phrases of several words of the class, the longer first.
    pub fn phrases(self, class: Class) -> impl Iterator<Item = (&'static str, &'static Sense)> {
        let sections = class.sections();
        let phrases = self.phrases.iter().filter(move |phrase| sections.contains(&phrase.sense));
        phrases.map(|phrase| (line(TEXT, phrase.start), &SENSES[usize::from(phrase.sense)]))
    }
}

/// The phrases of a section.
fn lines(sense: usize) -> impl Iterator<Item = &'static str> {
    let start = LENGTHS[..sense].iter().map(|length| usize::from(*length)).sum::<usize>();
    TEXT[start..][..usize::from(LENGTHS[sense])].split_terminator('\n')
}

impl Class {
    #[inline(always)]
    fn bit(self) -> (usize, u64) {
        (self as usize / 64, 1 << (self as usize % 64))
    }

    /// They stand together.
    #[inline(always)]
    fn sections(self) -> Range<u16> {
        CLASS_STARTS[self as usize]..CLASS_STARTS[self as usize + 1]
    }

    pub fn contains(self, word: impl AsRef<str>) -> bool {
        Found::of(word.as_ref()).is(self)
    }

    /// Whether a word is of any of them.
    pub fn any(classes: &[Class], word: &str) -> bool {
        let found = Found::of(word);
        classes.iter().any(|class| found.is(*class))
    }

    /// What a word of this class can mean.
    pub fn senses(self, word: &str) -> impl Iterator<Item = &'static Sense> + use<> {
        Found::of(word).senses(self)
    }

    pub fn sense(self, word: &str) -> Option<&'static Sense> {
        self.senses(word).next()
    }

    /// Its phrases of several words that begin with that one, the longer first.
    pub fn phrases(self, first: &str) -> impl Iterator<Item = (&'static str, &'static Sense)> + use<> {
        Found::of(first).phrases(self)
    }

    /// All of it, in the order of the files.
    pub fn all(self) -> &'static [(&'static str, &'static Sense)] {
        static LISTED: [OnceLock<Vec<(&str, &Sense)>>; CLASSES] = [const { OnceLock::new() }; CLASSES];
        LISTED[self as usize].get_or_init(|| {
            let sections = self.sections().map(usize::from);
            sections.flat_map(|at| lines(at).map(move |phrase| (phrase, &SENSES[at]))).collect()
        })
    }

    /// What a whole phrase says as one of the class.
    pub fn says(self, phrase: &str) -> Option<&'static str> {
        let sense = match phrase.split_once(' ') {
            None => self.sense(phrase),
            Some((first, _)) => self.phrases(first).find(|(known, _)| *known == phrase).map(|(_, sense)| sense),
        };
        sense.map(|sense| sense.says)
    }

    /// How many words the longest of its phrases has that they begin with.
    pub fn length(self, words: &[impl AsRef<str>]) -> Option<usize> {
        let first = words.first()?.as_ref();
        let whole = self.phrases(first).find_map(|(phrase, _)| phrase_length(phrase, words));
        whole.or_else(|| self.contains(first).then_some(1))
    }
}

/// Past all words that it begins with, as long as one leads to what follows it.
pub(super) fn past(words: &str, leads: impl Fn(&str, &str) -> bool) -> &str {
    let mut rest = words;
    while let Some((_, after)) = rest.split_once(' ').filter(|(first, after)| leads(first, after)) {
        rest = after;
    }
    rest
}

/// How many words a phrase has, when they begin with it.
pub fn phrase_length(phrase: &str, words: &[impl AsRef<str>]) -> Option<usize> {
    let mut left = phrase;
    for (word, count) in words.iter().zip(1..) {
        left = left.strip_prefix(word.as_ref())?;
        match left.strip_prefix(' ') {
            Some(more) => left = more,
            None => return left.is_empty().then_some(count),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    #[test]
    fn the_longest_phrase_counts() {
        assert_eq!(Class::Polite.length(&["can", "you", "please", "add"]), Some(3));
        assert_eq!(Class::Polite.length(&["can", "you", "add"]), Some(2));
        assert_eq!(Class::Polite.length(&["can", "he"]), None);
        assert_eq!(Class::Month.sense("märz").map(Sense::number), Some(3));
    }

    /// The text of all files of a folder.
    fn source(folder: &Path, all: &mut String) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                source(&path, all);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                all.push_str(&fs::read_to_string(&path).expect("a file"));
            }
        }
    }

    #[test]
    fn every_class_is_asked_for() {
        let mut all = String::new();
        source(Path::new("src"), &mut all);
        let times = include_str!(concat!(env!("OUT_DIR"), "/times.rs"));
        let known: BTreeSet<String> = SENSES.iter().map(|sense| format!("Class::{:?}", sense.class)).collect();
        let asked = |class: &&String| {
            let ends = |(at, _): (usize, &str)| !all[at + class.len()..].starts_with(char::is_alphanumeric);
            all.match_indices(class.as_str()).any(ends) || times.contains(&format!("Some({class})"))
        };
        let unasked: Vec<&String> = known.iter().filter(|class| !asked(class)).collect();
        assert_eq!(unasked, Vec::<&String>::new(), "perhaps the name of a section is misspelt");
    }

    #[test]
    fn every_phrase_is_found_by_its_first_word() {
        let classes = SENSES.iter().map(|sense| sense.class);
        for (phrase, sense) in classes.flat_map(Class::all).copied() {
            let found = match phrase.split_once(' ') {
                None => sense.class.senses(phrase).any(|known| known == sense),
                Some((first, _)) => sense.class.phrases(first).any(|known| known == (phrase, sense)),
            };
            assert!(found, "{phrase} {sense:?}");
        }
    }
}

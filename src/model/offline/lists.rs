//! Lists of words that the readers of messages look for, from `lists.txt`.

use std::{collections::BTreeMap, ops::Deref, sync::LazyLock};

/// A section of the file.
pub(super) struct List(usize);

impl Deref for List {
    type Target = [&'static str];

    fn deref(&self) -> &Self::Target {
        &WORDS[self.0]
    }
}

macro_rules! lists {
    ($($name:ident)*) => {
        #[allow(non_camel_case_types)]
        enum At { $($name),* }

        $(pub(super) static $name: List = List(At::$name as usize);)*

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

lists! {
    ADDING_VERBS AFTER ALL ALSO ASIDES ASKING BACK BEFORE BEING BEYOND BOTH BUT CHANGING_FRONT COMMANDS
    COURTESIES DAYS_LEADS DEAR DETERMINERS EACH EMPTY EXCEPTING_POINTING FILLERS FOREIGN_CORRECTING
    FOREIGN_VERBS FRAGMENTS GLUE GREETINGS HALVES HEDGED INSTEAD KINDS LAST MEANS MESSAGE_LEADS MORE
    NAMING_FRONT NAMING_LEADS NAMING_VERBS NEGATIONS NOES NOTHING NOUNS NO_NAMES NUMBERS OF_NOTHING ORDERS
    OURS PHRASES PLACES PLANS PRICE_PHRASES_LINKS RETRACTING REVISING_CORRECTING REVISING_LEADS ROWS_FRONT
    SHARING_LEADING SMALL_TALK_OPENERS SPEECH_AROUND SPEECH_AROUND_2 SPEECH_LEADS SPEECH_LINKS SPEECH_OPENERS
    SPENDING SPLIT SPLITTING_AROUND SUBJECTS_LEADING SUBJECTS_LEADS SUBJECTS_POINTING SUBJECTS_WORDS THAT THEM
    TOTALS WAS WEEKDAYS WITH
}

static WORDS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let sections = include_str!("lists.txt").split("\n[").skip(1).filter_map(|section| section.split_once("]\n"));
    let words = |text: &'static str| {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.flat_map(|line| line.split(", ")).collect()
    };
    let listed: BTreeMap<String, Vec<&str>> =
        sections.map(|(name, text)| (name.to_uppercase().replace(' ', "_"), words(text))).collect();
    NAMES.iter().map(|name| listed.get(*name).unwrap_or_else(|| panic!("no words of {name}")).clone()).collect()
});

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
    ADDING_VERBS AFTER AFTER_CATEGORY ALL ALL_OF_THEM ALSO ANOTHER AROUND_ALL ASIDES ASKING BACK BEFORE BEFORE_DAYS
    BEFORE_MEANS BEFORE_OPEN_DAYS BEING BETWEEN BEYOND BOTH BUT CATEGORY CHANGING CHANGING_FRONT CHEAP CHOOSING
    CLEARING COMMANDS COUNTS COURTESIES DAYS_LEADS DAYTIME DEAR DETERMINERS EACH EMPTY EXCEPTING FILLERS
    FOREIGN_CORRECTING FOREIGN_EDITS FOREIGN_POINTING FOREIGN_VERBS FRAGMENTS GLUE GREETINGS HALVES HEDGED HOW_SHARED
    INSTEAD INTO KINDS LAST LAST_TWO LEADS_ON LEAVING LEFT_OUT MEANS MEANT_FRONT MESSAGE_LEADS MINE MORE NAMESAKES
    NAMING_FRONT NAMING_LEADS NAMING_VERBS NEGATIONS NEW NOES NOTHING NOT_CORRECTED NOUNS NOWHERE NO_NAMES NO_REFUSALS
    NUMBERS OF_ALL OF_NOTHING OF_SOMEBODY ONE_ROW ORDERS OURS PAID PAID_FOR PAYING PEOPLE PHRASES PLACES PLANS
    PRICE_PHRASES_LINKS REASONS RETRACTING REVISING_CORRECTING REVISING_LEADS ROWS_FRONT SHARE SHARING_LEADING
    SMALL_TALK_OPENERS SPEECH_AROUND SPEECH_AROUND_2 SPEECH_LEADS SPEECH_LINKS SPEECH_OPENERS SPENDING SPLIT
    SPLITTING_AROUND THAT TOTALS TWO UNFINISHED WAS WAS_PAID WEEKDAYS WITH WORDS_ASKING
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

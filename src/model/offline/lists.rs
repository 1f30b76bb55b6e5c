//! Lists of words that the readers of messages look for: the sections of `lists.txt`.

use std::sync::LazyLock;

macro_rules! lists {
    ($($name:ident)*) => {
        $(pub(super) static $name: LazyLock<Vec<&str>> = LazyLock::new(|| words(stringify!($name)));)*
    };
}

lists! {
    ABOUT_WHAT_WAITS ADDING_VERBS AFTER AFTER_CATEGORY ALL_OF_THEM ALSO ANOTHER ANYTHING AROUND_ALL AROUND_CANCEL
    AROUND_PRICE ASIDES ASKING BACK BEFORE BEFORE_DAYS BEFORE_DAY_OF_ROW BEFORE_MEANS BEFORE_ONLY BEFORE_OPEN_DAYS
    BEFORE_ROWS BEING BESIDE_REST BETWEEN BEYOND BOTH BUT CATEGORY CHANGING_FRONT CHEAP CHOOSING CLOSING COMMANDS
    CORRECTING COUNTS COURTESIES DAYS_LEADS DAYTIME DEAR EACH EMPTY EVERY_ONE EXCEPTING FILLERS FRAGMENTS GLUE
    GREETINGS HALVES HEDGED HOW_SHARED INSTEAD JOINTS KINDS LABELS LAST LAST_THING LAST_TWO LEADS_ON LEAVING LED
    LEFT_OUT MEANS MEANT_FRONT MESSAGE_LEADS MINE MORE NAMESAKES NAMING_FRONT NAMING_LEADS NAMING_VERBS NEGATIONS
    NEW NOES NOT_CORRECTED NOT_HERE NOWHERE NO_LONE_NAME NO_NAMES NO_REFUSALS NUMBERS OF_ALL OF_NOTHING OF_PRICE OF_SOMEBODY
    ONLY ORDERS OURS PAID PAID_FOR PAYING PEOPLE PHRASES PLACES PLANS POLITE PRICE_PHRASES_LINKS QUANTIFIERS REASONS
    REMARKS REST RETRACTING REVISING_CORRECTING REVISING_LEADS ROWS_FRONT SHARE SHARING_LEADING SHORT SLASH_ADD
    SLASH_DELETE SLASH_SHOW SMALL_TALK_OPENERS SPEECH_LEADS SPEECH_LINKS SPEECH_OPENERS SPELT SPENDING SPLIT
    SPLITTING_AROUND TAKING THAT TOTALS TWO UNCATEGORISED WAS WAS_PAID WEEKDAYS WHOLE WITH WORDS_ASKING
}

/// What stands behind the first word of an entry.
pub(super) fn value_of(list: &[&'static str], first: &str) -> Option<&'static str> {
    list.iter().find_map(|entry| entry.strip_prefix(first)?.strip_prefix(' '))
}

/// Those below the title, up to an empty line.
fn words(name: &str) -> Vec<&'static str> {
    let title = format!("[{}]", name.to_lowercase().replace('_', " "));
    let below = include_str!("lists.txt").lines().skip_while(|line| *line != title).skip(1);
    let words: Vec<&str> = below.take_while(|line| !line.is_empty()).flat_map(|line| line.split(", ")).collect();
    assert!(!words.is_empty(), "no section {title}");
    words
}

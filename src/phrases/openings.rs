//! The words that something about time can begin with: whatever stands before any other word, no reader of days or
//! spans need be asked.

use super::tokens::{Kind, Line};

/// Whether a phrase about time may begin there. Most words of a message are what was bought, and forty readers would
/// look at each of them in vain.
pub(super) fn opens(line: &Line<'_>, at: usize) -> bool {
    match line.tokens.get(at).map(|token| &token.kind) {
        Some(Kind::Digits(_)) => true,
        Some(Kind::Word(word)) => is_opening(word),
        _ => false,
    }
}

fn is_opening(word: &str) -> bool {
    let is_listed = |word: &str| OPENINGS.binary_search(&word).is_ok();
    // "Freitagabend", and what may be a misspelt "Friday", are in no list.
    is_listed(word)
        || word.strip_suffix("'s").is_some_and(is_listed)
        || word.contains("tag")
        || super::day_words::is_misspelt(word)
}

/// In the order of their bytes.
const OPENINGS: [&str; 549] = [
    "a", "abends", "about", "abril", "after", "ages", "ago", "agosto", "ahead", "ahora", "al", "am", "an", "anfang",
    "anniversaire", "anniversary", "année", "anoche", "ans", "anteayer", "antes", "antier", "aout", "août", "apr",
    "april", "around", "as", "ash", "at", "au", "aug", "august", "aujourd'hui", "automne", "autumn", "avant", "avr",
    "avril", "ayer", "año", "años", "bank", "before", "beginning", "between", "birthday", "bit", "black", "bonfire",
    "boxing", "by", "cada", "ce", "century", "cet", "cette", "chaque", "chinese", "christmas", "closest", "commencing",
    "couple", "cumpleaños", "current", "cyber", "das", "day", "dec", "decade", "december", "decembre", "del", "demain",
    "den", "depuis", "der", "dernier", "dernière", "dernièrement", "desde", "dez", "dezember", "dia", "dias", "dic",
    "diciembre", "die", "diese", "diesem", "diesen", "dieser", "dieses", "dimanche", "dinnertime", "diwali", "domingo",
    "du", "durante", "during", "début", "déc", "décembre", "día", "días", "earlier", "early", "easter", "eben",
    "eight", "eighteen", "eighteenth", "eighth", "eighty", "el", "eleven", "eleventh", "en", "end", "ende", "ene",
    "enero", "eom", "esta", "este", "evening", "fall", "father's", "fathers", "feb", "feber", "febrero", "februar",
    "february", "feiertag", "feiertagen", "ferien", "fevrier", "few", "fifteen", "fifteenth", "fifth", "fifty", "fin",
    "final", "finales", "fines", "fireworks", "first", "five", "following", "fortnight", "forty", "four", "fourteen",
    "fourteenth", "fourth", "fri", "friday", "from", "früher", "frühjahr", "frühling", "févr", "février", "geburtstag",
    "gegen", "gerade", "gestern", "good", "guy", "h", "hace", "half", "halloween", "hanukkah", "heiligabend", "herbst",
    "heute", "hier", "hindu", "hiver", "holiday", "holidays", "holy", "hour", "hours", "hoy", "il", "im", "in",
    "invierno", "islamic", "jahr", "jahre", "jahren", "jahres", "jan", "januar", "january", "janv", "janvier", "jeden",
    "jeder", "jetzt", "jeudi", "jewish", "jour", "jours", "jueves", "juil", "juillet", "juin", "jul", "juli", "julio",
    "july", "jun", "june", "juni", "junio", "just", "jänner", "kommenden", "korean", "kürzlich", "l'an", "l'année",
    "l'automne", "l'autre", "l'hiver", "l'été", "la", "las", "last", "late", "lately", "later", "le", "les", "letzte",
    "letztem", "letzten", "letztens", "letzter", "letztes", "little", "long", "los", "lunar", "lunchtime", "lundi",
    "lunes", "maerz", "mai", "maintenant", "many", "mar", "march", "mardi", "mars", "martes", "marzo", "maundy", "may",
    "mayo", "mañana", "mediados", "meinem", "mercredi", "mes", "meses", "mi", "mid", "midday", "middle", "midnight",
    "midweek", "miercoles", "milieu", "minutes", "mittags", "mitte", "mittwoch", "miércoles", "mois", "moment",
    "moments", "mon", "monat", "monate", "monaten", "monats", "monday", "month", "monthend", "morgen", "morgens",
    "mother's", "mothering", "mothers", "mtd", "märz", "nachmittags", "nachts", "navidad", "nearest", "neujahr",
    "neulich", "new", "newer", "next", "nine", "nineteen", "nineteenth", "ninety", "ninth", "no", "nochebuena",
    "nochevieja", "noon", "not", "nov", "november", "novembre", "noviembre", "now", "noël", "nuit", "nye", "nächsten",
    "oct", "october", "octobre", "octubre", "of", "okt", "oktober", "older", "on", "one", "orthodox", "ostern",
    "otoño", "over", "palm", "pancake", "parsi", "pasada", "pasado", "passé", "passée", "past", "pay", "payday",
    "pendant", "persian", "pfingsten", "por", "pour", "preceding", "previous", "previously", "primavera", "principios",
    "printemps", "prior", "prochain", "próximo", "public", "pâques", "q", "qtd", "qtr", "quarter", "quite", "recently",
    "recientemente", "right", "récemment", "sabado", "same", "samedi", "sat", "saturday", "school", "season", "second",
    "seit", "semaine", "semaines", "semana", "semanas", "semester", "sep", "sept", "september", "septembre",
    "septiembre", "setiembre", "seven", "seventeen", "seventeenth", "seventh", "seventy", "several", "short", "shrove",
    "silvester", "since", "six", "sixteen", "sixteenth", "sixth", "sixty", "so", "soeben", "some", "someday",
    "sometime", "sommer", "sonnabend", "soon", "spring", "st", "start", "starting", "summer", "sun", "sunday",
    "sábado", "tag", "tage", "tagen", "teatime", "ten", "tenth", "term", "thanksgiving", "that", "the", "third",
    "thirteen", "thirteenth", "thirtieth", "thirty", "this", "three", "through", "throughout", "thru", "thu", "thur",
    "thurs", "thursday", "till", "time", "tmr", "tmrw", "tmw", "today", "today's", "todays", "tomo", "tomorrow",
    "tomorrow's", "tomoz", "tonight", "tonight's", "too", "tout", "trinity", "tue", "tues", "tuesday", "twelfth",
    "twelve", "twentieth", "twenty", "two", "um", "until", "up", "upcoming", "urlaub", "vacaciones", "vacances",
    "vacation", "valentine's", "valentines", "vendredi", "verano", "vergangene", "vergangenen", "vergangener",
    "vergangenes", "very", "viernes", "vietnamese", "vom", "von", "vor", "vorgestern", "vorhin", "vorige", "vorigen",
    "voriger", "voriges", "vormittags", "w", "wed", "wednesday", "weds", "week", "weekend", "weekends", "weihnachten",
    "while", "whit", "winter", "wk", "wkend", "wknd", "woche", "wochen", "wochenende", "wtd", "xmas", "yday", "year",
    "yest", "yesterday", "yesterday's", "yesterdays", "yr", "ystd", "ystday", "ytd", "zu", "zum", "à", "été", "última",
    "últimamente", "últimas", "último", "últimos", "über", "übermorgen",
];

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::{super::*, *};

    /// Every word that the readers of days and spans know, and their examples; those of one phrase mostly in a row.
    fn known_words() -> Vec<&'static str> {
        let sources = [
            include_str!("anchored.rs"),
            include_str!("calendar.rs"),
            include_str!("day_words.rs"),
            include_str!("days.rs"),
            include_str!("durations.rs"),
            include_str!("feasts.rs"),
            include_str!("foreign_days.rs"),
            include_str!("foreign_names.rs"),
            include_str!("foreign_numbers.rs"),
            include_str!("foreign_periods.rs"),
            include_str!("month_days.rs"),
            include_str!("numbered_days.rs"),
            include_str!("numeric_dates.rs"),
            include_str!("parts.rs"),
            include_str!("periods.rs"),
            include_str!("qualifiers.rs"),
            include_str!("short_weekdays.rs"),
            include_str!("vocabulary.rs"),
            include_str!("years.rs"),
        ];
        let quoted = sources.into_iter().flat_map(|source| source.split('"').skip(1).step_by(2));
        quoted.filter(|word| !word.is_empty() && !word.contains(['\n', '{'])).collect()
    }

    #[test]
    fn the_openings_are_in_order() {
        assert!(OPENINGS.is_sorted_by(|one, next| one < next));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn nothing_about_time_begins_with_another_word(
            rest in prop::collection::vec(prop::sample::select([known_words(), vec!["3", "12", "2026"]].concat()), 0..4),
            before in prop::sample::select(vec!["", "5 ", "£5 ", "on ", "in ", "from ", "lunch "]),
            language in prop::sample::select(vec![None, Some(Language::German), Some(Language::French), Some(Language::Spanish)]),
        ) {
            let known = known_words();
            let in_a_row = known.windows(3).map(|three| three.join(" "));
            for first in in_a_row.chain(known.iter().map(|first| format!("{first} {}", rest.join(" ")))) {
                let text = format!("{before}{first}");
                let line = Line::new(&text, Conventions { language, ..Conventions::default() });
                for at in (0..line.tokens.len()).filter(|at| !opens(&line, *at)) {
                    prop_assert_eq!(periods::phrase(&line, at, date(2026, 11, 20)), None, "{} at {}", text, at);
                    prop_assert_eq!(day_words::time_of_day(&line, at), None, "{} at {}", text, at);
                }
            }
        }
    }
}

//! The words that something about time can begin with: whatever stands before any other word, no reader of days or
//! spans need be asked.

use super::{
    Language, day_words, foreign_numbers, foreign_ordinals,
    tokens::{Kind, Line},
};

/// Where a phrase about time may begin in a line. Most words of a message are what was bought, and forty readers would look
/// at each of them in vain; half of those need not be asked at all where nothing is in another language than English.
pub(super) struct Openings {
    at: Vec<bool>,
    pub foreign: bool,
}

impl Openings {
    pub fn of(line: &Line<'_>) -> Self {
        let own = line.conventions.language;
        let mut foreign = own.is_some_and(|own| own != Language::English);
        let mut at = Vec::with_capacity(line.tokens.len());
        for (here, token) in line.tokens.iter().enumerate() {
            let (opens, is_foreign) = match &token.kind {
                Kind::Digits(_) => (true, is_ordinal(line, here)),
                Kind::Word(word) if is_english(word) => (true, false),
                Kind::Word(word) if is_foreign(word) => (true, true),
                _ => (false, false),
            };
            at.push(opens);
            foreign |= is_foreign;
        }
        Self { at, foreign }
    }

    pub fn is_at(&self, at: usize) -> bool {
        self.at.get(at) == Some(&true)
    }
}

/// "1er", "5." and "14.10.", but not 3.50.
fn is_ordinal(line: &Line<'_>, at: usize) -> bool {
    let is_dotted = |at: usize| line.digits(at).is_some() && line.glued_mark(at + 1) == Some('.');
    line.glued(at + 1) && line.is(at + 1, foreign_ordinals::ENDINGS)
        || is_dotted(at) && (!line.glued(at + 2) || line.digits(at + 2).is_none() || is_dotted(at + 2))
}

fn is_english(word: &str) -> bool {
    let is_listed = |word: &str| ENGLISH.binary_search(&word).is_ok();
    is_listed(word) || word.strip_suffix("'s").is_some_and(is_listed) || day_words::is_misspelt(word)
}

fn is_foreign(word: &str) -> bool {
    let is_listed = |word: &str| FOREIGN.binary_search(&word).is_ok();
    // "Freitagabend" is in no list.
    is_listed(word)
        || word.strip_prefix("d'").is_some_and(is_listed)
        || word.contains("tag")
        || foreign_numbers::german(word).is_some()
        || foreign_ordinals::german(word).is_some()
}

/// In the order of their bytes, and read in any text.
const ENGLISH: [&str; 284] = [
    "a", "about", "after", "ages", "ago", "ahead", "an", "anniversary", "apr", "april", "around", "as", "ash", "at",
    "aug", "august", "autumn", "bank", "before", "beginning", "between", "birthday", "bit", "black", "bonfire",
    "boxing", "by", "century", "chinese", "christmas", "closest", "commencing", "couple", "current", "cyber", "day",
    "dec", "decade", "december", "dinnertime", "diwali", "during", "earlier", "early", "easter", "eight", "eighteen",
    "eighteenth", "eighth", "eighty", "eleven", "eleventh", "end", "eom", "evening", "fall", "father's", "fathers",
    "feb", "february", "few", "fifteen", "fifteenth", "fifth", "fifty", "final", "fireworks", "first", "five",
    "following", "fortnight", "forty", "four", "fourteen", "fourteenth", "fourth", "fri", "friday", "from", "good",
    "guy", "h", "half", "halloween", "hanukkah", "hindu", "holiday", "holidays", "holy", "hour", "hours", "in",
    "islamic", "jan", "january", "jewish", "jul", "july", "jun", "june", "just", "korean", "last", "late", "lately",
    "later", "little", "long", "lunar", "lunchtime", "many", "march", "maundy", "may", "mid", "midday", "middle",
    "midnight", "midweek", "minutes", "moment", "moments", "mon", "monday", "month", "monthend", "mother's",
    "mothering", "mothers", "mtd", "nearest", "new", "newer", "next", "night", "nine", "nineteen", "nineteenth",
    "ninety", "ninth", "no", "noon", "not", "nov", "november", "now", "nye", "oct", "october", "of", "older", "on",
    "one", "orthodox", "over", "palm", "pancake", "parsi", "past", "pay", "payday", "persian", "preceding", "previous",
    "previously", "prior", "public", "q", "qtd", "qtr", "quarter", "quite", "recently", "right", "same", "sat",
    "saturday", "school", "season", "second", "semester", "sep", "september", "seven", "seventeen", "seventeenth",
    "seventh", "seventy", "several", "short", "shrove", "since", "sixteen", "sixteenth", "sixth", "sixty", "some",
    "someday", "sometime", "soon", "spring", "st", "start", "starting", "summer", "sun", "sunday", "teatime", "ten",
    "tenth", "term", "thanksgiving", "that", "the", "third", "thirteen", "thirteenth", "thirtieth", "thirty", "this",
    "three", "through", "throughout", "thru", "thu", "thur", "thurs", "thursday", "till", "time", "tmr", "tmrw", "tmw",
    "today", "today's", "todays", "tomo", "tomorrow", "tomorrow's", "tomoz", "tonight", "tonight's", "too", "trinity",
    "tue", "tues", "tuesday", "twelfth", "twelve", "twentieth", "twenty", "two", "until", "up", "upcoming", "vacation",
    "valentine's", "valentines", "very", "vietnamese", "w", "wed", "wednesday", "weds", "week", "weekend", "weekends",
    "while", "whit", "wk", "wkend", "wknd", "wtd", "xmas", "yday", "year", "yest", "yesterday", "yesterday's",
    "yesterdays", "yr", "ystd", "ystday", "ytd",
];

/// Those that a text in another language than English has, in the order of their bytes.
const FOREIGN: [&str; 478] = [
    "ab", "abends", "abr", "abril", "agosto", "ahora", "al", "am", "anfang", "anniversaire", "année", "anoche", "ans",
    "anteayer", "antepasada", "antepasado", "anterior", "antes", "antier", "aout", "août", "après", "atras", "atrás",
    "au", "aujourd'hui", "automne", "avant", "avr", "avril", "ayer", "año", "años", "bis", "cada", "catorce", "ce",
    "cent", "cents", "cet", "cette", "chaque", "cien", "ciento", "cinco", "cincuenta", "cinq", "cinquante",
    "cinquième", "cuarenta", "cuarto", "cuatro", "cuatrocientas", "cuatrocientos", "cumpleaños", "d'après", "d'avant",
    "d'il", "das", "de", "decembre", "del", "dem", "demain", "den", "depuis", "der", "dernier", "derniere",
    "dernieres", "derniers", "dernière", "dernièrement", "dernières", "desde", "despues", "después", "deux",
    "deuxième", "dez", "dezember", "di", "dia", "dias", "dic", "diciembre", "die", "diecinueve", "dieciocho",
    "dieciseis", "diecisiete", "dieciséis", "diese", "diesem", "diesen", "dieser", "dieses", "diez", "dim", "dimanche",
    "dix", "do", "doce", "dom", "domingo", "dos", "doscientas", "doscientos", "douze", "du", "durante", "dès", "début",
    "déc", "décembre", "día", "días", "eben", "einer", "el", "en", "ende", "ene", "enero", "entre", "esta", "este",
    "et", "feber", "febrero", "februar", "feiertag", "feiertagen", "ferien", "fev", "fevr", "fevrier", "fin",
    "finales", "fines", "fr", "früher", "frühjahr", "frühling", "fév", "févr", "février", "geburtstag", "gegen",
    "gerade", "gestern", "hace", "hacia", "hasta", "heiligabend", "herbst", "heute", "hier", "hiver", "hoy", "huit",
    "huitante", "il", "im", "invierno", "jahr", "jahre", "jahren", "jahres", "januar", "janv", "janvier", "jeden",
    "jeder", "jetzt", "jeu", "jeudi", "jour", "jours", "jue", "jueves", "juil", "juillet", "juin", "juli", "julio",
    "juni", "junio", "jusqu'au", "jusqu'en", "jusqu'à", "jänner", "kommende", "kommendem", "kommenden", "kommender",
    "kommendes", "kürzlich", "l'an", "l'année", "l'automne", "l'autre", "l'hiver", "l'été", "la", "las", "le",
    "lendemain", "les", "letzte", "letztem", "letzten", "letztens", "letzter", "letztes", "los", "lun", "lundi",
    "lunes", "maerz", "mai", "maintenant", "mar", "mardi", "mars", "martes", "marzo", "mayo", "mañana", "mediados",
    "meinem", "mer", "mercredi", "mes", "meses", "mi", "mie", "miercoles", "mil", "milieu", "mille", "mittags",
    "mitte", "mittwoch", "mié", "miércoles", "mo", "mois", "monat", "monate", "monaten", "monats", "morgen", "morgens",
    "mär", "märz", "nach", "nachmittags", "nachts", "navidad", "neuf", "neujahr", "neulich", "nochebuena",
    "nochevieja", "nonante", "novecientas", "novecientos", "novembre", "noventa", "noviembre", "noël", "nueve", "nuit",
    "nächste", "nächstem", "nächsten", "nächster", "nächstes", "o", "ochenta", "ocho", "ochocientas", "ochocientos",
    "octante", "octobre", "octubre", "oder", "okt", "oktober", "once", "onze", "ostern", "otoño", "ou", "pasada",
    "pasadas", "pasado", "passee", "passé", "passée", "pendant", "penúltimo", "pfingsten", "por", "pour", "premier",
    "premiers", "première", "premières", "primavera", "primer", "primera", "primeras", "primero", "primeros",
    "principios", "printemps", "prochain", "prochaine", "proxima", "proximo", "précédent", "précédente", "próxima",
    "próximo", "pâques", "quarante", "quartal", "quartals", "quatorze", "quatre", "quatrième", "quince", "quinientas",
    "quinientos", "quinto", "quinze", "recientemente", "récemment", "sa", "sab", "sabado", "sam", "samedi", "segunda",
    "segundo", "seis", "seiscientas", "seiscientos", "seit", "seize", "semaine", "semaines", "semana", "semanas",
    "sept", "septante", "septembre", "septiembre", "sesenta", "setecientas", "setecientos", "setenta", "setiembre",
    "siete", "siguiente", "silvester", "six", "so", "sobre", "soeben", "soixante", "sommer", "sonnabend", "suivant",
    "suivante", "surlendemain", "sáb", "sábado", "tag", "tage", "tagen", "tercer", "tercero", "tout", "tras", "trece",
    "treinta", "treize", "trente", "tres", "trescientas", "trescientos", "trimestre", "trois", "troisième", "ultima",
    "ultimas", "ultimo", "ultimos", "um", "un", "una", "und", "une", "uno", "urlaub", "vacaciones", "vacances",
    "veille", "veinte", "veinticinco", "veinticuatro", "veintidos", "veintidós", "veintinueve", "veintiocho",
    "veintiseis", "veintisiete", "veintiséis", "veintitres", "veintitrés", "veintiun", "veintiuno", "veintiún", "ven",
    "vendredi", "verano", "vergangene", "vergangenem", "vergangenen", "vergangener", "vergangenes", "vers", "vie",
    "viene", "viernes", "vingt", "vingts", "vom", "von", "vor", "vorgestern", "vorhin", "vorige", "vorigem", "vorigen",
    "voriger", "voriges", "vorletzte", "vorletztem", "vorletzten", "vorletzter", "vorletztes", "vorm", "vormittags",
    "vorvorgestern", "weihnachten", "winter", "woche", "wochen", "wochenende", "y", "zu", "zum", "zwischen", "à",
    "été", "última", "últimamente", "últimas", "último", "últimos", "über", "übermorgen", "übernächsten",
    "übernächster",
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
            include_str!("foreign_bounds.rs"),
            include_str!("foreign_days.rs"),
            include_str!("foreign_hours.rs"),
            include_str!("foreign_names.rs"),
            include_str!("foreign_numbers.rs"),
            include_str!("foreign_ordinals.rs"),
            include_str!("foreign_periods.rs"),
            include_str!("foreign_spans.rs"),
            include_str!("foreign_weekdays.rs"),
            include_str!("foreign_within.rs"),
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

    fn words_of_no_other_language() -> Vec<&'static str> {
        let numbers = ["3", "15", "2026", "3.50", "1st", "13-15", "3/10", "10:30", "-", ",", "to", "coffee"];
        let is_none = |word: &&str| !Line::new(word, Conventions::default()).openings().foreign;
        known_words().into_iter().filter(is_none).chain(numbers).collect()
    }

    #[test]
    fn the_openings_are_in_order() {
        assert!(ENGLISH.is_sorted_by(|one, next| one < next) && FOREIGN.is_sorted_by(|one, next| one < next));
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
                for at in (0..line.tokens.len()).filter(|at| !line.openings().is_at(*at)) {
                    prop_assert_eq!(periods::phrase(&line, at, date(2026, 11, 20)), None, "{} at {}", text, at);
                    prop_assert_eq!(day_words::time_of_day(&line, at), None, "{} at {}", text, at);
                }
            }
        }

        #[test]
        fn nothing_is_read_in_a_language_of_which_no_word_stands_there(
            words in prop::collection::vec(prop::sample::select(words_of_no_other_language()), 1..6),
        ) {
            let text = words.join(" ");
            let line = Line::new(&text, Conventions::default());
            let today = date(2026, 11, 20);
            prop_assert!(!line.openings().foreign, "{}", text);
            for at in 0..line.tokens.len() {
                prop_assert_eq!(foreign_weekdays::march(&line, at, today), None, "{} at {}", text, at);
                prop_assert_eq!(foreign_spans::phrase(&line, at, today), None, "{} at {}", text, at);
                prop_assert_eq!(foreign_days::day(&line, at, today), None, "{} at {}", text, at);
                prop_assert_eq!(foreign_numbers::cardinal(&line, at), None, "{} at {}", text, at);
                prop_assert!(foreign_periods::period(&line, at, today).is_none(), "{} at {}", text, at);
            }
        }
    }
}

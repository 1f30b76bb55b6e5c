//! Hours of a day and lengths of time in German, French and Spanish, whose numbers are no amounts: "um halb 4", "à 9 heures
//! 30", "a las 8 de la tarde", "2 Stunden".

use super::{currencies, lexicon::Class, periods, tokens::Line, vocabulary};

pub(super) const HOURS: &[&str] = &["uhr", "heures", "heure", "h", "horas", "hora", "hs"];

/// Where such words end, and the hour.
pub(super) fn clock(line: &Line<'_>, at: usize) -> Option<(usize, i8)> {
    let (start, named) = match (line.word(at), line.word(at + 1)) {
        ("um" | "gegen", "halb" | "punkt") => (at + 2, false),
        ("um" | "gegen", "viertel" | "kurz") if line.is(at + 2, &["vor", "nach"]) => (at + 3, false),
        ("um" | "gegen", _) => (at + 1, false),
        ("à" | "vers", _) => (at + 1, true),
        ("a" | "sobre" | "hacia", "la" | "las") => (at + 2, false),
        _ => return None,
    };
    let part = |at: usize| line.digits(at).filter(|digits| digits.len() <= 2)?.parse::<i8>().ok();
    let decimals = |at: usize| line.glued_mark(at).is_some_and(|mark| ".,".contains(mark)) && line.glued(at + 1);
    let hour = part(start).filter(|hour| *hour <= 24 && !decimals(start + 1))?;
    let minutes = |at: usize| {
        let whole = line.digits(at).is_some_and(|digits| digits.len() == 2) && !decimals(at + 1);
        whole && part(at).is_some_and(|minutes| minutes < 60) && !is_money(line, at + 1)
    };
    if line.glued_mark(start + 1) == Some(':') && line.glued(start + 2) && minutes(start + 2) {
        return Some((start + 3, hour));
    }
    let said = line.is(start + 1, HOURS);
    if named && !said || is_money(line, start + 1) || vocabulary::foreign_unit(line.word(start + 1)).is_some() {
        return None;
    }
    let end = start + 1 + usize::from(said);
    // Behind the hour it may be a price, if there is none beside.
    let is_price = |at: usize| line.digits(at).is_some() && !line.is(at + 1, HOURS);
    let others = || (0..line.tokens.len()).any(|at| !(start..=end).contains(&at) && is_price(at));
    let end = if said && minutes(end) && (line.glued(end) || others()) { end + 1 } else { end };
    let past = match (line.word(end), line.word(end + 1), line.word(end + 2)) {
        ("de", "la", "mañana" | "tarde" | "noche") => 3,
        ("du", "matin" | "soir", _) | ("et", "demie" | "demi" | "quart", _) | ("y", "media" | "cuarto", _) => 2,
        _ => 0,
    };
    let later = past > 0 && hour < 12 && line.is(end + past - 1, &["tarde", "noche", "soir"]);
    Some((end + past, if later { hour + 12 } else { hour }))
}

/// A currency stands there.
pub(super) fn is_money(line: &Line<'_>, at: usize) -> bool {
    let Some(token) = line.tokens.get(at) else { return false };
    token.mark().and_then(currencies::sign).is_some() || currencies::word(token.text, line.word(at)).is_some()
}

/// The number there is said as one of a clock.
pub(super) fn is_hour(line: &Line<'_>, at: usize) -> bool {
    const BEFORE: &[&str] = &["um", "gegen", "halb", "punkt", "vor", "nach", "à", "vers", "la", "las"];
    line.follows(at, BEFORE) && (1..=3.min(at)).any(|back| clock(line, at - back).is_some_and(|(end, _)| end > at))
        || is_minutes(line, at) && (2..=5.min(at)).any(|back| clock(line, at - back).is_some_and(|(end, _)| end > at))
        || is_linked(line, at + 1) && line.is(at + 3, HOURS)
}

/// "9 bis 17 Uhr": between two numbers of one kind.
fn is_linked(line: &Line<'_>, at: usize) -> bool {
    let from = at > 1 && line.is(at - 2, &["de", "du", "entre", "von"]) && line.is(at, &["à", "a"]);
    let linked = line.is(at, &["bis", "oder", "ou", "o"]) || line.mark(at).is_some_and(|mark| "-–".contains(mark));
    (from || linked) && line.digits(at + 1).is_some()
}

/// "15 Uhr 20": they may be minutes.
pub(super) fn is_minutes(line: &Line<'_>, at: usize) -> bool {
    line.follows(at, HOURS)
        && at >= 2
        && line.digits(at - 2).is_some_and(|hour| hour.len() <= 2)
        && line.digits(at).is_some_and(|digits| digits.len() == 2 && *digits < *"60")
        && !line.glued_mark(at + 1).is_some_and(|mark| ".,".contains(mark) && line.glued(at + 2))
}

/// "2 Stunden", "12 mois", "1 día": how long it was.
pub(super) fn is_length(line: &Line<'_>, at: usize, end: usize) -> bool {
    if is_linked(line, end) && is_length(line, end + 1, end + 2) {
        return true;
    }
    let few = end == at + 1 || end == at + 3 && line.digits(at + 2).is_some_and(|decimals| decimals.len() == 1);
    let said = line.is(end, Class::Periods) || line.is(end, Class::OnePeriod) && line.digits(at) == Some("1");
    few && said && !line.glued(end) && !periods::begins(line, end)
}

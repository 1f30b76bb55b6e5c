//! Words that no name of a thing has: the verb, the person or the courtesy of the sentence that it stood in.
//!
//! Closed classes in four languages, without the words that are another's noun. It knows no things, so it never says
//! that something is a name.

use jiff::civil::Date;

use super::{Conventions, DateRange, RangeMention, lexicon::Class, number_words, tokens::Line, vocabulary};

/// Whether it looks like a piece of a sentence, and not like what somebody would call a thing.
pub fn is_a_fragment(name: &str) -> bool {
    let line = Line::new(name, Conventions::default());
    let Some(last) = line.tokens.len().checked_sub(1) else { return true };
    // "2am"
    let is_hour = |at: usize| at > 0 && line.glued(at) && line.digits(at - 1).is_some();
    line.is(0, Class::NoNameBegins)
        || last > 0 && line.is(last, Class::NoNameEnds)
        || (0..=last).any(|at| line.is(at, Class::InNoName) && !is_hour(at) || line.is(at, Class::Apology))
        || line.mark(0).is_some_and(|mark| mark.is_ascii_punctuation() && !"#('\"@&".contains(mark))
}

/// "rent for November", "dinner money for the week": days that something is paid for do not say when it was paid.
pub fn is_paid_for(text: &str, found: &RangeMention, today: Date) -> bool {
    let DateRange { from, to } = found.range;
    let lead = text[..found.span.start].split_whitespace().next_back().map(str::to_lowercase);
    from != to && (found.range.is_month() || to >= today) && lead.is_some_and(|lead| Class::For.contains(lead))
}

/// Words that seem to speak of a day that was not read: "the second", "in four business days".
pub fn left_of_a_day(name: &str) -> Option<&str> {
    let line = Line::new(name, Conventions::default());
    let end = line.tokens.len();
    let is_time = |at: usize| vocabulary::unit(&line, at).is_some() || line.word(at) == "weekend";
    let start = (1..end).find(|at| match line.word(*at) {
        // "soup of the day"
        "the" if line.follows(*at, &["of"]) => false,
        "the" => {
            let next = number_words::ordinal_words(&line, at + 1).map(|(next, _)| next);
            // "For the week" says what it is paid for.
            let is_span = || is_time(at + 1) && !line.follows(*at, Class::For);
            let next = next.or_else(|| is_span().then_some(at + 2));
            next.is_some_and(|next| next == end || line.is(next, Class::RelatesDays))
        }
        _ => line.is(*at, Class::BeforeDelay) && at + 2 < end && is_time(end - 1),
    })?;
    Some(&name[line.span(start, end)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_a_sentence_is_told_from_a_name() {
        for fragment in [
            "went to the dentist and paid",
            "off credit card",
            "mum back",
            "already told you",
            "as before",
            "wrong chat",
            "pls add coffee",
            "tom treated me to lunch",
            "/C repair",
            "von Mama",
            "sí pero el café",
            "from tesco",
            "Ausgaben über 50, bitte",
            "hoppla, perdón",
            "",
        ] {
            assert!(is_a_fragment(fragment), "{fragment}");
        }
        for name in [
            "coffee", "Just Eat", "lunch with her", "gift for me", "A/C repair", "down jacket", "back massage",
            "can of coke", "dinner with Will", "la Redoute", "Pfand", "pain au chocolat", "£5 voucher", "#1 cream",
            "(gift)",
        ] {
            assert!(!is_a_fragment(name), "{name}");
        }
    }

    #[test]
    fn what_is_left_of_a_day_in_a_name_is_found() {
        for (name, left) in [
            ("lunch the second", Some("the second")),
            ("lunch on the fifteenth", Some("the fifteenth")),
            ("taxi the weekend after the next", Some("the weekend after the next")),
            ("tea in four business days", Some("in four business days")),
            ("the second cup", None),
            ("lunch at the first bar", None),
            ("fashion week", None),
            ("the week", None),
            ("man of the match", None),
        ] {
            assert_eq!(left_of_a_day(name), left, "{name}");
        }
    }
}

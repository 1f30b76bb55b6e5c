//! Money that came in, or is lent, owed or only moved.
//!
//! A transfer is only that where nothing says what is carried, or that something was paid so: "airport transfer 40" and
//! "rent 900 by bank transfer" were spent.

use std::ops::Range;

use super::{Conventions, day_words, lexicon::Class, tokens::Line};

/// "Ana me pagó 20", "salary 2000", "transfer to savings 500".
pub fn comes_in(text: &str) -> bool {
    let line = Line::new(text, Conventions::default());
    (0..line.tokens.len()).any(|at| stands(&line, at).is_some() && !may_be_means(&line, at))
}

/// "childminder 240 bank transfer": who was paid so, or an account that it went to. That is asked about.
fn may_be_means(line: &Line<'_>, at: usize) -> bool {
    let names_money = at > 1 && line.is(at - 1, Class::BeforeTransfer);
    line.is(at, Class::Transfer)
        && names_money
        && line.word(at + 1).is_empty()
        && at > 2
        && line.digits(at - 2).is_some()
}

/// The words that say so, from there on.
pub(super) fn stands(line: &Line<'_>, at: usize) -> Option<Range<usize>> {
    // "won 20", "moved 500 to savings": not "moving van 80"
    let priced = || line.phrase(at, Class::IncomingBefore).filter(|end| day_words::is_price(line, *end));
    let moved = || is_moved(line, at).then_some(at + 1);
    let end = line.phrase(at, Class::Incoming).or_else(priced).or_else(moved)?;
    (!is_of_me(line, at, end)).then(|| line.span(at, end))
}

/// "just got back from the gym", "was invoiced 80", "the bill came in at 80": said of who came, or of what is to be paid.
fn is_of_me(line: &Line<'_>, at: usize, end: usize) -> bool {
    match line.word(at) {
        "got" if line.word(at + 1) == "back" => {
            let place = end + 1;
            let is_whole = |at: usize| {
                line.mark(at).is_some_and(|mark| ",;.!-–:".contains(mark))
                    || line.is(at, [Class::And, Class::AlreadyPaid])
            };
            match line.word(end) {
                "from" => line.is(place, Class::Place) || (place + 1..place + 3).any(is_whole),
                _ => line.is(end, Class::BehindGotBack),
            }
        }
        "invoiced" => line.follows(at, Class::Passive) || line.word(end) == "by",
        // "the gas bill got paid"
        "got" => (0..at).any(|at| line.is(at, Class::Bill)),
        // "the council tax bill came in 120", "came in a taxi 20"
        "came" => line.is(end, Class::BehindCameIn) || (0..at).any(|at| line.is(at, Class::Bill)),
        _ => false,
    }
}

/// "a bank transfer to mum", "virement 500"; not "bus transfer", "par virement", "bank transfer fee".
fn is_moved(line: &Line<'_>, at: usize) -> bool {
    if !line.is(at, Class::Transfer) || line.is(at + 1, Class::Cost) {
        return false;
    }
    let is_money = at > 0 && line.is(at - 1, Class::BeforeTransfer);
    let lead = at - usize::from(is_money);
    let is_paid_so =
        lead > 0 && (line.is(lead - 1, Class::LeadToMeans) || lead > 1 && line.is(lead - 2, Class::LeadToMeans));
    !is_paid_so
        && (is_money || lead == 0 || line.is(lead - 1, Class::LeadToTransfer) || line.digits(lead - 1).is_some())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("salary 2000", true)]
    #[case("insurance payout 500", true)]
    #[case("deposit back 200", true)]
    #[case("tom treated me to lunch 18", true)]
    #[case("50 von Mama bekommen", true)]
    #[case("Pfand zurück 3", true)]
    #[case("Gehalt 2000", true)]
    #[case("Anne m’a remboursé 20", true)]
    #[case("remboursement 20", true)]
    #[case("le presté 20 a Juan", true)]
    #[case("Ana me pagó 20", true)]
    #[case("me devolvieron 20", true)]
    #[case("student loan came in 900", true)]
    #[case("the bill came in at 80", false)]
    #[case("council tax bill came in 120", false)]
    #[case("came in a taxi 20", false)]
    #[case("invoiced acme 500", true)]
    #[case("was invoiced 80 by the plumber", false)]
    #[case("moved 500 to my ISA", true)]
    #[case("won £20 on the lottery", true)]
    #[case("took out 50 from the machine", true)]
    #[case("took out mum for tea 18", false)]
    #[case("moved house, van 60", false)]
    #[case("gas bill got paid today 52", false)]
    #[case("put aside 100 for holiday", true)]
    #[case("Schuhe zurückgeschickt 60", true)]
    #[case("chaussures renvoyées 60", true)]
    #[case("zapatos devueltos 60", true)]
    #[case("got back 20 from tom", true)]
    #[case("got back from tom 20", true)]
    #[case("just got back from the shops. spent 34.20", false)]
    #[case("got back from spain, taxi 30", false)]
    #[case("transfer to savings 500", true)]
    #[case("wire transfer 500", true)]
    #[case("made a transfer of 500 to mum", true)]
    #[case("bank transfer to mum 50", true)]
    #[case("transferred 50 to mum", true)]
    #[case("500 transfer to savings", true)]
    #[case("Überweisung an Mama 50", true)]
    #[case("virement 500", true)]
    #[case("transferencia a mamá 50", true)]
    #[case("rent 900 by bank transfer", false)]
    #[case("childminder 240 bank transfer", false)]
    #[case("240 bank transfer", true)]
    #[case("loyer 900 par virement", false)]
    #[case("Miete 900 per Überweisung", false)]
    #[case("alquiler 900 por transferencia", false)]
    #[case("bus transfer to airport 12", false)]
    #[case("airport transfer 40", false)]
    #[case("bank transfer fee 5", false)]
    #[case("taxi back 12", false)]
    #[case("pagué 20", false)]
    #[case("Zurücksetzung 3", false)]
    fn money_that_comes_in_is_told_in_four_languages(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(comes_in(text), expected);
    }
}

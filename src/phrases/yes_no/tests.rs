//! Yes, no, cancel and what is none of them; labelled messages are in `tests/utterances`.

use rstest::rstest;

use super::{PlainAnswer::*, *};

#[test]
fn a_phrase_of_a_language_says_one_thing() {
    let mut known = std::collections::BTreeSet::new();
    let all = Class::PlainAnswer.all().iter();
    let twice: Vec<&str> = all
        .filter(|(phrase, sense)| !known.insert((format!("{:?}", sense.language), *phrase)))
        .map(|(phrase, _)| *phrase)
        .collect();
    assert_eq!(twice, [""; 0]);
}

#[rstest]
#[case("no, the other one", true)]
#[case("Nope. Tea 2", true)]
#[case("nein, Tee 2", true)]
#[case("no the cake", true)]
#[case("cancel the cake", false)]
#[case("no it was 4", true)]
#[case("no", false)]
#[case("No!", false)]
#[case("no idea, coffee 3", false)]
#[case("yes, and tea 2", false)]
#[case("nobody, 3", false)]
fn a_no_with_something_else_after_it_takes_back_what_was_shown(#[case] message: &str, #[case] expected: bool) {
    assert_eq!(goes_on_after_no(message), expected, "{message}");
}

#[rstest]
#[case("yes, and tea 2", Some("yes, "))]
#[case("Yes please and also tea 2", Some("Yes please "))]
#[case("ja, und Tee 2", Some("ja, "))]
#[case("yes, tea 2", None)]
#[case("yes and", None)]
#[case("yes and no, tea 2", None)]
#[case("yes, and tea 2 but not the cake", None)]
#[case("yes, and tea 2 instead of the coffee", None)]
#[case("yes, and tea 2 without the cake", None)]
#[case("yes, and maybe tea 2", None)]
#[case("yes to the coffee and tea 2", None)]
#[case("no, and tea 2", None)]
#[case("maybe, and tea 2", None)]
#[case("yes, and was tea 2?", None)]
#[case("coffee 3 and tea 2", None)]
fn a_yes_that_is_joined_to_more_is_plain_on_its_own(#[case] message: &str, #[case] expected: Option<&str>) {
    assert_eq!(joined_yes(message), expected, "{message}");
}

#[rstest]
#[case("yes, delete it", &["delete"], true)]
#[case("yes, delete it", &["add"], false)]
#[case("yes please save them", &["add"], true)]
#[case("yup, save it", &["change"], true)]
#[case("yup, save it", &["delete"], false)]
#[case("yes, delete it", &["delete", "add"], false)]
#[case("yes, delete it", &["delete", "complete"], false)]
#[case("yes", &["delete", "add"], true)]
#[case("yes", &[], true)]
#[case("ok, delete it", &[], false)]
#[case("yes, add it", &["remember"], false)]
#[case("sure, get rid of it", &["delete"], true)]
#[case("sure, get rid of it", &["add"], false)]
fn a_yes_that_says_what_it_does_counts_for_nothing_else(
    #[case] message: &str,
    #[case] verbs: &[&str],
    #[case] expected: bool,
) {
    assert_eq!(agrees(message, verbs), expected);
}

#[rstest]
#[case("save it", &["add"], Some(1), true)]
#[case("please add them", &["add"], Some(2), true)]
#[case("Add it!", &["add"], Some(2), true)]
#[case("save both", &["add"], Some(2), true)]
#[case("ajoute-le", &["add"], Some(1), true)]
#[case("delete it", &["delete"], Some(1), true)]
#[case("delete it", &["delete"], Some(2), false)]
#[case("delete both", &["delete"], Some(1), false)]
#[case("delete them", &["delete"], Some(1), false)]
#[case("save both", &["add"], Some(3), false)]
#[case("add it", &["delete"], Some(1), false)]
#[case("delete it", &["add"], Some(1), false)]
#[case("delete it", &["delete", "add"], None, false)]
#[case("delete it", &["delete", "complete"], None, false)]
#[case("löschen", &["add"], Some(1), false)]
#[case("add it?", &["add"], Some(1), false)]
#[case("get rid of it", &["delete"], Some(1), true)]
#[case("okay then, bin it", &["delete"], Some(1), true)]
#[case("okay then, bin it", &["add"], Some(1), false)]
#[case("bin it", &["delete"], Some(1), false)]
#[case("no, bin it", &["delete"], Some(1), false)]
#[case("yes but bin it", &["delete"], Some(1), false)]
#[case("add tea", &["add"], Some(1), false)]
#[case("add", &["add"], Some(1), false)]
#[case("change it", &["change"], Some(1), false)]
fn an_order_to_do_just_what_is_shown_is_a_yes_to_it(
    #[case] message: &str,
    #[case] verbs: &[&str],
    #[case] count: Option<usize>,
    #[case] expected: bool,
) {
    assert_eq!(orders(message, verbs, count), expected);
}

#[rstest]
#[case("option 2", Some(Pick(2)))]
#[case("take the first one", Some(Pick(1)))]
#[case("no. 2", Some(Pick(2)))]
#[case("no 2", Some(No(Some(2))))]
#[case("Nr. 2", Some(Pick(2)))]
#[case("numéro 2", Some(Pick(2)))]
#[case("la 2", Some(Pick(2)))]
#[case("2 please", Some(Pick(2)))]
#[case("accept 1", Some(Yes(Some(1))))]
#[case("skip 1", None)]
#[case("tea 2", None)]
fn one_of_those_listed_is_picked_by_its_number(#[case] message: &str, #[case] expected: Option<PlainAnswer>) {
    assert_eq!(read(message), expected, "{message}");
}

#[rstest]
#[case("annule", true)]
#[case("Storno, bitte!", true)]
#[case("cancel that", true)]
#[case("no", false)]
#[case("cancel the cake", false)]
#[case("abbrechen", false)]
fn what_is_done_is_taken_back_by_words_of_its_own(#[case] message: &str, #[case] expected: bool) {
    assert_eq!(verdict(message) == Some(Verdict::Cancel), expected);
}

#[rstest]
#[case("of course", Some(Yes(None)))]
#[case("uh huh", Some(Yes(None)))]
#[case("that would be great", Some(Yes(None)))]
#[case("the answer to that is yes", Some(Yes(None)))]
#[case("is the answer right", None)]
#[case("I vote no", Some(No(None)))]
#[case("definitely wrong", Some(No(None)))]
#[case("certainly, cancel it", Some(No(None)))]
#[case("that's not the case", Some(No(None)))]
#[case("quit what you are doing", Some(No(None)))]
#[case("I don't have the answer", None)]
#[case("Spot on, mate!", Some(Yes(None)))]
#[case("of course not", Some(No(None)))]
#[case("por supuesto", Some(Yes(None)))]
#[case("storno", Some(No(None)))]
#[case("yes", Some(Yes(None)))]
#[case(" Yes! ", Some(Yes(None)))]
#[case("OK, do it.", Some(Yes(None)))]
#[case("that’s right", Some(Yes(None)))]
#[case("👍", Some(Yes(None)))]
#[case("Ja, bitte!", Some(Yes(None)))]
#[case("D’accord.", Some(Yes(None)))]
#[case("¡Sí!", Some(Yes(None)))]
#[case("Nein.", Some(No(None)))]
#[case("Non, merci", Some(No(None)))]
#[case("no, gracias", Some(No(None)))]
#[case("not this month", Some(No(None)))]
#[case("No, actually, keep it!", Some(No(None)))]
#[case("sorry no", Some(No(None)))]
#[case("hmm, no", Some(No(None)))]
#[case("I don't think so", Some(No(None)))]
#[case("nö", Some(No(None)))]
#[case("Bitte nicht!", Some(No(None)))]
#[case("surtout pas", Some(No(None)))]
#[case("nvm", Some(No(None)))]
#[case("yes pls", Some(Yes(None)))]
#[case("go on then", Some(Yes(None)))]
#[case("Alright", Some(Yes(None)))]
#[case("hmm yes", Some(Yes(None)))]
#[case("right, go ahead and delete", Some(Yes(None)))]
#[case("yeah right", None)]
#[case("leave it, doesn't matter", Some(No(None)))]
#[case("don't get rid of it", Some(No(None)))]
#[case("no I made a mistake sorry", Some(No(None)))]
#[case("actually, yes", Some(Yes(None)))]
#[case("well, ok", Some(Yes(None)))]
#[case("ja gerne", Some(Yes(None)))]
#[case("sorry, yes but 45", None)]
#[case("hmm", None)]
#[case("pas encore", None)]
#[case("warte", None)]
#[case("go on holiday", None)]
#[case("vielleicht", None)]
#[case("peut-être", None)]
#[case("ja, aber 45", None)]
#[case("ja und Kaffee 3", None)]
#[case("no", Some(No(None)))]
#[case("Don't!", Some(No(None)))]
#[case("cancel", Some(No(None)))]
#[case("never mind", Some(No(None)))]
#[case("2", Some(Pick(2)))]
#[case("the second one", Some(Pick(2)))]
#[case("yes to 1", Some(Yes(Some(1))))]
#[case("no 2", Some(No(Some(2))))]
#[case("reject the first one", Some(No(Some(1))))]
#[case("yes?", None)]
#[case("yes but", None)]
#[case("ok but this", None)]
#[case("ja aber", None)]
#[case("oui mais", None)]
#[case("yes hmm", None)]
#[case("that's it", None)]
#[case("I want to go", None)]
#[case("yes, also this", None)]
#[case("thanks, that's fine", None)]
#[case("ok, no", Some(No(None)))]
#[case("wait, no", Some(No(None)))]
#[case("not sure", None)]
#[case("that is not right", Some(No(None)))]
#[case("das passt nicht", Some(No(None)))]
#[case("please don't add it", Some(No(None)))]
#[case("don't stop", None)]
#[case("absolutely not", Some(No(None)))]
#[case("yes but 45", None)]
#[case("yes and add lunch 12", None)]
#[case("no, yesterday", None)]
#[case("not yet", None)]
#[case("yes 45", None)]
#[case("yes -1", None)]
#[case("yessss!!", Some(Yes(None)))]
#[case("nooo", Some(No(None)))]
#[case("yse", Some(Yes(None)))]
#[case("oki", Some(Yes(None)))]
#[case("oki, no", Some(No(None)))]
#[case("naah", Some(No(None)))]
#[case("dismiss", Some(No(None)))]
#[case("cancle that", Some(No(None)))]
#[case("canel", Some(No(None)))]
#[case("jaa", Some(Yes(None)))]
#[case("abrechen", Some(No(None)))]
#[case("annulle", Some(No(None)))]
#[case("canselar", Some(No(None)))]
#[case("ya", None)]
#[case("yes, both please", Some(Yes(None)))]
#[case("Yes please, do it", Some(Yes(None)))]
#[case("Yes, all of them", Some(Yes(None)))]
#[case("yes, add it", Some(Yes(None)))]
#[case("Na klar!", Some(Yes(None)))]
#[case("ok thanks", Some(Yes(None)))]
#[case("correct", Some(Yes(None)))]
#[case("yes, correct!", Some(Yes(None)))]
#[case("yes, delete them all please", Some(Yes(None)))]
#[case("correct it", None)]
#[case("ok is that all", None)]
#[case("ok is that right", None)]
#[case("ok do you", None)]
#[case("na ja", None)]
#[case("yes add tea", None)]
#[case("yes no", None)]
#[case("yes not that", None)]
#[case("all of them", None)]
#[case("add it", None)]
#[case("yes all but the tea", None)]
#[case("please don't", Some(No(None)))]
#[case("yesterday", None)]
#[case("okra 3.50", None)]
#[case("", None)]
fn only_a_message_that_is_nothing_else_counts(#[case] message: &str, #[case] expected: Option<PlainAnswer>) {
    assert_eq!(read(message), expected);
}

const NOS: [Verdict; 4] = [Verdict::No, Verdict::Decline, Verdict::Cancel, Verdict::Stop];

/// Labelled messages. None of another kind is a yes.
#[rstest]
#[case::yes(include_str!("../../../tests/utterances/yes.txt"), &[Verdict::Yes], 295)]
#[case::no(include_str!("../../../tests/utterances/no.txt"), &NOS, 309)]
#[case::cancel(include_str!("../../../tests/utterances/cancel.txt"), &NOS, 200)]
#[case::unsure(include_str!("../../../tests/utterances/unsure.txt"), &[Verdict::Unsure], 155)]
#[case::other(include_str!("../../../tests/utterances/other.txt"), &[], 0)]
#[case::add(include_str!("../../../tests/utterances/add_expense.txt"), &[], 0)]
#[case::update(include_str!("../../../tests/utterances/update.txt"), &[], 0)]
#[case::delete(include_str!("../../../tests/utterances/delete.txt"), &[], 0)]
#[case::list(include_str!("../../../tests/utterances/list.txt"), &[], 0)]
#[case::greeting(include_str!("../../../tests/utterances/greeting.txt"), &[], 0)]
#[case::help(include_str!("../../../tests/utterances/help.txt"), &[], 0)]
fn labelled_messages_are_read(#[case] messages: &str, #[case] expected: &[Verdict], #[case] at_least: usize) {
    let read = |message: &&str| verdict(message).is_some_and(|verdict| expected.contains(&verdict));
    let right = messages.lines().filter(read).count();
    let is_wrong = |message: &&str| verdict(message) == Some(Verdict::Yes) && !expected.contains(&Verdict::Yes);
    let wrong: Vec<&str> = messages.lines().filter(is_wrong).collect();
    assert_eq!(wrong, Vec::<&str>::new());
    let missed = || messages.lines().filter(|message| !read(message)).collect::<Vec<_>>();
    assert!(right >= at_least, "{right} read; not read: {:?}", missed());
}

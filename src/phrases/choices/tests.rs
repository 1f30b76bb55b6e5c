//! Numbers that are chosen.

use rstest::rstest;

use super::*;

fn add(name: &str) -> Named<'_> {
    Named { name: Some(name), verb: "add" }
}

#[rstest]
#[case("the lunch", Some((0, None)))]
#[case("Dinner please", Some((1, None)))]
#[case("yes to the dinner", Some((1, Some(true))))]
#[case("only the lunch", Some((0, None)))]
#[case("cancel the dinner", Some((1, Some(false))))]
#[case("das lunch", Some((0, None)))]
#[case("the tea", None)]
#[case("dinner?", None)]
#[case("lunch and dinner", None)]
#[case("yes", None)]
#[case("not the dinner", None)]
#[case("no, the dinner", None)]
#[case("no to the dinner", Some((1, Some(false))))]
#[case("correct the dinner", None)]
#[case("lunch 12", None)]
fn one_of_those_listed_is_picked_by_its_name(#[case] message: &str, #[case] expected: Option<(usize, Option<bool>)>) {
    let waiting = [add("lunch"), add("dinner"), Named { name: None, verb: "add" }];
    assert_eq!(names_one(message, &waiting), expected, "{message}");
}

#[test]
fn what_is_to_be_deleted_is_not_refused_by_dropping_it() {
    let deletion = [Named { name: Some("tea"), verb: "delete" }];
    assert_eq!(names_one("drop the tea", &deletion), None);
    assert_eq!(names_one("no to the tea", &deletion), Some((0, Some(false))));
}

#[test]
fn two_of_one_name_are_not_told_apart_by_it() {
    let deletion = Named { name: Some("tea"), verb: "delete" };
    assert_eq!(names_one("the tea", &[add("tea"), deletion]), None);
}

#[rstest]
#[case("skip 1", true)]
#[case("leave 2", true)]
#[case("both but 1", true)]
#[case("the latter", true)]
#[case("the other one", true)]
#[case("the lunch", false)]
#[case("tea 2", true)]
#[case("tea 3", false)]
#[case("tea 2.50", false)]
#[case("the coffee was 2 yesterday", false)]
fn a_word_with_the_number_of_one_may_choose_it(#[case] message: &str, #[case] expected: bool) {
    assert_eq!(may_choose(message, 2), expected, "{message}");
}

#[rstest]
#[case("both", 2, Some(None))]
#[case("Both of them, please", 2, Some(None))]
#[case("yes to both", 2, Some(Some(true)))]
#[case("yes, all of them", 3, Some(Some(true)))]
#[case("1 and 2", 2, Some(None))]
#[case("no to both", 2, Some(Some(false)))]
#[case("cancel both", 2, Some(Some(false)))]
#[case("neither", 2, Some(Some(false)))]
#[case("none of them", 4, Some(Some(false)))]
#[case("yes, add both", 2, Some(Some(true)))]
#[case("all three", 3, Some(None))]
#[case("oui pour les deux", 2, Some(Some(true)))]
#[case("ja zu beiden", 2, Some(Some(true)))]
#[case("sí a los dos", 2, Some(Some(true)))]
// An order of its own, perhaps.
#[case("add both", 2, None)]
#[case("change both", 2, None)]
#[case("yes, delete everything", 2, None)]
#[case("ja, beide", 2, Some(Some(true)))]
#[case("les deux", 2, Some(None))]
#[case("todos", 3, Some(None))]
// Not so many, or not only that.
#[case("both", 3, None)]
#[case("both", 1, None)]
#[case("neither", 3, None)]
#[case("both?", 2, None)]
#[case("#1 and #2", 2, None)]
#[case("no, both", 2, None)]
#[case("both yesterday", 2, None)]
#[case("no delete both", 2, None)]
#[case("yes", 2, None)]
#[case("2", 2, None)]
fn an_answer_can_be_for_all_that_were_listed(
    #[case] message: &str,
    #[case] count: usize,
    #[case] expected: Option<Option<bool>>,
) {
    assert_eq!(for_all(message, count), expected, "{message}");
}

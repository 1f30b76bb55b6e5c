//! "Did you mean …?": for a question that nothing reads, the two likeliest sentences of `frames/suggestions.txt`.
//!
//! They are only offered. What is chosen is read like any other message.

use super::{Question, wording};
use crate::phrases::{Class, Intent, Order, Reader, intents, spelling::is_near};
use crate::sorted::Sort;

const SUGGESTIONS: &str = include_str!("frames/suggestions.txt");
const MOST: usize = 2;
/// One letter may be wrong in words of so many.
const MISSPELT: usize = 6;

/// None if it is no question, has an amount, or no word speaks for any of them.
pub(super) fn did_you_mean(said: &str, reader: Reader) -> Option<Question> {
    let asks = |intent| matches!(intent, Intent::Question | Intent::Order(Order::Look));
    // An amount is more than any of them has.
    if !reader.amounts(said).is_empty() || !intents(said, &[]).into_iter().any(|mention| asks(mention.intent)) {
        return None;
    }
    let words = wording::words(said);
    let is_said = |keyword: &str, word: &str| word == keyword || keyword.len() >= MISSPELT && is_near(word, keyword, 1);
    let fits = |keyword: &&str| words.iter().any(|(_, word)| is_said(keyword, word));
    let score = |keywords: &str| keywords.split(", ").filter(fits).count();
    let mut found: Vec<_> = suggestions().filter(|(_, keywords)| score(keywords) > 0).collect();
    // Stable: of as many words, the first of the list.
    found.put_in_order_of(|(_, keywords)| std::cmp::Reverse(score(keywords)));
    found.truncate(MOST);
    let ranges = reader.ranges(said);
    let range = if let [only] = &ranges[..] { Some(&said[only.span.clone()]) } else { None };
    let offered = |category: Option<&str>| -> Vec<String> {
        found.iter().map(|(sentence, _)| filled(sentence, category, range)).collect()
    };
    let is_keyword =
        |word: &str| found.iter().flat_map(|(_, keywords)| keywords.split(", ")).any(|keyword| is_said(keyword, word));
    // The words that none of them has.
    let left_of = |options: &[String]| -> Vec<usize> {
        let meant = format!(" {} ", options.join(" ").to_lowercase());
        let little = [Class::SmallTalkOpeners, Class::Pronoun, Class::Please, Class::BeforeName, Class::BeforeDays];
        let is_used =
            |word: &str| Class::any(&little, word) || meant.contains(&format!(" {word} ")) || is_keyword(word);
        (0..words.len()).filter(|at| !is_used(&words[*at].1)).collect()
    };
    let category = words.iter().map(|(_, word)| &**word).find(|word| Class::CommonCategory.says(word).is_some());
    let plain = offered(category);
    // "phone bill": what stands together may be what was paid for, and who paid stands before that verb.
    let left = left_of(&plain);
    let may_name = |at: &usize| !Class::Closed.contains(&words[*at].1);
    let is_one = category.is_none() && left.iter().all(may_name) && left.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let options = match (left.first(), left.last()) {
        (Some(first), Some(last)) if is_one && !words.get(last + 1).is_some_and(|(_, next)| is_keyword(next)) => {
            offered(Some(&said[words[*first].0.start..words[*last].0.end]))
        }
        _ => plain,
    };
    let left: Vec<&str> = left_of(&options).into_iter().map(|at| &*words[at].1).collect();
    let without = if left.is_empty() { String::new() } else { format!(", without “{}”", left.join(" ")) };
    let which = if options.len() == 1 { "this" } else { "one of these" };
    let text = format!("I can't answer that. Nothing was changed. Did you mean {which}{without}?");
    (!options.is_empty()).then_some(Question { text, options, missing: vec![] })
}

fn suggestions() -> impl Iterator<Item = (&'static str, &'static str)> {
    SUGGESTIONS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "))
}

fn filled(sentence: &str, category: Option<&str>, range: Option<&str>) -> String {
    let values = [("{category}", category), ("{range}", range)];
    let fill = |part: &str| {
        let (plain, optional) = part.split_once('[').unwrap_or((part, ""));
        let named = values.iter().find(|(slot, _)| optional.contains(slot));
        let held = named.and_then(|(slot, value)| Some(optional.trim_end_matches(']').replace(slot, (*value)?)));
        plain.to_owned() + &held.unwrap_or_default()
    };
    let parts: String = sentence.split_inclusive(']').map(fill).collect();
    parts.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::model::offline::{Reply, conversation, frames, tests::reader};

    #[rstest]
    #[case("what is the reason for my food spending in October being so mad", &["how much did I spend on food October"])]
    #[case("show me a chart of my monthly trend", &["spending by month"])]
    #[case("what categories have I splashed on last week", &["spending by category last week", "spending by week"])]
    #[case("whats teh averge of it", &["how much do I spend on average per month"])]
    #[case("I paid the phone bill in november?", &["how much did I spend on phone bill november"])]
    #[case("who is the king", &[])]
    fn a_question_that_is_not_read_is_met_with_what_may_be_meant(#[case] said: &str, #[case] expected: &[&str]) {
        assert_eq!(did_you_mean(said, reader()).map(|asked| asked.options).unwrap_or_default(), expected);
    }

    #[test]
    fn every_suggestion_is_a_question_that_is_answered() {
        for (sentence, _) in suggestions() {
            for (category, range) in [(None, None), (Some("food"), None), (Some("food"), Some("last month"))] {
                let sentence = filled(sentence, category, range);
                let reply = frames::read(&conversation::plain(&sentence, reader()), reader());
                assert!(matches!(&reply, Some(Reply::Calls(_))), "{sentence}: {reply:?}");
            }
        }
    }
}

//! How far words are from each other, letter by letter.

/// Whether so few letters are left out, added, replaced or swapped with the next.
pub fn is_near(one: &str, other: &str, most: usize) -> bool {
    one.len().abs_diff(other.len()) <= most * char::MAX_LEN_UTF8
        && can_be_near(letters(one), letters(other), most)
        && strsim::osa_distance(one, other) <= most
}

/// What is cheap to ask first, of two words' letters: one that is wrong, missing or too many makes a difference of two
/// at most.
pub fn can_be_near(one: u32, other: u32, most: usize) -> bool {
    (one ^ other).count_ones() as usize <= 2 * most
}

/// Which letters a word has, as a set that is cheap to compare; different letters may share a place.
pub fn letters(word: &str) -> u32 {
    word.chars().fold(0, |letters, letter| letters | place(letter))
}

pub fn place(letter: char) -> u32 {
    1 << (u32::from(letter) & 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn letters_left_out_added_replaced_and_swapped_count_one_each() {
        for (one, other) in [("friday", "fridy"), ("friday", "fridday"), ("friday", "frixay"), ("friday", "firday")] {
            assert!(is_near(one, other, 1) && !is_near(one, other, 0), "{other}");
        }
        assert!(is_near("café", "cafe", 1));
        assert!(!is_near("friday", "fry", 2));
    }

    proptest! {
        #[test]
        fn what_is_asked_first_leaves_nothing_out(one in "[a-zé]{0,9}", other in "[a-zé]{0,9}", most in 0_usize..3) {
            prop_assert_eq!(is_near(&one, &other, most), strsim::osa_distance(&one, &other) <= most);
        }
    }
}

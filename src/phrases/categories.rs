//! What people file expenses under before any of theirs was filed.

use super::phrase_length;

pub const CATEGORIES: [&str; 42] = [
    "food", "groceries", "transport", "travel", "rent", "bills", "utilities", "entertainment", "health", "shopping",
    "clothes", "eating", "restaurants", "education", "gifts", "insurance", "fuel", "housing", "household",
    "subscriptions", "pets", "sports", "leisure", "eating out", "dining out", "dining", "personal care", "clothing",
    "transportation", "healthcare", "fitness", "beauty", "childcare", "hobbies", "donations", "taxes", "toiletries",
    "electronics", "furniture", "cosmetics", "commuting", "public transport",
];

/// How many words the longest category has that they begin with.
pub fn category_length(words: &[&str]) -> Option<usize> {
    CATEGORIES.iter().filter_map(|category| phrase_length(category, words)).max()
}

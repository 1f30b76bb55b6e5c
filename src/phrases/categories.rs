//! What people file expenses under before any of theirs was filed.

pub const CATEGORIES: [&str; 23] = [
    "food", "groceries", "transport", "travel", "rent", "bills", "utilities", "entertainment", "health", "shopping",
    "clothes", "eating", "restaurants", "education", "gifts", "insurance", "fuel", "housing", "household",
    "subscriptions", "pets", "sports", "leisure",
];

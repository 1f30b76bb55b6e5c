//! What a sentence may say of an amount that is no plain price.

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hedge {
    /// "around 20", "20 or so".
    Roughly,
    /// "4 bagels at 1.50", "lunch for 2": one of several, or no price at all.
    Each,
    /// "coffee 3 twice", "daily coffee 3".
    Repeated,
    /// "will pay 50", "supposed to be 12".
    ToCome,
    /// "maybe", "if".
    Unsure,
    /// "split with Anna", "my half".
    Shared,
    /// "Anna paid".
    NotMine,
    /// "save 50", "100 left", "reimbursed".
    NotSpent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HedgeMention {
    /// Bytes of the text.
    pub span: Range<usize>,
    pub hedge: Hedge,
    /// Of the amount that it stands beside, if it is about that one.
    pub amount: Option<Range<usize>>,
}

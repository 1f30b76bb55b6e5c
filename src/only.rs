//! The one item of an iterator that has no second.

pub trait Only: Iterator + Sized {
    /// None of no items, and none of several.
    fn only(mut self) -> Option<Self::Item> {
        self.next().filter(|_| self.next().is_none())
    }
}

impl<I: Iterator> Only for I {}

//! Sorting with little code. The standard library compiles its sort anew for each type, some 5 kB, and collecting into a
//! `BTreeMap` or a `BTreeSet` sorts too. All of them together were a twentieth of the program.

use std::cmp::Ordering;

pub trait Sort<T> {
    /// Like `sort_by`: what is equal keeps its order.
    fn put_in_order(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    fn put_in_order_of<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.put_in_order(|one, other| key(one).cmp(&key(other)));
    }
}

impl<T> Sort<T> for Vec<T> {
    fn put_in_order(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let order = order(self.len(), &|one, other| compare(&self[one], &self[other]));
        let mut unordered: Vec<Option<T>> = self.drain(..).map(Some).collect();
        self.extend(order.into_iter().filter_map(|at| unordered[at].take()));
    }
}

/// The only sort: of places.
fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|one, other| compare(*one, *other));
    order
}

pub trait Collect: IntoIterator + Sized {
    /// Like `collect` into a map or a set, one item after the other.
    fn inserted<C: Default + Extend<Self::Item>>(self) -> C {
        let mut all = C::default();
        all.extend(self);
        all
    }
}

impl<I: IntoIterator> Collect for I {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_keep_their_order() {
        let mut items = vec![("b", 1), ("a", 2), ("b", 0), ("a", 1)];
        items.put_in_order_of(|(name, _)| *name);
        assert_eq!(items, [("a", 2), ("a", 1), ("b", 1), ("b", 0)]);
    }
}

//! Interned values and memoised functions. `step` and the table are pure, so each result is computed once, and a state
//! of the world is a few numbers.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, PoisonError, RwLock},
};

/// The id of a value; 0 is none.
pub type Id = u32;

type Values<T> = (HashMap<Arc<T>, Id>, Vec<Arc<T>>);

pub struct Interned<T>(RwLock<Values<T>>);

/// Results by two numbers. It uses lists instead of maps, because every step of every state reads it.
pub struct Memo<V>(RwLock<Vec<Vec<Option<V>>>>);

impl<T: Hash + Eq> Interned<T> {
    pub fn id(&self, value: T) -> Id {
        if let Some(id) = self.0.read().unwrap_or_else(PoisonError::into_inner).0.get(&value) {
            return *id;
        }
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = kept.0.get(&value) {
            return *id;
        }
        let value = Arc::new(value);
        kept.1.push(value.clone());
        let id = Id::try_from(kept.1.len()).expect("there are fewer than that");
        kept.0.insert(value, id);
        id
    }

    pub fn get(&self, id: Id) -> Arc<T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).1[id as usize - 1].clone()
    }

    pub fn len(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).1.len()
    }
}

impl<V: Copy> Memo<V> {
    pub fn get(&self, row: Id, column: Id, work_out: impl FnOnce() -> V) -> V {
        let (row, column) = (row as usize, column as usize);
        if let Some(cached) = self.cached(row, column) {
            return cached;
        }
        let value = work_out();
        let mut rows = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if rows.len() <= row {
            rows.resize_with(row + 1, Vec::new);
        }
        if rows[row].len() <= column {
            rows[row].resize(column + 1, None);
        }
        rows[row][column] = Some(value);
        value
    }

    fn cached(&self, row: usize, column: usize) -> Option<V> {
        let rows = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if row < rows.len() && column < rows[row].len() { rows[row][column] } else { None }
    }
}

impl<T> Default for Interned<T> {
    fn default() -> Interned<T> {
        Interned(RwLock::default())
    }
}

impl<V> Default for Memo<V> {
    fn default() -> Memo<V> {
        Memo(RwLock::default())
    }
}

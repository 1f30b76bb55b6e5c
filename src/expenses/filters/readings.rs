//! What else a name may mean when nothing is found by it.

use std::{mem, vec};

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::{Filters, KIND, ResolvedFilters, are_alike, forms, resolve_filters, words};
use crate::{
    phrases::{Class, spelling::is_near},
    tool::{ToolContext, ToolError},
};

/// A word with fewer letters is not taken for a misspelt one. With so few, a letter may be missing or too many; another
/// letter makes another word, as in “bread” and “break”.
const SHORTEST: usize = 5;

/// The other meanings of a name, the likeliest first. An answer says which it took, unless only the number of the word
/// differs. For questions: nobody said to change what is found so.
pub(in crate::expenses) struct OtherReadings<'a> {
    asked: &'a Filters,
    known: vec::IntoIter<Filters>,
    /// All names are read for it, so it is tried behind those.
    may_be_misspelt: bool,
    /// And these behind it.
    last: vec::IntoIter<Filters>,
}

impl<'a> OtherReadings<'a> {
    pub fn of(asked: &'a Filters) -> Self {
        let known: Vec<_> = readings(asked).into_iter().chain(related(asked)).collect();
        let last: Vec<_> = noted(asked).into_iter().collect();
        Self { asked, known: known.into_iter(), may_be_misspelt: true, last: last.into_iter() }
    }

    /// Also of sums, which no rows show the names of.
    pub fn of_sums(asked: &'a Filters) -> Self {
        let last: Vec<_> = noted(asked).into_iter().chain(shorter(asked)).collect();
        Self { last: last.into_iter(), ..Self::of(asked) }
    }

    pub async fn next(&mut self, context: &ToolContext<'_>) -> Result<Option<(Filters, ResolvedFilters)>, ToolError> {
        while let Some(reading) = self.next_filters(context).await? {
            if let Ok(Some(resolved)) = resolve_filters(&reading, context) {
                let is_noted = self.asked.text.is_none() && reading.text.is_some();
                return Ok(Some((reading, if is_noted { resolved.with_whole_words() } else { resolved })));
            }
        }
        Ok(None)
    }

    async fn next_filters(&mut self, context: &ToolContext<'_>) -> Result<Option<Filters>, ToolError> {
        if let Some(known) = self.known.next() {
            return Ok(Some(known));
        }
        if mem::take(&mut self.may_be_misspelt)
            && let Some(meant) = misspelt(self.asked, context).await?
        {
            return Ok(Some(meant));
        }
        Ok(self.last.next())
    }
}

/// A category may be meant in the singular or the plural, or as an item name. An item name may be meant as a category.
pub(in crate::expenses) fn readings(asked: &Filters) -> Vec<Filters> {
    let categories = |name: &str| Filters { categories: forms(&name.to_lowercase()), words: None, ..asked.clone() };
    match (asked.categories.as_slice(), &asked.words) {
        ([name], None) => {
            let called = Filters { categories: vec![], words: Some(name.clone()), ..asked.clone() };
            vec![categories(name), called]
        }
        ([], Some(name)) => vec![categories(name)],
        _ => vec![],
    }
}

/// What people call by another name: “house” of what is in “housing”, or a category with one letter wrong.
fn related(asked: &Filters) -> impl Iterator<Item = Filters> {
    let name = only_name(asked).unwrap_or_default().to_lowercase();
    // "cinéma", of the cinema
    let plain: String = name.nfd().filter(|letter| !is_combining_mark(*letter)).collect();
    let unmarked = Some(plain).filter(|plain| *plain != name);
    let is_misspelt = |known: &&str| name.len() > SHORTEST && is_near(&name, known, 1) && **known != *name;
    let spelt: Vec<String> =
        Class::CommonCategory.all().iter().map(|(known, _)| *known).filter(is_misspelt).map(str::to_owned).collect();
    let known =
        Class::Related.all().iter().filter(move |(word, _)| *word == name).map(|(_, sense)| sense.says.to_owned());
    unmarked.into_iter().chain(known).chain(spelt).flat_map(|name| {
        let filters = Filters { categories: vec![name], words: None, text: None, ..asked.clone() };
        [filters.clone()].into_iter().chain(readings(&filters))
    })
}

/// “Amex” of what has the note “on my Amex”. Of other names no notes are read: they have no index.
fn noted(asked: &Filters) -> Option<Filters> {
    let name = only_name(asked).filter(|name| asked.text.is_none() && !name.contains(['"', '“', '-']))?;
    words(name).split_whitespace().find(|word| Class::MeansOfPayment.contains(word))?;
    let text = Some(format!("\"{name}\""));
    Some(Filters { categories: vec![], words: None, text, has_notes: Some(true), ..asked.clone() })
}

/// “cinema tickets” of what is called “cinema”: the name without its last word, or without its first.
fn shorter(asked: &Filters) -> Vec<Filters> {
    let is_plain = |name: &&str| !name.contains(['"', '“', '-']);
    let Some((first, last)) =
        only_name(asked).filter(is_plain).and_then(|name| Some((name.rsplit_once(' ')?.0, name.split_once(' ')?.1)))
    else {
        return vec![];
    };
    let called = |name: &str| Filters { categories: vec![], words: Some(name.to_owned()), text: None, ..asked.clone() };
    [first, last].map(called).into_iter().flat_map(|filters| [readings(&filters), vec![filters]].concat()).collect()
}

/// “pharmcy” of what is called “pharmacy”: each word that no name has, as a word of a name that is one letter off. Of
/// several, the one of the name that most rows have.
async fn misspelt(asked: &Filters, context: &ToolContext<'_>) -> Result<Option<Filters>, ToolError> {
    // “"green tea"” and “-decaf” are to be found as they are written.
    let is_plain = |name: &&str| name.len() >= SHORTEST && !name.contains(['"', '“', '-']);
    let Some(name) = only_name(asked).filter(is_plain) else { return Ok(None) };
    let everything = Filters { categories: vec![], words: None, text: None, ..asked.clone() };
    let Some(everything) = resolve_filters(&everything, context)? else { return Ok(None) };
    let query = everything.query(0);
    let names = context.names.of(context, KIND, query.owner()).await?;
    let known = || names.matching(&[]).flat_map(|total| total.name.split(' ').map(|word| (word, total.count)));
    let letters = |word: &str| word.chars().count();
    let is_off = |said: &str, known: &str| {
        let is_long = letters(said) > SHORTEST || letters(said) != letters(known);
        letters(said) >= SHORTEST && letters(known) >= SHORTEST && is_long && is_near(said, known, 1)
    };
    let (said, mut is_other) = (words(name), false);
    let mut meant = Vec::new();
    for word in said.split_whitespace() {
        let forms = forms(word);
        let is_one = forms.iter().any(|form| known().any(|(known, _)| known == form));
        let near = known().filter(|(known, _)| !is_one && forms.iter().any(|form| is_off(form, known)));
        let nearest = near.max_by_key(|(_, count)| *count);
        is_other |= nearest.is_some();
        meant.push(nearest.map_or(word, |(known, _)| known));
    }
    Ok(is_other.then(|| Filters { categories: vec![], words: Some(meant.join(" ")), text: None, ..asked.clone() }))
}

/// The only category, name or word that was asked for.
fn only_name(asked: &Filters) -> Option<&str> {
    match (asked.categories.as_slice(), &asked.words, &asked.text) {
        ([name], None, None) | ([], Some(name), None) | ([], None, Some(name)) => Some(name),
        _ => None,
    }
}

/// The name that was asked for, if the reading has another one.
pub(in crate::expenses) fn other_name(asked: &Filters, reading: &Filters) -> Option<String> {
    let name = |filters: &Filters| {
        let name = filters.words.as_ref().or(filters.text.as_ref()).or(filters.categories.first());
        name.map_or("", |name| name.trim_matches('"')).to_lowercase()
    };
    Some(name(asked)).filter(|said| !are_alike(said, &name(reading)))
}

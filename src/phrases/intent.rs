//! Whether a message states something, or asks, supposes, forbids or orders something.
//!
//! Closed classes of words, in the four languages. It knows no records and does not say what to do.

use std::ops::Range;

use super::{
    Conventions,
    interjections::{INTERJECTIONS, REACTIONS},
    lexicon::Class,
    tokens::Line,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// "did I pay 12 for lunch", "coffee 3.50?". Not a polite order: "can you add coffee 3.50?"
    Question,
    /// "if I buy a bike", "maybe".
    Hypothetical,
    /// "don't add the coffee".
    Negated,
    Order(Order),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Add,
    Change,
    Delete,
    /// "show", "find", "tell me".
    Look,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntentMention {
    /// Bytes of the text.
    pub span: Range<usize>,
    pub intent: Intent,
}

/// What the message does beside stating something, from left to right. Empty for "coffee 3.50". `verbs`: further verbs
/// that change something.
pub fn intents(text: &str, verbs: &[&str]) -> Vec<IntentMention> {
    let line = Line::new(text, Conventions::default());
    let verbs: Vec<String> = verbs.iter().map(|verb| verb.to_lowercase()).collect();
    sentences(&line).into_iter().flat_map(|tokens| Sentence::of(&line, &verbs, tokens).intents()).collect()
}

/// The tokens of each sentence, with the mark that ends it.
fn sentences(line: &Line<'_>) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut found = Vec::new();
    for at in 0..line.tokens.len() {
        let next = line.tokens.get(at + 1).map_or(line.text.len(), |next| next.span.start);
        let is_broken = line.text[line.tokens[at].span.end..next].contains('\n');
        // "3.50", "e.g."
        let is_end = line.mark(at).is_some_and(|mark| ".!?;…？".contains(mark)) && !line.glued(at + 1);
        if is_end || is_broken {
            found.push(start..at + 1);
            start = at + 1;
        }
    }
    found.push(start..line.tokens.len());
    found
}

struct Sentence<'w> {
    line: &'w Line<'w>,
    verbs: &'w [String],
    tokens: Range<usize>,
    clauses: Vec<Clause>,
}

/// A part of a sentence that can have a verb in front.
struct Clause {
    /// Without what only leads up to it: "please", "can you".
    front: usize,
    end: usize,
    /// Where "can you" or "I want to" begins, if it is there.
    polite: Option<usize>,
    says_please: bool,
    order: Option<(Range<usize>, Order)>,
}

impl Clause {
    fn of(line: &Line<'_>, verbs: &[String], tokens: Range<usize>) -> Clause {
        let (mut front, mut polite) = (tokens.start, None);
        while front < tokens.end {
            if let Some(end) = line.phrase(front, Class::Polite) {
                polite = polite.or(Some(front));
                front = end;
            } else if let Some(end) = line.phrase(front, Class::Courtesy) {
                front = end;
            } else if line.word(front).is_empty() && line.digits(front).is_none()
                || line.is(front, INTERJECTIONS)
                || line.is(front, REACTIONS)
            {
                front += 1;
            } else {
                break;
            }
        }
        let front = front.min(tokens.end);
        let says_please = tokens.clone().any(|at| line.is(at, Class::Please));
        let order = order(line, verbs, front, &tokens).filter(|(span, _)| !quotes(line, span.start));
        let order = order.map(|(span, order)| (line.span(span.start, span.end), order));
        Clause { front, end: tokens.end, polite, says_please, order }
    }

    fn is_polite_order(&self) -> bool {
        let orders = self.order.as_ref().is_some_and(|(_, order)| *order != Order::Look);
        orders && (self.polite.is_some() || self.says_please)
    }
}

/// Past one of the further verbs.
fn verb(line: &Line<'_>, verbs: &[String], at: usize) -> Option<usize> {
    verbs.iter().find_map(|verb| line.whole_phrase(at, verb))
}

/// The verb in front of the clause, or at its end: "den Kaffee löschen".
fn order(line: &Line<'_>, verbs: &[String], front: usize, clause: &Range<usize>) -> Option<(Range<usize>, Order)> {
    let classes = [
        (Order::Delete, Class::Delete),
        (Order::Change, Class::Change),
        (Order::Add, Class::Add),
        (Order::Look, Class::Look),
    ];
    let own = || verb(line, verbs, front).map(|end| (front..end, Order::Change));
    let in_front = || {
        classes.into_iter().find_map(|(order, words)| {
            let end = line.phrase(front, words)?;
            let is_weak = line.phrase(front, Class::WeakOrder) == Some(end);
            let points = line.is(end, Class::Pointing) || line.mark(end) == Some('#');
            (!is_weak || points).then_some((front..end, order))
        })
    };
    let at_the_end = || {
        let last = clause.clone().rev().find(|at| !line.word(*at).is_empty() && line.word(*at) != "bitte")?;
        let order = match Class::Closing.sense(line.word(last))?.says {
            "add" => Order::Add,
            "change" => Order::Change,
            "delete" => Order::Delete,
            _ => Order::Look,
        };
        (last > front).then_some((last..last + 1, order))
    };
    own().or_else(in_front).or_else(at_the_end)
}

/// What is in quotation marks is a name: "add “wait and delete”".
fn quotes(line: &Line<'_>, at: usize) -> bool {
    let is_open = |open: bool, at: usize| match line.mark(at) {
        Some('"') => !open,
        Some('“' | '„' | '«') => true,
        Some('”' | '»') => false,
        _ => open,
    };
    (0..at).fold(false, is_open)
}

fn first(line: &Line<'_>, mut tokens: impl Iterator<Item = usize>, phrases: Class) -> Option<Range<usize>> {
    tokens.find_map(|at| Some(line.span(at, line.phrase(at, phrases)?)))
}

impl Sentence<'_> {
    fn of<'w>(line: &'w Line<'w>, verbs: &'w [String], tokens: Range<usize>) -> Sentence<'w> {
        let mut start = tokens.start;
        let mut clauses = Vec::new();
        for at in tokens.clone() {
            // "3,50"
            let is_mark = line.mark(at).is_some_and(|mark| ",:–—".contains(mark)) && !line.glued(at + 1);
            if is_mark || line.is(at, Class::JoinsClauses) {
                clauses.push(Clause::of(line, verbs, start..at));
                start = at + 1;
            }
        }
        clauses.push(Clause::of(line, verbs, start..tokens.end));
        Sentence { line, verbs, tokens, clauses }
    }

    fn intents(&self) -> Vec<IntentMention> {
        let negated = self.negated();
        let orders = self.clauses.iter().filter(|_| negated.is_none()).filter_map(|clause| clause.order.clone());
        let orders = orders.map(|(span, order)| (Some(span), Intent::Order(order)));
        let kinds = [
            (self.asked(), Intent::Question),
            (self.supposed(), Intent::Hypothetical),
            (negated.clone(), Intent::Negated),
        ];
        let found = kinds.into_iter().chain(orders);
        found.filter_map(|(span, intent)| Some(IntentMention { span: span?, intent })).collect()
    }

    fn asked(&self) -> Option<Range<usize>> {
        let line = self.line;
        let leading = || {
            let clause = self.clauses.iter().find(|clause| clause.front < clause.end)?;
            let at = clause.polite.filter(|_| !clause.is_polite_order()).unwrap_or(clause.front);
            let before = |verbs: Class, subjects: Class| line.phrase(at, verbs).filter(|end| line.is(*end, subjects));
            let end = line
                .phrase(at, Class::Asking)
                .or_else(|| before(Class::AskingBeforeVerb, Class::Auxiliary))
                .or_else(|| before(Class::AskingBeforeSubject, Class::Subject))
                .or_else(|| before(Class::AskingBeforePronoun, Class::Pronoun))?;
            Some(line.span(at, end))
        };
        let marked = || {
            let mark = self.tokens.clone().find(|at| line.mark(*at).is_some_and(|mark| "?¿？".contains(mark)))?;
            (!self.clauses.iter().any(Clause::is_polite_order)).then(|| line.span(mark, mark + 1))
        };
        leading().or_else(|| first(line, self.tokens.clone(), Class::AskingWithin)).or_else(marked)
    }

    /// None after "add the task" or "task:", because what is added may have any words.
    fn supposed(&self) -> Option<Range<usize>> {
        let opening = &self.clauses[0];
        let is_label = opening.front + 1 == opening.end
            && self.line.mark(opening.end) == Some(':')
            && self.line.phrase(opening.front, Class::Supposing).is_none();
        let has_content = is_label || matches!(opening.order, Some((_, Order::Add)));
        let told = self.clauses.iter().flat_map(|clause| clause.front..clause.end);
        if has_content { None } else { first(self.line, told, Class::Supposing) }
    }

    /// "don't add", "nicht eintragen", "n'ajoute pas".
    fn negated(&self) -> Option<Range<usize>> {
        let line = self.line;
        let is_order = |at: &usize| {
            [Class::Add, Class::Change, Class::Delete].iter().any(|words| line.phrase(*at, *words).is_some())
                || verb(line, self.verbs, *at).is_some()
        };
        let orders = self.clauses.iter().any(|clause| clause.order.is_some());
        self.tokens.clone().find_map(|at| {
            let forbids = || line.phrase(at, Class::Forbidding).map(|end| line.span(at, end));
            let before = || {
                let end = line.phrase(at, Class::Negation).filter(|_| line.phrase(at, Class::Polite).is_none())?;
                let order = (end..self.tokens.end.min(end + 2)).find(is_order)?;
                Some(line.span(at, order + 1))
            };
            let after = || (orders && line.is(at, Class::NegationBehind)).then(|| line.span(at, at + 1));
            forbids().or_else(before).or_else(after)
        })
    }
}

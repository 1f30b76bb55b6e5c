//! Passes the text of a round on while the model writes it: whole sentences, as long as the text so far passes the checks
//! of a whole answer. Nobody sees a false sentence, not even for a moment.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use super::events::{Events, TurnEvent};
use crate::model::TextPieces;

pub(super) struct PartialAnswer<'e, F> {
    passes: F,
    sent: Mutex<SentText<'e>>,
}

/// The text that was passed on. It is taken back when this is dropped, unless it is kept.
pub(super) struct SentText<'e> {
    events: &'e Events,
    text: String,
    /// Up to here.
    end: usize,
    /// A sentence did not pass. The next ones build on it.
    is_stopped: bool,
}

impl<'e, F: Fn(&str) -> bool> PartialAnswer<'e, F> {
    /// `passes`: whether a text can be shown as an answer.
    pub fn new(events: &'e Events, passes: F) -> PartialAnswer<'e, F> {
        PartialAnswer { passes, sent: Mutex::new(SentText { events, text: String::new(), end: 0, is_stopped: false }) }
    }

    pub fn into_sent(self) -> SentText<'e> {
        self.sent.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<F: Fn(&str) -> bool + Send + Sync> TextPieces for PartialAnswer<'_, F> {
    fn add(&self, piece: &str) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        sent.text.push_str(piece);
        let end = end_of_sentences(&sent.text);
        if sent.is_stopped || end <= sent.end {
            return;
        }
        match (self.passes)(&sent.text[..end]) {
            true => sent.send_to(end),
            false => sent.is_stopped = true,
        }
    }

    fn restart(&self) {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).take_back();
    }
}

impl<F> fmt::Debug for PartialAnswer<'_, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PartialAnswer")
    }
}

impl SentText<'_> {
    /// The answer is this text, which has passed the checks. Its rest is passed on too.
    pub fn keep(mut self, answer: &str) {
        if answer.starts_with(&self.text[..self.end]) {
            answer.clone_into(&mut self.text);
            self.send_to(answer.len());
            self.end = 0;
        }
    }

    fn send_to(&mut self, end: usize) {
        if end > self.end {
            self.events.send(TurnEvent::Delta(self.text[self.end..end].to_owned()));
        }
        self.end = end;
    }

    fn take_back(&mut self) {
        if self.end > 0 {
            self.events.send(TurnEvent::Reset);
        }
        (self.text, self.end, self.is_stopped) = (String::new(), 0, false);
    }
}

impl Drop for SentText<'_> {
    fn drop(&mut self) {
        self.take_back();
    }
}

/// The end of the last line, or of the last sentence that another one follows: an amount can go on after a point.
fn end_of_sentences(text: &str) -> usize {
    let line = text.rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[line..];
    let ends = rest.char_indices().zip(rest.chars().skip(1));
    let ends = ends.filter(|((_, mark), next)| matches!(mark, '.' | '!' | '?') && next.is_whitespace());
    ends.last().map_or(line, |((at, _), _)| line + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is sent for these pieces, if a text with "false" does not pass.
    fn sent(pieces: &[&str], answer: Option<&str>) -> Vec<TurnEvent> {
        let (events, mut sent) = Events::channel();
        let partial = PartialAnswer::new(&events, |text: &str| !text.contains("false"));
        pieces.iter().for_each(|piece| partial.add(piece));
        if let Some(answer) = answer {
            partial.into_sent().keep(answer);
        } else {
            drop(partial);
        }
        drop(events);
        std::iter::from_fn(|| sent.blocking_recv()).collect()
    }

    fn delta(text: &str) -> TurnEvent {
        TurnEvent::Delta(text.to_owned())
    }

    #[test]
    fn whole_sentences_and_lines_are_passed_on() {
        let pieces = ["You sp", "ent £3.", "50", ".", " That is all", "! ", "\n- a\n", "Well."];
        let expected = [delta("You spent £3.50."), delta(" That is all!"), delta(" \n- a\n"), delta("Well.")];
        assert_eq!(sent(&pieces, Some("You spent £3.50. That is all! \n- a\nWell.")), expected);
    }

    #[test]
    fn from_the_first_sentence_that_does_not_pass_nothing_is_passed_on() {
        let pieces = ["One. ", "This is false. ", "Three. "];
        assert_eq!(sent(&pieces, None), [delta("One."), TurnEvent::Reset]);
        assert_eq!(sent(&["This is fal", "se. Two. "], None), []);
    }

    #[test]
    fn text_that_is_not_the_answer_is_taken_back() {
        assert_eq!(sent(&["Let me look. "], None), [delta("Let me look."), TurnEvent::Reset]);
        assert_eq!(sent(&["One. Two"], Some("Another.")), [delta("One."), TurnEvent::Reset]);
        assert_eq!(sent(&["One"], None), []);
    }

    #[test]
    fn after_a_failed_attempt_the_answer_begins_again() {
        let (events, mut received) = Events::channel();
        let partial = PartialAnswer::new(&events, |_: &str| true);
        partial.add("One. T");
        partial.restart();
        partial.add("Two. ");
        partial.into_sent().keep("Two. Three.");
        let sent: Vec<TurnEvent> = std::iter::from_fn(|| received.try_recv().ok()).collect();
        assert_eq!(sent, [delta("One."), TurnEvent::Reset, delta("Two."), delta(" Three.")]);
    }
}

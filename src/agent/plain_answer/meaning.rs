//! The decision table of plain answers. Input: what was shown, what waits and what the message says. Output: what the
//! message means. It reads neither text nor store.

/// The input of the table. Positions count from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    /// The message stops something, and a run is under way.
    pub stops_run: bool,
    pub last: LastAnswer,
    /// The person sees the last stored answer. A client that keeps the conversation itself may show another one.
    pub is_visible: bool,
    /// A further proposal waits that cannot be read, so it is not counted, and a yes may mean it.
    pub has_unread: bool,
    pub waiting: Waiting,
    /// Which of the listed proposals the message chooses.
    pub choice: Choice,
    /// The position of the waiting proposal that the message names, and the yes or no beside the name.
    pub named: Option<(usize, Option<bool>)>,
    pub words: Words,
    /// A yes fits if the verb and object it repeats are those of the waiting proposals. "Yes, delete it" does not fit
    /// an addition.
    pub yes_fits: bool,
}

/// What the last answer was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LastAnswer {
    /// It showed a proposal that still waits.
    Proposal,
    /// It showed a proposal that no longer waits.
    ClosedProposal,
    /// It listed proposals and asked which one to approve, or to reject.
    List { approve: bool },
    /// It asked for something that was missing or unclear, like an amount.
    Question,
    /// It asked nothing, and ended with the list of waiting proposals.
    Mention,
    /// It reported the decision of a proposal.
    Decided,
    /// Anything else, or no last answer.
    Other,
}

/// How many proposals wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    Nothing,
    One,
    Several,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// "Both", "no to both". `yes_fits` is about the listed proposals.
    All {
        said: Option<bool>,
        yes_fits: bool,
    },
    /// "1", "yes to the tea"
    One(usize, Option<bool>),
    /// A number that is not in the list.
    OutOfRange,
    /// "Skip 1", "the other one"
    Unclear,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// "Yes", "no", "yes to both". `to_all`: the message says "both" or "all", and each waiting proposal changes one
    /// row.
    YesOrNo {
        approve: bool,
        to_all: bool,
    },
    /// "Both", without yes or no.
    All,
    /// "2"
    Number,
    /// "Cancel" after a change was made: undo it.
    TakeBack,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Not a plain answer. The message goes to the model.
    ForModel,
    StopRun,
    Decide(Target, bool),
    AskWhich(bool),
    /// Shows the waiting proposal at this position again. The second field is true for a yes.
    ShowAgain(usize, bool),
}

/// Which proposals are decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    AllListed,
    Listed(usize),
    AllWaiting,
    Waiting(usize),
    /// The proposal of the last answer. It no longer waits; its state is the answer.
    OfLastAnswer,
}

use Meaning::{AskWhich, Decide, ForModel, ShowAgain};

impl Facts {
    /// The first row of the table that matches counts.
    pub fn meaning(&self) -> Meaning {
        if self.stops_run {
            return Meaning::StopRun;
        }
        self.answer_to_list().or_else(|| self.answer_by_name()).unwrap_or_else(|| self.yes_or_no())
    }

    fn answer_to_list(&self) -> Option<Meaning> {
        let LastAnswer::List { approve } = self.last else { return None };
        match (self.choice, self.waiting) {
            (Choice::All { said, yes_fits: false }, _) if said.unwrap_or(approve) => Some(ForModel),
            (Choice::All { said, .. }, _) => Some(Decide(Target::AllListed, said.unwrap_or(approve))),
            (Choice::One(at, said), _) => Some(Decide(Target::Listed(at), said.unwrap_or(approve))),
            (Choice::OutOfRange, _) => Some(ForModel),
            (Choice::Unclear, Waiting::Several) => Some(AskWhich(approve)),
            (Choice::Unclear, _) => Some(ForModel),
            (Choice::None, _) => None,
        }
    }

    fn answer_by_name(&self) -> Option<Meaning> {
        match (self.named?, self.last) {
            // A no does no harm: the person can repeat the request.
            ((at, Some(false)), last) if last != LastAnswer::Question => Some(Decide(Target::Waiting(at), false)),
            // Its name may be the same.
            ((_, Some(true)), _) if self.has_unread => Some(AskWhich(true)),
            ((at, Some(true)), _) if self.was_just_shown() => Some(Decide(Target::Waiting(at), true)),
            ((at, _), LastAnswer::Decided) => Some(ShowAgain(at, true)),
            _ => None,
        }
    }

    fn yes_or_no(&self) -> Meaning {
        use LastAnswer::{ClosedProposal, Decided, List, Mention, Proposal, Question};
        let (approve, to_all) = match (self.words, self.waiting, self.last) {
            (Words::YesOrNo { approve, to_all }, ..) => (approve, to_all),
            (Words::All, ..) if self.was_just_shown() => return AskWhich(true),
            (Words::Number, Waiting::One, Decided) => return ShowAgain(0, true),
            (Words::Number, Waiting::Several, Decided) => return AskWhich(true),
            _ => return ForModel,
        };
        match (self.waiting, self.last) {
            _ if approve && !self.yes_fits => ForModel,
            (Waiting::Nothing, _) if approve && self.has_unread => ForModel,
            _ if approve && self.has_unread => AskWhich(true),
            // The no may answer the question that was asked later.
            (Waiting::Several, Question) if !approve => ForModel,
            (Waiting::Several, _) if to_all && self.was_just_shown() => Decide(Target::AllWaiting, approve),
            (Waiting::Several, _) => AskWhich(approve),
            (Waiting::One, Proposal) if self.is_visible => Decide(Target::Waiting(0), approve),
            // If the last answer asked a question, the no may answer it.
            (Waiting::One, Mention) if !approve => Decide(Target::Waiting(0), false),
            (Waiting::One, _) => ShowAgain(0, approve),
            (Waiting::Nothing, ClosedProposal | Decided) => Decide(Target::OfLastAnswer, approve),
            (Waiting::Nothing, List { .. }) => Decide(Target::AllListed, approve),
            (Waiting::Nothing, _) => ForModel,
        }
    }

    fn was_just_shown(&self) -> bool {
        self.is_visible && matches!(self.last, LastAnswer::Proposal | LastAnswer::Mention)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{
        Choice::{OutOfRange, Unclear},
        LastAnswer::{ClosedProposal, Decided, List, Mention, Other, Proposal, Question},
        Target::{AllListed, AllWaiting, Listed, OfLastAnswer},
        Waiting::{Nothing, One, Several},
        *,
    };

    const YES: Words = Words::YesOrNo { approve: true, to_all: false };
    const NO: Words = Words::YesOrNo { approve: false, to_all: false };
    const YES_TO_ALL: Words = Words::YesOrNo { approve: true, to_all: true };
    const NO_TO_ALL: Words = Words::YesOrNo { approve: false, to_all: true };
    const APPROVE_WHICH: LastAnswer = List { approve: true };
    const REJECT_WHICH: LastAnswer = List { approve: false };

    const FACTS: Facts = Facts {
        stops_run: false,
        last: Other,
        is_visible: true,
        has_unread: false,
        waiting: Nothing,
        choice: Choice::None,
        named: None,
        words: Words::Other,
        yes_fits: true,
    };

    #[rstest]
    #[case(One, Proposal, YES, Decide(Target::Waiting(0), true))]
    #[case(One, Proposal, NO, Decide(Target::Waiting(0), false))]
    #[case(One, Mention, YES, ShowAgain(0, true))]
    #[case(One, Mention, NO, Decide(Target::Waiting(0), false))]
    #[case(One, ClosedProposal, YES, ShowAgain(0, true))]
    #[case(One, ClosedProposal, NO, ShowAgain(0, false))]
    #[case(One, Question, YES, ShowAgain(0, true))]
    #[case(One, Question, NO, ShowAgain(0, false))]
    #[case(One, APPROVE_WHICH, YES, ShowAgain(0, true))]
    #[case(One, REJECT_WHICH, NO, ShowAgain(0, false))]
    #[case(One, Decided, YES, ShowAgain(0, true))]
    #[case(One, Decided, NO, ShowAgain(0, false))]
    #[case(One, Decided, Words::Number, ShowAgain(0, true))]
    #[case(One, Proposal, Words::Number, ForModel)]
    #[case(One, Proposal, Words::Other, ForModel)]
    #[case(One, Other, YES, ShowAgain(0, true))]
    #[case(One, Other, NO, ShowAgain(0, false))]
    #[case(Several, Proposal, YES, AskWhich(true))]
    #[case(Several, Proposal, NO, AskWhich(false))]
    #[case(Several, Proposal, YES_TO_ALL, Decide(AllWaiting, true))]
    #[case(Several, Proposal, NO_TO_ALL, Decide(AllWaiting, false))]
    #[case(Several, Proposal, Words::All, AskWhich(true))]
    #[case(Several, Mention, YES_TO_ALL, Decide(AllWaiting, true))]
    #[case(Several, Mention, Words::All, AskWhich(true))]
    #[case(Several, Mention, NO, AskWhich(false))]
    #[case(Several, Question, YES, AskWhich(true))]
    #[case(Several, Question, NO, ForModel)]
    #[case(Several, Question, NO_TO_ALL, ForModel)]
    #[case(Several, Question, Words::All, ForModel)]
    #[case(Several, Decided, YES_TO_ALL, AskWhich(true))]
    #[case(Several, Decided, Words::Number, AskWhich(true))]
    #[case(Several, Other, YES_TO_ALL, AskWhich(true))]
    #[case(Several, Other, Words::Number, ForModel)]
    #[case(Nothing, ClosedProposal, YES, Decide(OfLastAnswer, true))]
    #[case(Nothing, ClosedProposal, NO, Decide(OfLastAnswer, false))]
    #[case(Nothing, Decided, YES, Decide(OfLastAnswer, true))]
    #[case(Nothing, Decided, NO, Decide(OfLastAnswer, false))]
    #[case(Nothing, Decided, Words::TakeBack, ForModel)]
    #[case(Nothing, Decided, Words::Number, ForModel)]
    #[case(Nothing, REJECT_WHICH, YES, Decide(AllListed, true))]
    #[case(Nothing, APPROVE_WHICH, NO, Decide(AllListed, false))]
    #[case(Nothing, Question, YES, ForModel)]
    #[case(Nothing, Other, NO, ForModel)]
    fn a_yes_or_no_is_about_what_was_shown_or_else_is_asked_back(
        #[case] waiting: Waiting,
        #[case] last: LastAnswer,
        #[case] words: Words,
        #[case] expected: Meaning,
    ) {
        assert_eq!(Facts { waiting, last, words, ..FACTS }.meaning(), expected);
    }

    #[rstest]
    #[case(One, Proposal, YES, ShowAgain(0, true))]
    #[case(One, Mention, NO, Decide(Target::Waiting(0), false))]
    #[case(Several, Proposal, YES_TO_ALL, AskWhich(true))]
    #[case(Several, Mention, Words::All, ForModel)]
    #[case(Nothing, Decided, YES, Decide(OfLastAnswer, true))]
    fn a_yes_to_what_is_not_visible_is_asked_back(
        #[case] waiting: Waiting,
        #[case] last: LastAnswer,
        #[case] words: Words,
        #[case] expected: Meaning,
    ) {
        assert_eq!(Facts { waiting, last, words, is_visible: false, ..FACTS }.meaning(), expected);
    }

    #[rstest]
    #[case(One, Proposal, YES, AskWhich(true))]
    #[case(One, Mention, YES, AskWhich(true))]
    #[case(One, APPROVE_WHICH, YES, AskWhich(true))]
    #[case(Several, Proposal, YES_TO_ALL, AskWhich(true))]
    #[case(Nothing, ClosedProposal, YES, ForModel)]
    #[case(Nothing, APPROVE_WHICH, YES, ForModel)]
    #[case(One, Proposal, NO, Decide(Target::Waiting(0), false))]
    #[case(Nothing, ClosedProposal, NO, Decide(OfLastAnswer, false))]
    fn a_yes_beside_what_cannot_be_read_decides_nothing(
        #[case] waiting: Waiting,
        #[case] last: LastAnswer,
        #[case] words: Words,
        #[case] expected: Meaning,
    ) {
        let facts = Facts { waiting, last, words, has_unread: true, ..FACTS };
        assert_eq!(facts.meaning(), expected);
        let named = Facts { waiting: One, named: Some((0, Some(true))), has_unread: true, ..FACTS };
        assert_eq!(Facts { last: Proposal, ..named }.meaning(), AskWhich(true));
        let chosen = Facts { choice: Choice::One(0, None), last: APPROVE_WHICH, ..facts };
        assert_eq!(chosen.meaning(), Decide(Listed(0), true), "a number of the list is clear");
    }

    #[rstest]
    #[case(One, Proposal)]
    #[case(Several, Proposal)]
    #[case(Nothing, Decided)]
    fn a_yes_that_says_something_else_is_for_the_model(#[case] waiting: Waiting, #[case] last: LastAnswer) {
        let facts = Facts { waiting, last, yes_fits: false, ..FACTS };
        assert_eq!(Facts { words: YES, ..facts }.meaning(), ForModel);
        assert_ne!(Facts { words: NO, ..facts }.meaning(), ForModel);
    }

    #[rstest]
    #[case(APPROVE_WHICH, Choice::All { said: None, yes_fits: true }, Decide(AllListed, true))]
    #[case(REJECT_WHICH, Choice::All { said: None, yes_fits: false }, Decide(AllListed, false))]
    #[case(REJECT_WHICH, Choice::All { said: Some(true), yes_fits: true }, Decide(AllListed, true))]
    #[case(APPROVE_WHICH, Choice::All { said: Some(false), yes_fits: false }, Decide(AllListed, false))]
    #[case(APPROVE_WHICH, Choice::All { said: None, yes_fits: false }, ForModel)]
    #[case(REJECT_WHICH, Choice::All { said: Some(true), yes_fits: false }, ForModel)]
    #[case(APPROVE_WHICH, Choice::One(1, None), Decide(Listed(1), true))]
    #[case(REJECT_WHICH, Choice::One(1, None), Decide(Listed(1), false))]
    #[case(APPROVE_WHICH, Choice::One(0, Some(false)), Decide(Listed(0), false))]
    #[case(APPROVE_WHICH, OutOfRange, ForModel)]
    #[case(APPROVE_WHICH, Unclear, AskWhich(true))]
    #[case(REJECT_WHICH, Unclear, AskWhich(false))]
    #[case(APPROVE_WHICH, Choice::None, AskWhich(false))]
    // No list was shown.
    #[case(Proposal, Choice::One(1, None), AskWhich(false))]
    fn a_choice_is_made_from_the_list(#[case] last: LastAnswer, #[case] choice: Choice, #[case] expected: Meaning) {
        assert_eq!(Facts { last, choice, waiting: Several, words: NO, ..FACTS }.meaning(), expected);
    }

    #[test]
    fn an_unclear_choice_goes_to_the_model_unless_several_wait() {
        let facts = Facts { last: APPROVE_WHICH, choice: Unclear, ..FACTS };
        assert_eq!(Facts { waiting: One, ..facts }.meaning(), ForModel);
        assert_eq!(Facts { waiting: Nothing, ..facts }.meaning(), ForModel);
    }

    #[rstest]
    #[case(Proposal, true, Some(true), Decide(Target::Waiting(1), true))]
    #[case(Mention, true, Some(true), Decide(Target::Waiting(1), true))]
    #[case(Proposal, false, Some(true), ForModel)]
    #[case(Proposal, false, Some(false), Decide(Target::Waiting(1), false))]
    #[case(Other, true, Some(true), ForModel)]
    #[case(Other, true, Some(false), Decide(Target::Waiting(1), false))]
    #[case(Question, true, Some(false), ForModel)]
    #[case(Proposal, true, None, ForModel)]
    #[case(Decided, true, None, ShowAgain(1, true))]
    #[case(Decided, true, Some(true), ShowAgain(1, true))]
    #[case(Decided, true, Some(false), Decide(Target::Waiting(1), false))]
    fn a_name_with_a_yes_or_no_decides_what_was_shown(
        #[case] last: LastAnswer,
        #[case] is_visible: bool,
        #[case] said: Option<bool>,
        #[case] expected: Meaning,
    ) {
        assert_eq!(Facts { last, is_visible, waiting: Several, named: Some((1, said)), ..FACTS }.meaning(), expected);
    }

    #[test]
    fn stopping_a_run_comes_first() {
        assert_eq!(
            Facts { stops_run: true, last: Proposal, waiting: One, words: NO, ..FACTS }.meaning(),
            Meaning::StopRun
        );
    }
}

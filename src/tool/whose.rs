//! Whose records a query is about: the caller's own, everyone's or a member's.
//!
//! It is said by the tool's argument, the page's filter `whose` and the person's words. In a tenant of one it makes no
//! difference.

use serde_json::Value;

use super::{Question, ToolContext, ToolError};
use crate::{
    phrases::{Possessor, PossessorMention, clean, possessors},
    store::Condition,
};

/// The name of the filter, in arguments, on pages and in `detectedFilters`.
pub const WHOSE: &str = "whose";

/// In characters.
const MAX_NAME: usize = 200;

/// Members that a question offers.
const OPTIONS: usize = 6;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Whose {
    /// Answers give everyone's and what is the caller's of it.
    #[default]
    Unsaid,
    Own,
    Everyone,
    /// By user id.
    Member(String),
}

/// Whose records a query is about, with what its answer needs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Owners {
    pub whose: Whose,
    /// The caller's user id.
    caller: String,
    /// What people call the member.
    label: String,
    /// The caller can have records.
    may_own: bool,
    /// Others share the records.
    is_shared: bool,
    /// The person's own words, if they name someone else.
    mismatch: Option<String>,
    is_unclear: bool,
}

impl Owners {
    /// Within the page's filter. The argument counts before the person's words, which may be about something else too.
    /// None if the query and the page exclude each other.
    ///
    /// # Errors
    /// [`ToolError::Ask`] or [`ToolError::Refused`] if a name is unknown.
    pub fn resolve(argument: Option<&str>, context: &ToolContext<'_>) -> Result<Option<Owners>, ToolError> {
        let page = context.filters.get(WHOSE).and_then(Value::as_str).unwrap_or_default();
        let page = Whose::of_argument(page, context)?;
        let asked = Whose::of_argument(argument.unwrap_or_default(), context)?;
        let is_argument = asked != Whose::Unsaid;
        let spoken = if page == Whose::Unsaid { said(context) } else { vec![] };
        let asked = if is_argument { asked } else { only(&spoken) };
        let is_said = !is_argument || spoken.iter().any(|said| said.whose == asked);
        let mismatch = spoken.iter().find(|said| said.is_sure && !is_said).map(|said| said.words.clone());
        let is_unclear = asked == Whose::Unsaid && spoken.iter().any(|said| said.is_sure);
        let whose = match (page, asked) {
            (page, Whose::Unsaid | Whose::Everyone) if page != Whose::Unsaid => page,
            (Whose::Unsaid | Whose::Everyone, asked) => asked,
            (page, asked) if page == asked => asked,
            _ => return Ok(None),
        };
        let is_shared = context.members.others(context.caller).next().is_some();
        let label = match &whose {
            Whose::Member(user) => context.members.label(user),
            _ => String::new(),
        };
        Ok(Some(Owners {
            // In a tenant of one, “my expenses” are all expenses.
            whose: if is_shared { whose } else { Whose::Unsaid },
            caller: context.caller.user().to_string(),
            label,
            may_own: context.caller.may_add(),
            is_shared,
            mismatch,
            is_unclear: is_shared && is_unclear,
        }))
    }

    /// The one owner, if the query is about one.
    pub fn owner(&self) -> Option<&str> {
        match &self.whose {
            Whose::Unsaid | Whose::Everyone => None,
            Whose::Own => Some(&self.caller),
            Whose::Member(user) => Some(user),
        }
    }

    pub fn condition(&self) -> Option<Condition> {
        self.owner().map(|owner| Condition::OwnedBy(owner.to_owned()))
    }

    pub fn includes(&self, owner: &str) -> bool {
        self.owner().is_none_or(|one| one == owner)
    }

    pub fn is_callers(&self, owner: &str) -> bool {
        self.caller == owner
    }

    /// Whether others share the records.
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Whether an answer about records of several owners tells what is the caller's.
    pub fn tells_share(&self) -> bool {
        self.whose == Whose::Unsaid && self.may_own
    }

    /// The person's words, if they name someone else than the query.
    pub fn mismatch(&self) -> Option<&str> {
        self.mismatch.as_deref().filter(|_| self.is_shared)
    }

    /// The question if the person's words name several people, and a change needs to know whose records they mean.
    pub fn question(&self, context: &ToolContext<'_>) -> Option<ToolError> {
        self.is_unclear.then(|| which("Whose do you mean?".to_owned(), context))
    }

    /// As arguments, pages and `detectedFilters` say it.
    pub fn detected(&self) -> Option<&str> {
        match &self.whose {
            Whose::Unsaid => None,
            Whose::Own => Some("me"),
            Whose::Everyone => Some("everyone"),
            Whose::Member(user) => Some(user),
        }
    }

    /// "of yours", "of “Anna”".
    pub fn described(&self) -> Option<String> {
        match &self.whose {
            Whose::Unsaid => None,
            Whose::Own => Some("of yours".to_owned()),
            Whose::Everyone => Some("of everyone".to_owned()),
            Whose::Member(_) => Some(format!("of {}", self.label)),
        }
    }

    /// How a sentence about spending begins: "You spent". `by_others`: records of others are among those that it tells.
    pub fn spent(&self, by_others: bool) -> String {
        match &self.whose {
            Whose::Member(_) => format!("{} spent", self.label),
            Whose::Unsaid if by_others => "Together".to_owned(),
            Whose::Everyone if by_others => "Together you spent".to_owned(),
            _ => "You spent".to_owned(),
        }
    }
}

impl Whose {
    /// A pronoun, a user id or a name.
    fn of_argument(text: &str, context: &ToolContext<'_>) -> Result<Whose, ToolError> {
        let text = clean(text);
        if text.is_empty() {
            return Ok(Whose::Unsaid);
        }
        if text.chars().count() > MAX_NAME {
            return Err(ToolError::Refused(format!("`{WHOSE}` has more than {MAX_NAME} characters. Use fewer")));
        }
        // As `detected` says it, also where a user id is such a word.
        match text.as_str() {
            "me" => return Ok(Whose::Own),
            "everyone" => return Ok(Whose::Everyone),
            _ => {}
        }
        let own = context.caller.user().as_str();
        let others = || context.members.others(context.caller).map(|(user, _)| user);
        // Ids first: a person can choose their name, and it may be somebody's id.
        let by_id = || [own].into_iter().chain(others()).find(|user| *user == text);
        let by_label = || [own].into_iter().chain(others()).find(|user| context.members.label(user) == text);
        if let Some(user) = by_id().or_else(by_label) {
            return Ok(if user == own { Whose::Own } else { Whose::Member(user.to_owned()) });
        }
        if ["all", "all of us"].contains(&text.to_lowercase().as_str()) {
            return Ok(Whose::Everyone);
        }
        // “My wife” is not the caller.
        let name = text.trim_end_matches(['s', 'S']).trim_end_matches(['\'', '’']);
        let said = mentions(&text, context).into_iter().find(|said| [&*text, name].contains(&&*said.words));
        said.map(|said| said.whose).ok_or_else(|| unknown(&text, context))
    }
}

/// Whose records some words are about.
struct Said {
    whose: Whose,
    words: String,
    /// They say it without doubt.
    is_sure: bool,
}

/// The one that the words name. Unsaid if they name several: the answer then tells of all.
fn only(said: &[Said]) -> Whose {
    let mut sure = said.iter().filter(|said| said.is_sure).map(|said| &said.whose);
    let Some(first) = sure.next() else { return Whose::Unsaid };
    if sure.all(|other| other == first) { first.clone() } else { Whose::Unsaid }
}

/// What the message says, or else the messages that it continues.
fn said(context: &ToolContext<'_>) -> Vec<Said> {
    let mut said = context.user_messages.iter().rev().map(|message| mentions(message, context));
    said.find(|said| said.iter().any(|said| said.is_sure)).unwrap_or_default()
}

fn mentions(text: &str, context: &ToolContext<'_>) -> Vec<Said> {
    let named: Vec<(&str, &str)> = context.members.iter().filter_map(|(user, name)| Some((user, name?))).collect();
    let names: Vec<&str> = named.iter().map(|(_, name)| *name).collect();
    let mention = |mention: PossessorMention| {
        let whose = match mention.possessor {
            Possessor::Speaker => Whose::Own,
            Possessor::Everyone => Whose::Everyone,
            Possessor::Named(place) if named[place].0 == context.caller.user().as_str() => Whose::Own,
            Possessor::Named(place) => Whose::Member(named[place].0.to_owned()),
        };
        let is_sure = mention.is_sure(text, context.reader());
        Said { whose, words: text[mention.span].to_owned(), is_sure }
    };
    possessors(text, &names, context.conventions.language).into_iter().map(mention).collect()
}

fn unknown(text: &str, context: &ToolContext<'_>) -> ToolError {
    let name = text.replace(['“', '”'], "");
    if context.members.others(context.caller).next().is_none() {
        return ToolError::Refused(format!("there is nobody called “{name}” here, only you. Leave `{WHOSE}` out"));
    }
    which(format!("I know nobody called “{name}” here. Whose do you mean?"), context)
}

fn which(text: String, context: &ToolContext<'_>) -> ToolError {
    let others = context.members.others(context.caller).take(OPTIONS);
    let labels = others.map(|(user, _)| context.members.label(user));
    ToolError::ask(Question {
        text,
        options: ["mine".to_owned(), "everyone's".to_owned()].into_iter().chain(labels).collect(),
        missing: vec![WHOSE.into()],
        ..Question::default()
    })
}

//! `set_recurring`.

use jiff::{ToSpan, civil::Date};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    arguments::{currency, refused},
    budget::Period,
    category_preference::require_capacity,
    expense::{self, words},
    recurring::{KIND, Recurring},
};
use crate::{
    money::Amount,
    phrases,
    proposal::{Change, Record},
    tool::{Action, Plan, Question, ToolContext, ToolError},
};

/// Propose an expense that repeats every week, month or year ("rent 950 every month"). The person is asked each time it
/// is due, and nothing is written before their yes. Setting it again for the same item changes it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetRecurring {
    /// What it is, in the person's words.
    pub item: String,
    /// The exact decimal amount the person said, e.g. "12.50".
    pub amount: Amount,
    /// ISO 4217 code, only if the person named a currency.
    pub currency: Option<String>,
    /// Only if the person named one.
    pub category: Option<String>,
    /// Only if the person said it. Without it, an entry that is there keeps its period.
    pub every: Option<Period>,
    /// The first day it is due: YYYY-MM-DD or the person's words ("the 1st"); today if absent.
    pub starting: Option<String>,
    /// The last day it may be due, only if the person said one.
    pub until: Option<String>,
}

impl Action for SetRecurring {
    const NAME: &'static str = "set_recurring";

    async fn plan(self, context: &ToolContext<'_>) -> Result<Plan, ToolError> {
        if !context.caller.may_add() {
            return Err(ToolError::Forbidden(
                "your role is viewer, so you can look but not add. Ask an administrator for another role".into(),
            ));
        }
        let item = expense::item(&self.item).map_err(refused)?;
        let called_so =
            own_entries(context).filter(|(_, known)| words(&known.item) == words(&item)).collect::<Vec<_>>();
        let every = match (self.every, &called_so[..]) {
            (Some(every), _) => every,
            (None, [(_, only)]) => only.every,
            (None, _) => return Err(how_often()),
        };
        let existing = called_so.into_iter().rfind(|(_, known)| known.every == every);
        // "Make it 15", of an entry in euros.
        let known = existing.as_ref().map(|(_, known)| known.money.currency.code());
        let in_its_own = ToolContext { currency: known.or(context.currency), ..*context };
        let currency = currency(&[&self.amount], self.currency.as_deref(), &in_its_own)?;
        let money = self.amount.in_currency(currency).map_err(refused)?;
        if money.minor <= 0 {
            return Err(ToolError::Refused("the amount must be more than zero. Say how much it is".into()));
        }
        let (start, next) = match &self.starting {
            None => (context.today, context.today),
            Some(text) => first_day(text, every, context)?,
        };
        let until = self.until.as_deref().map(|text| last_day(text, context)).transpose()?;
        let written = |day: Date| context.style().days.written(day);
        if let Some(until) = until.filter(|until| *until < next) {
            let text =
                format!("it would end on {}, before it starts on {}. Say another day", written(until), written(next));
            return Err(ToolError::Refused(text));
        }
        let category = self.category.as_deref().map_or(Ok(None), expense::category).map_err(refused)?;
        let entry = Recurring { item, money, category, every, start, next, until };
        let change = match existing {
            None => {
                require_capacity(context)?;
                Change::Create(entry.draft(context.caller.user().as_str()))
            }
            Some((before, known)) => {
                let (start, next) = if self.starting.is_none() { (known.start, known.next) } else { (start, next) };
                let (category, until) = (entry.category.or(known.category), until.or(known.until));
                let after = Recurring { start, next, category, until, ..entry }.draft(&before.draft.owner);
                if after == before.draft {
                    return Err(ToolError::Refused("it is already like that. Say what to change".into()));
                }
                Change::Update { before: before.clone(), after }
            }
        };
        Ok(Plan { changes: vec![change], ..Plan::default() })
    }
}

fn own_entries<'c>(context: &'c ToolContext<'_>) -> impl Iterator<Item = (&'c Record, Recurring)> {
    let own = context.preferences_of(KIND).filter(|record| record.draft.owner == context.caller.user().as_str());
    own.filter_map(|record| Some((record, Recurring::of(&record.draft)?)))
}

fn how_often() -> ToolError {
    ToolError::ask(Question {
        text: "How often does it come back?".into(),
        options: ["every week", "every month", "every year"].map(str::to_owned).to_vec(),
        missing: vec!["every".into()],
        ..Question::default()
    })
}

/// The day from which due days are counted, and the first due day from today on. Without a year, "1 January" said in
/// November means the coming January.
fn first_day(text: &str, every: Period, context: &ToolContext<'_>) -> Result<(Date, Date), ToolError> {
    let (said, today) = (resolved(text, context)?, context.today);
    if said >= today || names_a_year(text) {
        return Ok((said, said));
    }
    let coming = said.saturating_add(1.year());
    if (coming - today).get_days() < (today - said).get_days() {
        return Ok((coming, coming));
    }
    Ok((said, every.first_from(said, today).unwrap_or(said)))
}

fn last_day(text: &str, context: &ToolContext<'_>) -> Result<Date, ToolError> {
    let (said, today) = (resolved(text, context)?, context.today);
    Ok(if said < today && !names_a_year(text) { said.saturating_add(1.year()) } else { said })
}

fn resolved(text: &str, context: &ToolContext<'_>) -> Result<Date, ToolError> {
    let written = |day: &Date| context.style().days.written(*day);
    match context.reader().resolve_date(text) {
        Ok(date) if date >= jiff::civil::date(1970, 1, 1) => Ok(date),
        Err(phrases::DateError::Ambiguous { options, .. }) => {
            let coming: Vec<Date> = options.iter().copied().filter(|date| *date >= context.today).collect();
            match coming.as_slice() {
                [only] => Ok(*only),
                _ => Err(ToolError::ask(Question {
                    text: "Which day do you mean?".into(),
                    options: options.iter().map(written).collect(),
                    missing: vec!["date".into()],
                    ..Question::default()
                })),
            }
        }
        Ok(_) => Err(ToolError::Refused("dates before 1970 are not possible. Say a later date".into())),
        Err(error) => Err(refused(error)),
    }
}

fn names_a_year(text: &str) -> bool {
    text.split(|mark: char| !mark.is_ascii_digit()).any(|digits| digits.len() == 4)
}

//! The parts of an expense that is split over categories: calculates their amounts from what was said.
//!
//! The sum of the parts is always the amount of the expense.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    arguments::refused,
    expense::{self, Line},
};
use crate::{
    money::{Amount, Currency, Money},
    phrases::Style,
    tool::{Question, ToolError},
};

pub(super) const SPLIT_AND_FILED: &str =
    "an expense in parts has no category of its own. Give `lines` or `category`, not both";

const MOST: usize = 20;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LineInput {
    /// The exact decimal the person said. Absent for one part that is the rest, or for all parts if they are equal.
    pub amount: Option<Amount>,
    pub category: String,
    /// Only if the person added a remark about this part.
    pub note: Option<String>,
}

/// The parts of an amount. The error is a question if the parts do not add up to it.
pub(super) fn split(said: &[LineInput], total: Money, style: Style) -> Result<Vec<Line>, ToolError> {
    if said.len() > MOST {
        return Err(ToolError::Refused(format!("an expense has at most {MOST} parts. Put some of them together")));
    }
    let amounts = said.iter().map(|line| amount(line, total.currency)).collect::<Result<Vec<_>, _>>()?;
    let amounts = completed(&amounts, said, total, style)?;
    if said.len() < 2 {
        return Err(ToolError::Refused(
            "one part is not enough. Name the others, or one category for all of it".into(),
        ));
    }
    let lines = said.iter().zip(amounts).map(|(line, minor)| {
        let nameless = || ToolError::Refused("each part needs a category. Say what it was for".into());
        Ok(Line {
            minor,
            category: expense::category(&line.category).map_err(refused)?.ok_or_else(nameless)?,
            note: line.note.as_deref().map_or(Ok(None), expense::notes).map_err(refused)?,
        })
    });
    lines.collect()
}

/// The same decimals in another currency. None if it has fewer decimal places, or if the sum is not the total.
pub(super) fn in_currency(lines: &[Line], from: Currency, total: Money) -> Option<Vec<Line>> {
    let converted = lines.iter().map(|line| {
        let money = Money { minor: line.minor, currency: from };
        Some(Line { minor: Money::parse(&money.decimal(), total.currency).ok()?.minor, ..line.clone() })
    });
    let converted: Vec<Line> = converted.collect::<Option<_>>()?;
    (converted.iter().map(|line| line.minor).sum::<i64>() == total.minor).then_some(converted)
}

fn amount(line: &LineInput, currency: Currency) -> Result<Option<i64>, ToolError> {
    let minor = line.amount.as_ref().map(|amount| amount.in_currency(currency).map(|money| money.minor));
    match minor.transpose().map_err(refused)? {
        Some(..=0) => Err(ToolError::Refused("each part must be more than zero. Say what it cost".into())),
        minor => Ok(minor),
    }
}

/// Calculates the amounts that were not said. Minor units.
fn completed(amounts: &[Option<i64>], said: &[LineInput], total: Money, style: Style) -> Result<Vec<i64>, ToolError> {
    let written = |minor| Money { minor, ..total }.written(style.money);
    let known: i64 = amounts.iter().flatten().sum();
    let open = amounts.iter().filter(|amount| amount.is_none()).count();
    match (open, total.minor - known) {
        (0, 0) => Ok(amounts.iter().flatten().copied().collect()),
        (0, left @ 1..) => {
            let text = format!("{} of {} is left: which category is it?", written(left), written(total.minor));
            Err(ask_about(text, "category"))
        }
        (0, _) => {
            let text = format!(
                "The parts are {} together, but it was {}. How much was each part?",
                written(known),
                written(total.minor)
            );
            Err(ask_about(text, "lines"))
        }
        (1, left) if amounts.len() > 1 => match left {
            1.. => Ok(amounts.iter().map(|amount| amount.unwrap_or(left)).collect()),
            _ => {
                let text = format!(
                    "The other parts are already {} of {}, so nothing is left. How much was each part?",
                    written(known),
                    written(total.minor)
                );
                Err(ask_about(text, "lines"))
            }
        },
        (open, left) if open == amounts.len() && left >= open as i64 => {
            // The first parts get the remaining minor units.
            let (share, odd) = (left / open as i64, left % open as i64);
            Ok((0..open as i64).map(|n| share + i64::from(n < odd)).collect())
        }
        _ => {
            let of = said.iter().zip(amounts).filter(|(_, amount)| amount.is_none());
            let of: Vec<&str> = of.map(|(line, _)| line.category.as_str()).collect();
            Err(ask_about(format!("How much of {} was {}?", written(total.minor), of.join(" and ")), "amount"))
        }
    }
}

fn ask_about(text: String, missing: &str) -> ToolError {
    ToolError::ask(Question { text, options: vec![], missing: vec![missing.into()], ..Question::default() })
}

//! What goes on from one row that was shown: "make it 400", of a budget, "that's every month", of an expense.

use jiff::{ToSpan, civil::Date};
use serde_json::{Map, Value, json};

use super::{Message, Reply, corrections, frames, shown_rows};
use crate::{
    money::{Currency, Money},
    phrases::Reader,
    shown::{Changes, ShownRow},
};

/// Values of arguments in `frames/*.txt` that the row has: its name, its price and the day when it is due after its own.
const NAME: &str = "{row}";
const PRICE: &str = "{price}";
const NEXT: &str = "{next}";

pub(super) fn read(messages: &[Message], reader: Reader) -> Option<Reply> {
    let [before @ .., Message::User(said)] = messages else { return None };
    let told = corrections::spoken_of(before, said)?;
    let rows = if told.kept.is_empty() { &told.rows } else { &told.kept };
    let row = match (told.written.as_ref(), &rows[..]) {
        (Some(changes), _) => written(changes)?,
        (None, [only]) if !shown_rows::asks(told) => only,
        (None, _) => return None,
    };
    let mut reply = frames::after(&row.kind, said, reader)?;
    let mut points = false;
    if let Reply::Calls(calls) = &mut reply {
        for arguments in calls.iter_mut().filter_map(|call| call.arguments.as_object_mut()) {
            points |= fill(arguments, row, reader)?;
        }
    }
    // "100 for the train" behind a list of budgets is no budget.
    (points || told.written.is_some()).then_some(reply)
}

fn written(changes: &Changes) -> Option<&ShownRow> {
    changes.only().filter(|line| matches!(&*line.verb, "add" | "change"))?.row()
}

/// Whether an argument is of the row. None if the row has no such value.
fn fill(arguments: &mut Map<String, Value>, row: &ShownRow, reader: Reader) -> Option<bool> {
    let every = arguments.get("every").and_then(Value::as_str).map(str::to_owned);
    let (mut points, mut currency) = (false, None);
    for value in arguments.values_mut() {
        let filled = match value.as_str() {
            // A budget for everything has none.
            Some(NAME) => json!(row.name),
            Some(PRICE) => {
                let unit = Currency::parse(row.unit.as_deref()?).ok()?;
                currency = Some(unit.code());
                Money { minor: row.amount?, currency: unit }.decimal().into()
            }
            Some(NEXT) => due_after(row.date?, every.as_deref()?, reader.today)?.into(),
            _ => continue,
        };
        (*value, points) = (filled, true);
    }
    // The day that it was bought is no day to come.
    if let (Some(every), Some(said)) = (&every, arguments.get("starting").and_then(Value::as_str))
        && reader.resolve_date(said).ok() == row.date
    {
        arguments.insert("starting".to_owned(), due_after(row.date?, every, reader.today)?.into());
    }
    arguments.extend(currency.map(|code| ("currency".to_owned(), code.into())));
    arguments.retain(|_, value| !value.is_null());
    Some(points)
}

/// What "starting" says: the day itself where it is past, without its year, since the tool counts the days from it then:
/// what was bought on the 31st is due on the last day of a shorter month. The tool reads a day of longer ago as one to
/// come, so of that the next day is said.
fn due_after(date: Date, every: &str, today: Date) -> Option<String> {
    const RECENT: i32 = 150;
    if date < today && (today - date).get_days() < RECENT {
        return Some(date.strftime("%-d %B").to_string());
    }
    let step = match every {
        "week" => 1.week(),
        "month" => 1.month(),
        _ => 1.year(),
    };
    let mut days = (1..).map_while(|times: i64| date.checked_add(step.checked_mul(times).ok()?).ok());
    days.find(|day| *day > today).map(|day| day.to_string())
}

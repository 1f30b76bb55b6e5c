//! The share of a category or an item in all that was spent, in percent.

use super::{
    ExpenseKind,
    expense_text::listed,
    filters::nothing_in_common,
    get_balance::{CUT, totals},
    page_filters::Filters,
    periods::when,
    sums::{By, find_sums},
    voice,
};
use crate::{
    phrases::{DateRange, upper_first},
    tool::{QueryResult, RecordKind, ToolContext, ToolError},
};

/// The share of `part` in what `asked` selects.
pub(super) async fn share_of(
    context: &ToolContext<'_>,
    asked: Filters,
    part: String,
) -> Result<QueryResult, ToolError> {
    // Within a category, the part can only be a name.
    let of_part = match asked.categories.is_empty() {
        true => Filters { categories: vec![part], ..asked.clone() },
        false => Filters {
            words: Some(asked.words.clone().into_iter().chain([part]).collect::<Vec<_>>().join(" ")),
            ..asked.clone()
        },
    };
    let found = tokio::try_join!(find_sums(context, of_part, By::None), find_sums(context, asked, By::None))?;
    let (Some((part, sums)), Some((whole, all))) = found else { return Ok(nothing_in_common()) };
    let (style, owners, of_part, of_all) = (context.style(), &part.owners, sums.totals(), all.totals());
    let days = when(part.range, style.days);
    let (spending, within) = match part.range {
        DateRange::ALL => ("all spending", String::new()),
        _ => ("the spending", format!(" {days}")),
    };
    let (n, m) = (sums.count(), usize::try_from(all.count()).unwrap_or_default());
    let text = if of_all.is_empty() {
        format!("{} nothing{} {days}.", voice::spent(owners, &of_all), whole.spoken())
    } else {
        let shares = of_all.iter().map(|(unit, whole)| {
            let share = percent(of_part.get(unit).map_or(0, |part| part.amount), whole.amount);
            if of_all.len() == 1 { share } else { format!("{share} in {unit}") }
        });
        let amounts = if of_part.is_empty() { "nothing".to_owned() } else { voice::amounts(&of_part, style) };
        format!(
            "{} of {spending}{}{}{within} was{}: {amounts} of {}{}, {n} of {m} {}.",
            upper_first(&listed(shares.collect())),
            voice::of_owner(owners),
            whole.spoken(),
            part.spoken(),
            voice::amounts(&of_all, style),
            voice::share(owners, &of_part, style),
            ExpenseKind.noun(m),
        )
    };
    let cut = if sums.is_cut || all.is_cut { CUT } else { "" };
    Ok(QueryResult {
        count: usize::try_from(n).unwrap_or_default(),
        summary_for_llm: format!("{cut}{text}"),
        state_updates: part.state_updates(context).with_field("totals", totals(&of_part, owners)),
        ..QueryResult::default()
    })
}

/// "26 %". Only nothing is 0 %, and only everything is 100 %.
pub(super) fn percent(part: i128, whole: i128) -> String {
    match (part * 200 + whole).checked_div(whole * 2).unwrap_or_default() {
        0 if part > 0 => "less than 1 %".to_owned(),
        100 if part < whole => "more than 99 %".to_owned(),
        rounded => format!("{rounded} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_is_rounded_and_only_nothing_and_everything_are_at_the_ends() {
        let percents = [(0, 300), (1, 300), (2, 300), (100, 300), (298, 300), (299, 300), (300, 300)];
        let percents = percents.map(|(part, whole)| percent(part, whole));
        assert_eq!(percents, ["0 %", "less than 1 %", "1 %", "33 %", "99 %", "more than 99 %", "100 %"]);
    }
}

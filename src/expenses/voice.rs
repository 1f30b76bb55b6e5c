//! Who spent a sum, in words: "You spent £80.00", "Together £120.00, of which you £80.00".

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    expense_text::{self, listed},
    sums::Sum,
};
use crate::{
    phrases::Style,
    tool::{Owners, Whose},
};

/// "£3.50 and €4.00".
pub(super) fn amounts(sums: &BTreeMap<&str, Sum>, style: Style) -> String {
    listed(sums.iter().map(|(unit, sum)| expense_text::amount(unit, sum.amount, style).1).collect())
}

/// The beginning of a sentence about these sums: "You spent".
pub(super) fn spent(owners: &Owners, sums: &BTreeMap<&str, Sum>) -> String {
    owners.spent(sums.values().any(|sum| sum.by_others))
}

/// The beginning of a sentence about the largest or smallest part of these sums: "You spent the most".
pub(super) fn spent_the(how: &str, owners: &Owners, sums: &BTreeMap<&str, Sum>) -> String {
    match owners.whose {
        Whose::Unsaid if sums.values().any(|sum| sum.by_others) => format!("Together you spent the {how}"),
        _ => format!("{} the {how}", spent(owners, sums)),
    }
}

/// " of Anna": after "expenses", if they are of one person among several.
pub(super) fn of_owner(owners: &Owners) -> String {
    owners.owner().and_then(|_| owners.described()).map(|whose| format!(" {whose}")).unwrap_or_default()
}

/// ", of which you £80.00". Empty if nobody else spent anything.
pub(super) fn share(owners: &Owners, sums: &BTreeMap<&str, Sum>, style: Style) -> String {
    if !owners.tells_share() || !sums.values().any(|sum| sum.by_others) {
        return String::new();
    }
    let yours = sums.iter().filter(|(_, sum)| sum.yours.1 > 0);
    let yours = yours.map(|(unit, sum)| expense_text::amount(unit, sum.yours.0, style).1);
    match listed(yours.collect()) {
        none if none.is_empty() => ", of which you nothing".to_owned(),
        yours => format!(", of which you {yours}"),
    }
}

/// Adds `own`, the caller's part of a sum, to the sum's JSON object.
pub(super) fn with_share(mut value: Value, owners: &Owners, unit: &str, sum: &Sum) -> Value {
    if owners.tells_share() && sum.by_others {
        value["own"] = json!(expense_text::amount(unit, sum.yours.0, Style::default()).0);
    }
    value
}

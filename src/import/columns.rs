//! What each column of a table has: by its name, or else by its values.

use super::{
    Guess, Role, Settings, Unreadable,
    notation::{DateOrder, Mark, amount, date},
};
use crate::money::Currency;

/// Lines that decide the delimiter and the columns.
pub(super) const SAMPLE: usize = 200;

/// A record and the number of its first line.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub number: usize,
    pub cells: Vec<String>,
}

impl Line {
    pub fn cell(&self, at: usize) -> &str {
        self.cells.get(at).map_or("", String::as_str)
    }

    pub fn text(&self) -> String {
        self.cells.join(" | ")
    }
}

#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub has_header: bool,
    pub roles: Vec<Role>,
    /// That the names of the columns say.
    pub currency: Option<Currency>,
    /// It is our own export.
    pub is_own: bool,
    pub is_complete: bool,
    pub guess: Option<Guess>,
}

impl Layout {
    pub fn column(&self, role: Role) -> Option<usize> {
        self.roles.iter().position(|own| *own == role)
    }
}

/// Names of columns, the best first, in English, German, French and Spanish. A name that begins with one of them fits too.
const NAMES: [(Role, &[&str]); 10] = [
    (
        Role::Date,
        &[
            "date", "transaction date", "booking date", "posting date", "posted date", "completed date", "buchungstag",
            "buchungsdatum", "datum", "wertstellung", "valuta", "fecha", "started date", "trans date", "value date",
        ],
    ),
    (Role::Debit, &["debit", "paid out", "money out", "withdrawal", "soll", "ausgang", "belastung", "débit", "cargo"]),
    (Role::Credit, &["credit", "paid in", "money in", "deposit", "haben", "eingang", "gutschrift", "crédit", "abono"]),
    (Role::Amount, &["amount", "betrag", "umsatz", "montant", "importe", "value", "transaction amount"]),
    (
        Role::Name,
        &[
            "item",
            "payee",
            "merchant",
            "counter party",
            "counterparty",
            "beguenstigter",
            "begünstigter",
            "empfänger",
            "zahlungsempfänger",
            "auftraggeber",
            "name",
            "description",
            "transaction description",
            "libellé",
            "concepto",
            "beschreibung",
            "details",
            "narrative",
            "verwendungszweck",
            "memo",
            "reference",
            "buchungstext",
        ],
    ),
    (Role::Notes, &["notes", "memo", "verwendungszweck", "reference", "message", "notiz", "details", "buchungstext"]),
    (Role::Category, &["category", "kategorie", "catégorie", "categoría"]),
    (Role::Currency, &["currency", "währung", "waehrung", "devise", "moneda", "ccy"]),
    (Role::BankId, &["bankid", "transaction id", "transaction number", "fitid", "id", "referenznummer"]),
    (Role::Lines, &["lines"]),
];

/// The columns as given, or as they are named, or as their values look.
pub(super) fn layout(lines: &[Line], given: &Settings) -> Result<Layout, Unreadable> {
    let Some(first) = lines.first() else { return Err(Unreadable::Empty) };
    let has_header = given.header.unwrap_or_else(|| !has_value(first) && lines.len() > 1);
    let names: Vec<String> = first.cells.iter().map(|name| name.to_lowercase()).collect();
    let is_own = has_header && ["item", "bankid", "ownername"].iter().all(|own| names.iter().any(|name| name == own));
    let body = &lines[usize::from(has_header)..];
    let width = lines.iter().take(SAMPLE).map(|line| line.cells.len()).max().unwrap_or(0);
    let currency = || names.iter().filter(|_| has_header).find_map(|name| currency_in(name));
    let layout = |roles, guess| Layout { has_header, roles, currency: currency(), is_own, is_complete: true, guess };
    if let Some(roles) = &given.columns {
        let roles: Vec<Role> =
            roles.iter().copied().chain(std::iter::repeat(Role::Ignored)).take(width.max(roles.len())).collect();
        return checked(layout(roles, None));
    }
    let mut roles = vec![Role::Ignored; width];
    if has_header {
        name_roles(&names, is_own, &mut roles);
    }
    let guess = value_roles(body, &mut roles);
    checked(layout(roles, guess))
}

fn has_value(line: &Line) -> bool {
    line.cells.iter().any(|cell| is_day(cell) || is_amount(cell))
}

fn is_day(cell: &str) -> bool {
    [DateOrder::DayFirst, DateOrder::MonthFirst].iter().any(|order| date(cell, *order).is_some())
}

/// With decimals or a sign: a whole number may be a number of an account.
fn is_amount(cell: &str) -> bool {
    let is_read = |mark| amount(cell, mark).is_ok();
    cell.contains(|letter: char| letter.is_ascii_digit())
        && (is_read(Mark::Point) || is_read(Mark::Comma))
        && (cell.contains(['.', ',', '-', '+', '−']) || cell.len() < 7)
}

fn name_roles(names: &[String], is_own: bool, roles: &mut [Role]) {
    for (role, known) in NAMES {
        let free = |at: &usize| roles.get(*at) == Some(&Role::Ignored);
        let exactly = |known: &&str| (0..names.len()).filter(free).find(|at| names[*at] == **known);
        let begins = |known: &&str| {
            let is_it =
                |name: &String| name.strip_prefix(*known).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
            (0..names.len()).filter(free).find(|at| is_it(&names[*at]))
        };
        let found = known.iter().find_map(|known| exactly(known).or_else(|| begins(known)));
        // An amount of both signs makes columns of its parts needless, and the other way round.
        let is_needless = role == Role::Amount && roles.contains(&Role::Debit)
            || role == Role::BankId && is_own && found.is_some_and(|at| names[at] == "id");
        if let Some(at) = found.filter(|_| !is_needless) {
            roles[at] = role;
        }
    }
    // A credit alone is a balance or a limit.
    if !roles.contains(&Role::Debit) {
        roles.iter_mut().filter(|role| **role == Role::Credit).for_each(|role| *role = Role::Ignored);
    }
}

/// Finds the date, the amount and the name that no name of a column tells.
fn value_roles(body: &[Line], roles: &mut [Role]) -> Option<Guess> {
    let body = &body[..body.len().min(SAMPLE)];
    let share = |at: usize, fits: &dyn Fn(&str) -> bool| {
        let filled = body.iter().map(|line| line.cell(at)).filter(|cell| !cell.is_empty());
        let (all, fitting) = filled.fold((0, 0), |(all, fitting), cell| (all + 1, fitting + usize::from(fits(cell))));
        (all, fitting * 5 >= all * 4 && all > 0)
    };
    let free = |roles: &[Role], at: &usize| roles[*at] == Role::Ignored;
    let has = |roles: &[Role], role| roles.contains(&role);
    if !has(roles, Role::Date) {
        let found = (0..roles.len()).filter(|at| free(roles, at)).find(|at| share(*at, &is_day).1);
        found.into_iter().for_each(|at| roles[at] = Role::Date);
    }
    let mut guess = None;
    if !has(roles, Role::Amount) && !has(roles, Role::Debit) {
        let amounts: Vec<usize> = (0..roles.len())
            .filter(|at| free(roles, at) && share(*at, &|cell| is_amount(cell) && !is_day(cell)).1)
            .collect();
        if amounts.len() > 1 {
            let why = "several columns have amounts, and none is named";
            guess = Some(Guess { setting: "columns", why: why.into() });
        }
        amounts.first().into_iter().for_each(|at| roles[*at] = Role::Amount);
    }
    if !has(roles, Role::Name) {
        let length = |at: &usize| body.iter().map(|line| line.cell(*at).chars().count()).sum::<usize>();
        let is_text = |cell: &str| cell.contains(char::is_alphabetic);
        let texts = (0..roles.len()).filter(|at| free(roles, at) && share(*at, &is_text).1);
        let named = texts.max_by_key(length);
        named.into_iter().for_each(|at| roles[at] = Role::Name);
    }
    guess
}

/// "betrag (eur)"
fn currency_in(name: &str) -> Option<Currency> {
    let is_money = ["amount", "betrag", "umsatz", "montant", "importe", "debit", "soll", "paid", "money", "value"];
    let is_named = is_money.iter().any(|word| name.starts_with(word));
    let mut words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() == 3);
    words.find_map(|word| Currency::parse(&word.to_uppercase()).ok()).filter(|_| is_named)
}

/// Each role once. What an entry needs and no column has must be corrected.
fn checked(layout: Layout) -> Result<Layout, Unreadable> {
    let used = |role: Role| layout.roles.iter().filter(|own| **own == role).count();
    let has = |role: Role| used(role) > 0;
    let is_twice = layout.roles.iter().any(|role| *role != Role::Ignored && used(*role) > 1);
    if is_twice || has(Role::Amount) && (has(Role::Debit) || has(Role::Credit)) {
        return Err(Unreadable::Columns);
    }
    let missing = match layout.roles.as_slice() {
        _ if !has(Role::Date) => "no column has dates",
        _ if !has(Role::Amount) && !has(Role::Debit) && !has(Role::Credit) => "no column has amounts",
        _ if !has(Role::Name) && !has(Role::Notes) => "no column has names",
        _ => return Ok(layout),
    };
    Ok(Layout { is_complete: false, guess: Some(Guess { setting: "columns", why: missing.into() }), ..layout })
}

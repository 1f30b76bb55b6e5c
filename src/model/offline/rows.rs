//! The numbered rows that a question offers, and which of them an answer means.

use super::{options, wording};

/// The numbered rows a question offers, each with what is said of it.
pub(super) fn rows(question: &str) -> Vec<(u64, String)> {
    let mut rows: Vec<(u64, String)> = Vec::new();
    for part in question.split('#').skip(1) {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        let Ok(id) = digits.parse() else { continue };
        let label = part[digits.len()..].split('\n').next().unwrap_or_default();
        if rows.iter().all(|(known, _)| *known != id) {
            rows.push((id, wording::trimmed(label, &[], &["or", "and"]).to_lowercase()));
        }
    }
    rows
}

pub(super) fn picked(answer: &str, rows: &[(u64, String)]) -> Option<u64> {
    let front = [
        "the", "delete", "remove", "number", "no", "id", "expense", "it", "is", "it's", "i", "mean", "that", "change",
        "update",
    ];
    if let Some((number, label)) = options::number_first(answer) {
        let said = options::letters(label);
        let fits = |row: &&(u64, String)| row.0 == number && options::letters(&row.1).contains(said.trim());
        return rows.iter().find(fits).map(|(id, _)| *id);
    }
    let name = wording::trimmed(answer, &front, &["one", "please", "expense"]).to_lowercase();
    if let Ok(id) = name.trim_start_matches('#').parse::<u64>() {
        return rows.iter().map(|(row, _)| *row).find(|row| *row == id);
    }
    if name.is_empty() && answer.to_lowercase().contains("expense") && rows.len() == 1 {
        return Some(rows[0].0);
    }
    if let Some(place) = options::place(&name, rows.len()) {
        return rows.get(place).map(|(id, _)| *id);
    }
    // A part that fits one row only.
    let fitting: Vec<u64> =
        rows.iter().filter(|(_, label)| !name.is_empty() && label.contains(&name)).map(|(id, _)| *id).collect();
    match fitting[..] {
        [id] => Some(id),
        _ => None,
    }
}

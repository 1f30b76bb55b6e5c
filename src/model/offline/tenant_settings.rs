//! "Always ask me before saving", "set the time zone to Europe/Berlin": settings for everybody.

use serde_json::{Value, json};

use super::{Reply, conversation::one, wording};

/// By policy.
const POLICIES: [(&str, &[&str]); 3] = [
    (
        "always",
        &[
            "always ask",
            "always ask me",
            "always ask before saving",
            "always ask me before saving",
            "always ask before you save",
            "always ask me before you save",
            "always ask before you save anything",
            "always ask me before you save anything",
            "always ask me first",
            "always ask first",
            "ask before saving",
            "ask me before saving",
            "ask me before you save anything",
            "ask before every change",
            "ask me before every change",
            "always confirm",
            "confirm everything",
            "confirm every change",
            "always ask for confirmation",
            "always ask me for confirmation",
            "always wait for my yes",
        ],
    ),
    (
        "risky",
        &[
            "only ask for risky changes",
            "only ask me for risky changes",
            "only ask about risky changes",
            "only ask me about risky changes",
            "ask only for risky changes",
            "ask me only for risky changes",
            "only confirm risky changes",
        ],
    ),
    (
        "never",
        &[
            "save without asking",
            "always save without asking",
            "save without asking me",
            "always save without asking me",
        ],
    ),
];

pub(super) fn read(command: &str) -> Option<Reply> {
    let words: Vec<String> = wording::words(command).into_iter().map(|(_, word)| word.into_owned()).collect();
    let said = words.join(" ").to_lowercase();
    let said = said.trim_end_matches(" from now on").trim_end_matches(" please");
    if let Some((policy, _)) = POLICIES.iter().find(|(_, all)| all.contains(&said)) {
        return Some(set("policy", (*policy).into()));
    }
    let zone = zone(command)?;
    Some(set("timezone", zone.into()))
}

/// "Set the time zone to Europe/Berlin", "my time zone is Berlin"
fn zone(command: &str) -> Option<&str> {
    const LEADS: [&str; 10] = [
        "set the time zone to ",
        "set my time zone to ",
        "set our time zone to ",
        "set time zone to ",
        "change the time zone to ",
        "change my time zone to ",
        "my time zone is ",
        "our time zone is ",
        "the time zone is ",
        "use the time zone ",
    ];
    let plain = command.trim().trim_end_matches(['.', '!']);
    let spaced = plain.to_lowercase().replace("timezone", "time zone");
    let lead = LEADS.iter().find(|lead| spaced.starts_with(**lead))?;
    // The name keeps its capitals. It is as long as what follows the lead.
    let zone = &plain[plain.len().checked_sub(spaced.len() - lead.len())?..];
    (!zone.trim().is_empty() && !command.contains('?')).then(|| zone.trim())
}

fn set(field: &str, value: Value) -> Reply {
    one("set_tenant", json!({ field: value }))
}

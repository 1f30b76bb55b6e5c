//! Words that hedge the amount that they stand right beside.

use super::Hedge;

/// Right before an amount.
pub(super) const BEFORE: [(Hedge, &[&str]); 3] = [
    (
        Hedge::Roughly,
        &[
            "about", "around", "roughly", "approximately", "approx", "circa", "ca", "nearly", "almost", "some", "over",
            "under", "at least", "at most", "up to", "more than", "less than", "etwa", "ungefähr", "rund", "knapp",
            "fast", "environ", "presque", "unos", "unas", "casi", "aproximadamente", "alrededor de", "à peu près",
            "more or less", "mehr oder weniger", "um die", "plus ou moins", "autour de", "dans les", "más o menos",
            "cerca de", "a eso de", "sobre", "como",
        ],
    ),
    (
        Hedge::NotSpent,
        &[
            "save", "saved", "saving", "won", "found", "lost", "made", "costs", "is", "are", "now", "it's", "gespart",
            "gewonnen", "gagné", "ahorrado", "back", "zurück",
        ],
    ),
    (
        Hedge::ToCome,
        &[
            "need", "needs", "forgot to pay", "have to pay", "must pay", "max", "maximum", "budgeted", "goal", "aim",
            "aiming for", "brauche", "brauchen", "benötige", "kosten", "kostet", "besoin de", "coûtent", "coûte",
            "necesito", "necesitamos", "cuestan", "cuesta",
        ],
    ),
];

/// Right after an amount.
pub(super) const AFTER: [(Hedge, &[&str]); 5] = [
    (Hedge::Shared, &["shared", "divided", "geteilt"]),
    (
        Hedge::Each,
        &[
            "a piece", "das stück", "pièce", "la pieza", "a night", "per night", "a head", "per head", "a pop",
            "an hour", "per hour", "pro stück", "pro nacht", "pro person", "pro kopf", "p p", "pp", "la pièce",
            "par personne", "par nuit", "chacun", "cada uno", "cada una", "por persona", "por noche",
        ],
    ),
    (Hedge::Repeated, &["pm"]),
    (
        Hedge::Roughly,
        &[
            "or so", "ish", "odd", "something", "or thereabouts", "more or less", "about", "approximately", "approx",
            "ungefähr", "environ", "más o menos", "plus ou moins", "mehr oder weniger", "roughly", "oder so",
        ],
    ),
    (Hedge::NotSpent, &["left", "remaining", "off", "back", "zurück"]),
];

//! Days, spans, hours and lengths of time in German, French and Spanish, kind by kind.

use super::{
    tests::{READER, shown_amounts_of, shown_date},
    *,
};

fn writing(locale: &str) -> Reader {
    Reader { conventions: Conventions::of_locale(locale), ..READER }
}

/// What is settled as "from..to" or a day, and what is not as its days and a bar.
fn shown_times(locale: &str, text: &str) -> String {
    let reader = writing(locale);
    let shown = reader.times(text).into_iter().map(|found| match found.when {
        periods::When::Day(reading) => shown_date(reading),
        periods::When::Period(DateRange { from, to }) => format!("{from}..{to}"),
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn check(cases: &[(&str, &str, &str)]) {
    let wrong = cases.iter().filter_map(|(locale, text, expected)| {
        let shown = shown_times(locale, text);
        (shown != *expected).then(|| format!("{text:?} in {locale}: {shown:?}, not {expected:?}"))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn check_amounts(cases: &[(&str, &str, &str)]) {
    for (locale, text, expected) in cases {
        assert_eq!(shown_amounts_of(&writing(locale), text), *expected, "{text} in {locale}");
    }
}

#[test]
fn a_boundary_is_not_lost_behind_an_article() {
    check(&[
        ("de-DE", "seit dem 1. November", "2026-11-01..2026-11-20"),
        ("", "nach dem 1. November", "2026-11-02..2026-11-20"),
        ("", "vor dem 1. November", "1970-01-01..2026-10-31"),
        ("", "bis zum 15.", "1970-01-01..2026-11-15"),
        ("", "ab dem 3. März 2026", "2026-03-03..2026-11-20"),
        ("", "seit letztem Freitag", "2026-11-13..2026-11-20"),
        ("", "vor Montag", "1970-01-01..2026-11-15"),
        ("", "après le 1er novembre", "2026-11-02..2026-11-20"),
        ("", "avant le 3 mars", "1970-01-01..2026-03-02"),
        ("", "à partir du 1er novembre", "2026-11-01..2026-11-20"),
        ("", "à partir d'octobre", "2026-10-01..2026-11-20"),
        ("", "dépenses d'hier", "2026-11-19"),
        ("", "dès le 1er novembre", "2026-11-01..2026-11-20"),
        ("", "jusqu'au 15", "1970-01-01..2026-11-15"),
        ("", "avant le 15 du mois dernier", "1970-01-01..2026-10-14"),
        ("", "après lundi", "2026-11-17..2026-11-20"),
        ("", "después del 1 de noviembre", "2026-11-02..2026-11-20"),
        ("", "antes del lunes", "1970-01-01..2026-11-15"),
        ("", "a partir del 1 de noviembre", "2026-11-01..2026-11-20"),
        ("", "hasta el 15", "1970-01-01..2026-11-15"),
        ("", "desde 2025", "2025-01-01..2026-11-20"),
        ("", "seit zwei Wochen", "2026-11-06..2026-11-20"),
        // Which one is not settled, or the other end was not read.
        ("", "ab nächster Woche", "|"),
        ("", "avant le 25 décembre", "|"),
        ("", "5 bis gestern", "|"),
        // No boundary of days.
        ("", "avant-hier", "2026-11-18"),
        ("", "antes de ayer", "2026-11-18"),
        ("", "vor 3 Tagen", "2026-11-17"),
        ("", "cinquante jours avant le 3 mars", "2026-01-12"),
        ("de-DE", "Taxi nach Hause 20", ""),
        ("de-DE", "Ausgaben bis 2000", ""),
        ("de-DE", "Kino ab 18 12", ""),
        ("fr-FR", "à partir de 20 euros", ""),
    ]);
}

#[test]
fn both_ends_of_a_span_are_read() {
    check(&[
        ("", "13. - 15. Juli", "2026-07-13..2026-07-15"),
        ("", "13.-15. Juli", "2026-07-13..2026-07-15"),
        ("", "14. - 15.10.", "2026-10-14..2026-10-15"),
        ("", "13. und 14. Juli", "2026-07-13..2026-07-14"),
        ("", "3. und 14. Juli", "|"),
        ("", "zwischen dem 1. und dem 15. Oktober", "2026-10-01..2026-10-15"),
        ("", "10.-12. November", "2026-11-10..2026-11-12"),
        ("", "13 au 15 juillet", "2026-07-13..2026-07-15"),
        ("", "1 à 15 novembre", "2026-11-01..2026-11-15"),
        ("", "entre le 13 et le 15 juillet", "2026-07-13..2026-07-15"),
        ("", "les 13 et 14 juillet", "2026-07-13..2026-07-14"),
        ("", "13 - 15 de julio", "2026-07-13..2026-07-15"),
        ("", "entre el 13 y el 15 de julio", "2026-07-13..2026-07-15"),
        ("", "vom 13. - 15. Juli", "2026-07-13..2026-07-15"),
        ("", "vom 14. bis 15.10.2026", "2026-10-14..2026-10-15"),
        ("", "vom 14.10. bis zum 15.10.2018", "2018-10-14..2018-10-15"),
        ("", "01.11.–15.11.2026", "2026-11-01..2026-11-15"),
        ("", "1.11.-15.11.", "2026-11-01..2026-11-15"),
        ("", "vom 28. Dezember bis 3. Januar", "2025-12-28..2026-01-03"),
        ("", "du 5 mai au 8 mai", "2026-05-05..2026-05-08"),
        ("", "du lundi 9 au mercredi 11 novembre", "2026-11-09..2026-11-11"),
        ("", "du lundi 9 au jeudi 11 novembre", "|"),
        ("", "del lunes 9 al miércoles 11 de noviembre", "2026-11-09..2026-11-11"),
        ("", "del 4 al 22 del mes pasado", "2026-10-04..2026-10-22"),
        ("", "d'août à octobre", "2026-08-01..2026-10-31"),
        ("", "de agosto a octubre", "2026-08-01..2026-10-31"),
        ("", "zwischen Montag und Mittwoch", "2026-11-16..2026-11-18"),
        ("", "de lunes a miércoles", "2026-11-16..2026-11-18"),
        ("", "letzte Woche von Montag bis Mittwoch", "2026-11-09..2026-11-11"),
        ("de-DE", "letzte Woche Montag bis Mittwoch", "2026-11-09..2026-11-11"),
        ("", "Montag bis Mittwoch", "2026-11-16..2026-11-18"),
        ("", "13., 14. und 15. Juli", "2026-07-13..2026-07-15"),
        ("", "13./14. Juli", "2026-07-13..2026-07-14"),
        ("", "13 o 14 de julio", "|"),
        ("fr-FR", "du 3/10 au 5/10", "2026-10-03..2026-10-05"),
        ("de-DE", "Hotel 240 13.-15. Juli", "2026-07-13..2026-07-15"),
        ("de-DE", "Kaffee 3 - 4 Euro", ""),
        ("de-DE", "Kaffee 3,50 und 5. Mai Tee 4", "2026-05-05"),
        ("fr-FR", "de 5 à 10", ""),
        ("es-ES", "entre 5 y 10 euros", ""),
    ]);
    check_amounts(&[
        ("de-DE", "Hotel 240 13.-15. Juli", "240"),
        ("fr-FR", "hôtel 240 du lundi 9 au mercredi 11 novembre", "240"),
        ("es-ES", "de 5 a 10", "5, 10"),
    ]);
}

#[test]
fn the_day_of_a_month_is_not_lost() {
    check(&[
        ("", "15te Oktober", "2026-10-15"),
        ("", "am 3. Oktober vor zwei Jahren", "2024-10-03"),
        ("es-ES", "18 de nov", "2026-11-18"),
        ("", "am 14ten April", "2026-04-14"),
        ("", "fünfter Mai", "2026-05-05"),
        ("", "premier mars", "2026-03-01"),
        ("", "uno de marzo", "2026-03-01"),
        ("", "am 5. letzten Monats", "2026-10-05"),
        ("", "le 5 du mois dernier", "2026-10-05"),
        ("", "el 5 de este mes", "2026-11-05"),
        ("", "le 5 mars de l'année dernière", "2025-03-05"),
        ("", "el 5 de marzo del año pasado", "2025-03-05"),
        ("de-DE", "Miete 800 am 5. 3.", "2026-03-05"),
        ("", "am 5. 3. 2026", "2026-03-05"),
        ("", "am 15.10", "2026-10-15"),
        ("", "18.11.26", "2026-11-18"),
        ("de-DE", "12-Mär-2026", "2026-03-12"),
        ("de-DE", "18. November 25", "|"),
        ("de-DE", "Kaffee 12. November 5", "2026-11-12"),
        ("", "café 3,50 5 mai", "2026-05-05"),
        ("fr-FR", "5 mai", "2026-05-05"),
        ("", "16 fev", "2026-02-16"),
        ("es-ES", "mayo 5 del 2026", "2026-05-05"),
        ("es-ES", "noviembre 18", "2026-11-18"),
        ("es-ES", "café 3 noviembre 5", "|"),
        ("es-ES", "spotify noviembre 10", "|"),
        ("es-ES", "compra del 5 de mayo 20", "2026-05-05"),
        // No day of a month.
        ("", "taxi 12 am 3.10", ""),
        ("de-DE", "Kaffee 3.11", ""),
        ("de-DE", "3. Rate 200", ""),
    ]);
}

#[test]
fn a_weekday_is_that_of_the_week_that_is_named() {
    check(&[
        ("", "Montag letzte Woche", "2026-11-09"),
        ("", "letzte Woche am Montag", "2026-11-09"),
        ("", "lundi de la semaine dernière", "2026-11-09"),
        ("", "la semana pasada el lunes", "2026-11-09"),
        ("", "Mittwoch nächste Woche", "2026-11-25"),
        ("", "el lunes de la próxima semana", "2026-11-23"),
        ("", "Montag vor zwei Wochen", "2026-11-02"),
        ("", "Samstag vor zwei Wochen", "2026-10-31|2026-11-07|"),
        ("", "lundi d'il y a deux semaines", "2026-11-02"),
        ("", "vorletzten Montag", "2026-11-09|2026-11-02|"),
        ("", "vergangener Freitag", "2026-11-13"),
        ("", "lundi d'avant", "|"),
        ("", "el viernes anterior", "|"),
        ("", "hace dos lunes", "|"),
        ("", "el martes que viene", "|"),
        ("", "lundi en huit", "|"),
        ("", "übernächsten Freitag", "|"),
        ("", "premier lundi d'octobre", "2026-10-05"),
        ("", "le dernier vendredi d'octobre", "2026-10-30"),
        ("", "primer lunes de octubre de 2025", "2025-10-06"),
        ("", "am ersten Montag des Monats", "2026-11-02"),
        ("", "letzter Sonntag im Oktober", "2026-10-25"),
        ("", "am ersten Montag", "|"),
        ("", "erster Kaffee 3", ""),
        ("es-ES", "primer plato 12", ""),
    ]);
    let tuesday = Reader { today: jiff::civil::date(2026, 11, 17), ..READER };
    let read = tuesday.dates("Mittwoch dieser Woche").remove(0);
    assert_eq!(shown_date(read.reading), "2026-11-18");
}

#[test]
fn a_number_behind_a_weekday_is_its_day_or_a_price() {
    check(&[
        ("fr-FR", "vendredi 13", "2026-11-13"),
        ("", "le mardi 10", "2026-11-10"),
        ("", "am Freitag, dem 13.", "2026-11-13"),
        ("", "Freitag der 13.", "2026-11-13"),
        ("", "Freitag, der 12.", "|"),
        ("", "Freitag 13.11.26", "2026-11-13"),
        ("fr-FR", "mercredi 5 mai", "impossible"),
        ("fr-FR", "café 4,50 mercredi 12", "|"),
        ("es-ES", "café el martes 12", "2026-11-17"),
        ("de-DE", "Kaffee Montag 20 Euro", "2026-11-16"),
        ("de-DE", "Montag 16 Uhr Friseur 30", "2026-11-16"),
        ("", "mar 17 nov", "2026-11-17"),
        ("fr-FR", "café 3 mar. 10 nov.", "2026-11-10"),
        ("es-ES", "el mar 17", "2026-11-17"),
        ("en-GB", "mar 17", "2026-03-17"),
        ("en-GB", "3 mar", "2026-03-03"),
        ("de-DE", "Mo. Kaffee 3", "2026-11-16"),
        ("de-DE", "Kino 12 am Sa", "2026-11-14"),
        ("de-DE", "Do., 19.11. Kaffee 3", "2026-11-19"),
        ("de-DE", "Mo. bis Fr.", "2026-11-16..2026-11-20"),
        ("fr-FR", "lun. café 3", "2026-11-16"),
        ("es-ES", "café 3 el mié", "2026-11-18"),
        // They are words, too.
        ("de-DE", "so. Kaffee 3", ""),
        ("fr-FR", "le jeu 20", ""),
        ("en-GB", "sam 12", ""),
    ]);
    check_amounts(&[
        ("fr-FR", "café 3 vendredi 13", "3"),
        ("es-ES", "café el martes 12", "12"),
        ("de-DE", "Fr. 20", "20 CHF"),
        ("fr-FR", "mar 17 nov café 3 €", "3 EUR"),
    ]);
}

#[test]
fn days_are_counted_from_another() {
    check(&[
        ("", "zwei Tage vor dem 10. November", "2026-11-08"),
        ("", "am Tag nach dem 1. November", "2026-11-02"),
        ("", "deux jours avant le 10 novembre", "2026-11-08"),
        ("", "le lendemain du 1er novembre", "2026-11-02"),
        ("", "dos días antes del 10 de noviembre", "2026-11-08"),
        ("", "Montag vor dem 10. November", "|"),
        ("", "vor 2 Wochen und 3 Tagen", "2026-11-03"),
        ("", "il y a 2 semaines et 3 jours", "2026-11-03"),
        ("", "hace 1 año y 2 meses", "2025-09-20"),
        ("", "il ya 3 jours", "2026-11-17"),
        ("", "3 días atrás", "2026-11-17"),
        ("", "vorvorgestern", "2026-11-17"),
        ("", "heute vor einer Woche", "2026-11-13"),
        ("", "heute in einer Woche", "|"),
    ]);
}

#[test]
fn spans_are_named_in_many_words() {
    check(&[
        ("", "die letzten zwei Wochen", "2026-11-07..2026-11-20"),
        ("", "les deux derniers mois", "2026-09-21..2026-11-20"),
        ("", "las últimas dos semanas", "2026-11-07..2026-11-20"),
        ("", "letztes Quartal", "2026-07-01..2026-09-30"),
        ("", "el trimestre pasado", "2026-07-01..2026-09-30"),
        ("", "vorletzte Woche", "2026-11-02..2026-11-08"),
        ("", "vorletztes Wochenende", "2026-11-07..2026-11-08"),
        ("", "la semaine d'avant", "|"),
        ("", "la semaine prochaine", "2026-11-23..2026-11-29"),
        ("", "el mes que viene", "2026-12-01..2026-12-31"),
        ("", "nächsten März", "2027-03-01..2027-03-31"),
        ("", "letzten Oktober", "|"),
        ("", "im Oktober letzten Jahres", "2025-10-01..2025-10-31"),
        ("", "en marzo del año pasado", "2025-03-01..2025-03-31"),
        ("", "la primera semana de octubre", "|"),
        ("", "les dix premiers jours d'octobre", "|"),
        ("", "der letzte Tag des Monats", "|"),
        ("", "le mois de mars", "2026-03-01..2026-03-31"),
        ("", "la semaine derniere", "2026-11-09..2026-11-15"),
        ("", "le weekend dernier", "2026-11-14..2026-11-15"),
        ("", "el pasado mes", "2026-10-01..2026-10-31"),
        ("", "dépenses d'octobre", "2026-10-01..2026-10-31"),
        ("es-ES", "gastos de octubre", "2026-10-01..2026-10-31"),
    ]);
}

#[test]
fn hours_and_lengths_of_time_are_no_amounts() {
    check_amounts(&[
        ("de-DE", "um 15 Uhr 20", "20|"),
        ("de-DE", "Taxi 12 um 15 Uhr 20", "12"),
        ("de-DE", "Taxi um 15 Uhr 12,50", "12.50"),
        ("de-DE", "Kaffee 3 um halb 4", "3"),
        ("de-DE", "um 3 Euro", "3 EUR"),
        ("de-DE", "Parken 9 bis 17 Uhr 4,50", "4.50"),
        ("fr-FR", "taxi 20 à 9 heures 30", "20"),
        ("fr-FR", "café 3 à 15h", "3"),
        ("fr-FR", "le 16 à 18h taxi 20", "20"),
        ("fr-FR", "café 3 à Paris", "3"),
        ("es-ES", "taxi 20 a las 8 de la tarde", "20"),
        ("es-ES", "a las 15 horas", ""),
        ("de-DE", "Parken 2 Stunden 4,50", "4.50"),
        ("de-DE", "Taxi 20 Minuten 15", "15"),
        ("de-DE", "Netflix 3 Monate 30", "30"),
        ("de-DE", "Eintritt ab 12 Jahren 8", "8"),
        ("fr-FR", "hôtel 3 jours 240", "240"),
        ("es-ES", "hotel 3 días 240", "240"),
        ("es-ES", "gimnasio 30 mes pasado", "30"),
        ("de-DE", "Brot 3 an Tankstelle", "3"),
        ("fr-FR", "5 mes amis", "5"),
        ("en-GB", "3 an hour", "3"),
    ]);
    check(&[("fr-FR", "le 16 à 18h taxi 20", "2026-11-16"), ("es-ES", "el 16 a las 18h", "2026-11-16")]);
}

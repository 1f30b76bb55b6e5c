//! What is read of people who write otherwise than in plain English, and of three other languages.

use super::{
    tests::{READER, TODAY, check, shown_amounts, shown_amounts_of, shown_date, shown_dates},
    *,
};

fn writing(locale: &str) -> Reader {
    Reader { conventions: Conventions::of_locale(locale), ..READER }
}

#[test]
fn a_locale_says_only_what_its_people_agree_about() {
    let known = |tag: &str| {
        let Conventions { decimal_mark, day_order, .. } = Conventions::of_locale(tag);
        let mark = decimal_mark.map_or("?", |mark| if mark == DecimalMark::Point { "." } else { "," });
        let order = day_order.map_or("?", |order| if order == DayOrder::DayFirst { "d/m" } else { "m/d" });
        format!("{mark} {order}")
    };
    check(
        &[
            ("de-DE", ", d/m"),
            ("de", ", d/m"),
            ("de-CH", ". d/m"),
            ("en-US", ". m/d"),
            ("en_GB", ". d/m"),
            ("en-Latn-GB", ". d/m"),
            ("EN-us-u-ca-gregory", ". m/d"),
            ("en", ". ?"),
            ("en-CA", ". ?"),
            ("en-DE", "? ?"),
            ("fr", ", d/m"),
            ("fr-CA", ", ?"),
            ("es-ES", ", d/m"),
            ("es-419", ". d/m"),
            ("es-MX", ". d/m"),
            ("es", "? d/m"),
            ("en-u-us", ". ?"),
            ("ja-JP", "? ?"),
            ("", "? ?"),
            ("-", "? ?"),
        ],
        known,
    );
}

#[test]
fn numbers_and_days_are_read_as_their_writer_writes_them() {
    for (locale, text, expected) in [
        ("de-DE", "1.234", "1234"),
        ("de-DE", "1.234 €", "1234 EUR"),
        ("de-DE", "1.234,50", "1234.50"),
        ("de-DE", "12.50", "12.50"),
        ("de-DE", "12,50 €", "12.50 EUR"),
        // Three decimals of a currency that has two: a slip, or thousands after all.
        ("de-DE", "€1,234", "1234|1.234| EUR"),
        ("de-DE", "1,234", "1234|1.234|"),
        ("de-DE", "1,234 KWD", "1.234 KWD"),
        ("de-DE", "1,234.50", "1234.50"),
        ("de-DE", "1.234 million", "1234000000|1234000|"),
        ("en-US", "1,234", "1234"),
        ("en-US", "1.234", "1234|1.234|"),
        ("en-US", "1.234,50", "1234.50"),
        ("de-CH", "1.234", "1234|1.234|"),
        ("de-CH", "1'234.50", "1234.50"),
        ("es-MX", "1,234", "1234"),
        ("es", "1,234", "1234|1.234|"),
        ("ja-JP", "1.234", "1234|1.234|"),
        ("en-GB", "12 350 yen", "12350|350| JPY"),
        ("de-DE", "15 799", "15799|799|"),
        ("fr-FR", "15 799", "15799"),
        ("en-GB", "1 234.50", "1234.50"),
        ("en-GB", "Kino 12 p", "0.12 GBP"),
        ("de-DE", "Kino 12 p", "12"),
        ("de-DE", "Kino 12p", "0.12 GBP"),
    ] {
        assert_eq!(shown_amounts_of(&writing(locale), text), expected, "{text} in {locale}");
    }
    for (locale, text, expected) in [
        ("de-DE", "3/4", "2026-04-03"),
        ("de-DE", "3.4.2026", "2026-04-03"),
        ("en-US", "3/4", "2026-03-04"),
        ("en-US", "03/04/2026", "2026-03-04"),
        ("en-US", "20/11/2026", "2026-11-20"),
        ("en-GB", "11/20/2026", "2026-11-20"),
        ("en-GB", "03/04/26", "2026-04-03"),
        ("en-US", "2026-04-03", "2026-04-03"),
        ("en", "3/4", "2026-04-03|2026-03-04|"),
        ("en-CA", "3/4", "2026-04-03|2026-03-04|"),
    ] {
        let read = writing(locale).dates(text).remove(0).reading;
        assert_eq!(shown_date(read), expected, "{text} in {locale}");
    }
    let remembered = Conventions::of_locale("en-US").with_marks(Some(DecimalMark::Comma), Some(DayOrder::DayFirst));
    let reader = Reader { conventions: remembered, ..READER };
    assert_eq!(shown_amounts_of(&reader, "1.234"), "1234");
    assert_eq!(shown_date(reader.dates("3/4").remove(0).reading), "2026-04-03");
}

#[test]
fn what_several_currencies_share_is_the_one_that_was_said_last() {
    let signs = [("kr", "NOK"), ("$", "CAD"), ("kr", "SEK")];
    let signs = signs.map(|(sign, code)| (SharedSign::named(sign).unwrap(), Currency::parse(code).unwrap()));
    let read = |own: Option<Currency>, text: &str| {
        let conventions = Conventions::default().with_signs(&signs, own);
        shown_amounts_of(&Reader { conventions, ..READER }, text)
    };
    for (text, expected) in [
        ("45 kr", "45 SEK"),
        ("45 kronor", "45 SEK"),
        ("45 danish kr", "45 DKK"),
        ("45 kroner", "45 ?NOK"),
        ("$10", "10 CAD"),
        ("10 dollars", "10 CAD"),
        ("10 us dollars", "10 USD"),
        ("US$10", "10 USD"),
        ("50 cents", "0.50 ?USD"),
        ("10 pesos", "10 ?MXN"),
        ("¥10", "10 ?JPY"),
    ] {
        assert_eq!(read(None, text), expected, "{text}");
    }
    let own = Some(Currency::parse("DKK").unwrap());
    assert_eq!((read(own, "45 kr"), read(own, "$10")), ("45 DKK".to_owned(), "10 CAD".to_owned()));
}

#[test]
fn amounts_in_other_languages_are_read_whole_or_not_at_all() {
    check(
        &[
            ("Kaffee 12,50 Euro", "12.50 EUR"),
            ("zwanzig Euro", "20 EUR"),
            ("fünfundzwanzig Euro", "25 EUR"),
            ("zweihundertfünfzig Euro", "250 EUR"),
            ("zwei hundert fünfzig Euro", "250 EUR"),
            ("tausend Franken", "1000 CHF"),
            ("dreizehn Euro und elf Cent", "13.11 EUR"),
            ("zwanzig Euro fünfzig", "20.50 EUR"),
            ("drei Komma fünf Euro", "3.5 EUR"),
            ("dreieinhalb Euro", "3.5 EUR"),
            ("vier zwanzig Euro", "4.20|420| EUR"),
            ("Mittagessen zwölf fünfzig", "12.50|1250|"),
            ("ein Euro", "1 EUR"),
            ("2 Millionen Euro", "2000000 EUR"),
            ("20 Franken", "20 CHF"),
            ("vingt euros", "20 EUR"),
            ("vingt-cinq euros", "25 EUR"),
            ("vingt et un euros", "21 EUR"),
            ("soixante-dix euros", "70 EUR"),
            ("quatre-vingts euros", "80 EUR"),
            ("quatre-vingt-dix-sept euros", "97 EUR"),
            ("deux cent cinquante euros", "250 EUR"),
            ("six cents euros", "600 EUR"),
            ("six cents", "0.06 ?USD"),
            ("mille euros", "1000 EUR"),
            ("deux millions d'euros", "2000000 EUR"),
            ("deux et trois euros", "| EUR"),
            ("trois euros et demi", "3.5 EUR"),
            ("20 livres", "20 ?GBP"),
            ("20 livres sterling", "20 GBP"),
            ("12€50", "12.50 EUR"),
            ("veinte euros", "20 EUR"),
            ("treinta y cinco euros", "35 EUR"),
            ("ciento cincuenta pesos", "150 ?MXN"),
            ("doscientos euros", "200 EUR"),
            ("dos mil euros", "2000 EUR"),
            ("once euros", "| EUR"),
            ("Laptop 1.234,50 am 3.11.2026", "1234.50"),
            ("Kaffee 3,50 am 3. März", "3.50"),
            ("breakfast 9 am 12.50", "12.50"),
            ("3 mil euros", "3|, | EUR"),
            ("una pizza 12 euros", "12 EUR"),
            ("drei Bier", ""),
            ("deux livres 20", "2.20|20| ?GBP"),
            ("un livre 12", "12"),
            ("2 livres de pommes", "2| ?GBP"),
            ("zwei Pfund Äpfel", "2| ?GBP"),
            ("Kurs 40 Woche 3", "40|3|"),
            ("Essen 40 p.P.", "40"),
        ],
        shown_amounts,
    );
    assert_eq!(shown_amounts_of(&writing("es-ES"), "once euros, 3 mil pesos"), "11 EUR, 3000 ?MXN");
}

#[test]
fn days_in_other_languages_are_read_where_they_can_be_nothing_else() {
    check(
        &[
            ("heute", "2026-11-20"),
            ("gestern Abend", "2026-11-19"),
            ("vorgestern", "2026-11-18"),
            ("aujourd'hui", "2026-11-20"),
            ("avant-hier", "2026-11-18"),
            ("hier soir", "2026-11-19"),
            ("hier", "2026-11-19|2026-11-20|"),
            ("hoy", "2026-11-20"),
            ("ayer por la tarde", "2026-11-19"),
            ("anteayer", "2026-11-18"),
            ("morgen", "|"),
            ("mañana", "|"),
            ("am 3. März", "2026-03-03"),
            ("3. März 2025", "2025-03-03"),
            ("am 3.3.", "2026-03-03"),
            ("am 31.2.", "impossible"),
            ("le 3 mars 2026", "2026-03-03"),
            ("le 1er mars", "2026-03-01"),
            ("el 3 de marzo", "2026-03-03"),
            ("3 de mayo de 2025", "2025-05-03"),
            ("3 mars 2.50", ""),
            ("2 mai tai 9", ""),
            ("2 mayo 3", ""),
            ("le 30 février", "impossible"),
            ("el 25 de diciembre", "2025-12-25|2026-12-25|"),
            ("vor 3 Tagen", "2026-11-17"),
            ("il y a 2 semaines", "2026-11-06"),
            ("hace un mes", "2026-10-20"),
            ("vor ein paar Tagen", "|"),
            ("vor drei Tagen", "2026-11-17"),
            ("il y a deux semaines", "2026-11-06"),
            ("hace tres días", "2026-11-17"),
            ("hace un par de días", "|"),
            ("vor kurzem", "|"),
            ("il y a une heure", "|"),
            ("hace poco", "|"),
            ("Kaffee 3 neulich", "|"),
            ("l'autre jour", "|"),
            ("el otro día", "|"),
            ("letzte Nacht", "2026-11-19"),
            ("cette nuit", "2026-11-19|2026-11-20|"),
            ("am Freitagabend", "2026-11-20"),
            ("vendredi dernier", "2026-11-13"),
            ("am 5.", "2026-11-05"),
            ("Miete 900 am 1", "2026-11-01"),
            ("loyer le 1er", "2026-11-01"),
            ("am 25.", "2026-10-25|2026-11-25|"),
            ("am 5. November", "2026-11-05"),
            ("café 3 le 5", "2026-11-05"),
            ("el 5 estrellas 20", ""),
            ("farmacia 12,80 el día 3", "2026-11-03"),
            ("el día 3 de octubre café 3", "2026-10-03"),
            ("am Wochenende", "|"),
            ("el fin de semana", "|"),
            ("Anfang des Monats", "|"),
            ("Ende Oktober", "|"),
            ("mi-octobre", "|"),
            ("a principios de mes", "|"),
            ("Berlin Mitte 20", ""),
            ("am dritten März", "2026-03-03"),
            ("am zwanzigsten Oktober", "2026-10-20"),
            ("le premier novembre", "2026-11-01"),
            ("el tres de marzo", "2026-03-03"),
            ("pizza 12 Freitag", "2026-11-20"),
            ("vom Freitag", "2026-11-20"),
            ("hier j'ai acheté du pain pour 2 euros", "2026-11-19"),
            ("il y a une semaine environ", "|"),
            ("il y a quinze jours", "2026-11-05|2026-11-06|"),
            ("hace 15 días", "2026-11-05|2026-11-06|"),
            ("il y a huit jours", "2026-11-12|2026-11-13|"),
            ("vor acht Tagen", "2026-11-12|2026-11-13|"),
            ("vor acht Wochen", "2026-09-25"),
            ("vor fünfzehn Tagen", "2026-11-05"),
            ("taxi 20 letzten Sommer", "|"),
            ("taxi 20 l'été dernier", "|"),
            ("taxi 20 el verano pasado", "|"),
            ("taxi 20 la semaine du 3 novembre", "|"),
            ("taxi 20 letztes Weihnachten", "2025-12-25|"),
            ("taxi 20 gerade eben", "2026-11-20"),
            ("le printemps 20", ""),
            ("fin de siècle 20", ""),
            ("am Montag", "2026-11-16"),
            ("le lundi", "2026-11-16"),
            ("el lunes", "2026-11-16"),
            ("Freitag bag 200", "2026-11-20|"),
            ("mardi gras 20", ""),
            ("am letzten Montag", "2026-11-16|2026-11-09|"),
            ("lundi dernier", "2026-11-16|2026-11-09|"),
            ("el lunes pasado", "2026-11-16|2026-11-09|"),
            ("la última semana", "|"),
            ("le dernier mois", "|"),
            ("Montag, den 16. November", "2026-11-16"),
        ],
        |text| shown_dates(text, TODAY),
    );
    let read = |locale: &str, text: &str| {
        let found = writing(locale).dates(text).into_iter().map(|found| shown_date(found.reading));
        found.collect::<Vec<_>>().join(", ")
    };
    for (locale, text, expected) in [
        ("fr-FR", "café 3,50 hier", "2026-11-19"),
        ("de-DE", "Kaffee hier 3,50", ""),
        ("fr-FR", "3 mars", "2026-03-03"),
        ("de-DE", "Kaffee Montag", "2026-11-16"),
    ] {
        assert_eq!(read(locale, text), expected, "{text} in {locale}");
    }
}

#[test]
fn spans_in_other_languages_are_read_as_those_in_english_are() {
    let spans = |reader: Reader, text: &str| {
        let found = reader.ranges(text).into_iter().map(|found| format!("{}..{}", found.range.from, found.range.to));
        found.collect::<Vec<_>>().join(", ")
    };
    for (text, english) in [
        ("letzte Woche", "last week"),
        ("in der letzten Woche", "last week"),
        ("diese Woche", "this week"),
        ("letzten Monat", "last month"),
        ("im vergangenen Monat", "last month"),
        ("diesen Monat", "this month"),
        ("letztes Jahr", "last year"),
        ("letztes Wochenende", "last weekend"),
        ("die letzten 7 Tage", "last 7 days"),
        ("im Oktober", "in October"),
        ("Oktober 2025", "October 2025"),
        ("im November", "in November"),
        ("vom 1. bis 5. November", "from 1 to 5 November"),
        ("vom 28. Oktober bis 3. November", "from 28 October to 3 November"),
        ("vom 1. bis 5.", "from the 1st to the 5th"),
        ("vom 20. bis 25.", ""),
        ("seit gestern", "since yesterday"),
        ("seit Oktober", "since October"),
        ("la semaine dernière", "last week"),
        ("cette semaine", "this week"),
        ("le mois dernier", "last month"),
        ("ce mois-ci", "this month"),
        ("l'année dernière", "last year"),
        ("le week-end dernier", "last weekend"),
        ("les 3 derniers mois", "last 3 months"),
        ("en octobre", "in October"),
        ("en octobre 2025", "October 2025"),
        ("du 1er au 5 novembre", "from 1 to 5 November"),
        ("du 1er au 5", "from the 1st to the 5th"),
        ("depuis lundi", "since Monday"),
        ("depuis le lundi", "since Monday"),
        ("la semana pasada", "last week"),
        ("esta semana", "this week"),
        ("el mes pasado", "last month"),
        ("este mes", "this month"),
        ("el año pasado", "last year"),
        ("el fin de semana pasado", "last weekend"),
        ("los últimos 30 días", "last 30 days"),
        ("en octubre de 2025", "October 2025"),
        ("del 1 al 5 de noviembre", "from 1 to 5 November"),
        ("del 1 al 5 de noviembre de 2025", "from 1 to 5 November 2025"),
        ("desde ayer", "since yesterday"),
        ("Januar bis März", "January to March"),
        ("janvier à mars", "January to March"),
        ("bis Oktober", "until October"),
        ("bis gestern", "until yesterday"),
        ("ab 3. März", "since 3 March"),
        // It may be a name.
        ("la última semana", ""),
        ("mars 2.50", ""),
        ("Juli 3", ""),
    ] {
        let whole = if english.is_empty() { String::new() } else { spans(READER, english) };
        assert_eq!(spans(READER, text), whole, "{text}");
        assert!(english.is_empty() || !whole.is_empty(), "{english}");
    }
    assert_eq!(spans(writing("de-DE"), "Oktober"), spans(READER, "in October"));
    // With the word that leads to it.
    assert_eq!(READER.ranges("wie viel im November?").remove(0).span, 9..20);
    assert_eq!(spans(READER, "spending by month this year"), spans(READER, "this year"));
}

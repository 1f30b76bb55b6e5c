//! Currencies said in words, and amounts that several words or numbers make together.

use super::{
    Conventions, Reader,
    tests::{READER, TODAY, check, shown_amounts, shown_amounts_of, shown_dates},
};

fn shown_in(locale: &str, text: &str) -> String {
    shown_amounts_of(&Reader { conventions: Conventions::of_locale(locale), ..READER }, text)
}

fn check_in(cases: &[(&str, &str, &str)]) {
    for (locale, text, expected) in cases {
        assert_eq!(shown_in(locale, text), *expected, "{text} in {locale}");
    }
}

#[test]
fn the_name_of_a_currency_may_stand_first() {
    check(
        &[
            ("lunch dollars 20", "20 ?USD"),
            ("pounds 20", "20 GBP"),
            ("euros 20 lunch", "20 EUR"),
            ("Franken 20", "20 CHF"),
            ("baht 200", "200 THB"),
            ("canadian dollars 20", "20 CAD"),
            ("taxi hong kong dollars 20", "20 HKD"),
            ("pence 50", "0.50 GBP"),
            // A pound is where dogs are as well, and the others are names.
            ("lunch zł 35", "35 PLN"),
            ("dog pound 20", "20 ?GBP"),
            ("crown 20", "20"),
            ("sterling 20", "20"),
            ("livres 20", "20"),
            ("won 20", "20"),
            ("dollar tree 20", "20"),
            ("tea 3 dollars, cake 5", "3 ?USD, 5"),
            ("pizza 2 10€", "2, 10 EUR"),
        ],
        shown_amounts,
    );
}

#[test]
fn a_country_says_which_of_several_currencies_it_is() {
    check(
        &[
            ("20 thai baht", "20 THB"),
            ("20 thai baht coffee", "20 THB"),
            // Words about a day are of no currency.
            ("9 ago pounds", "9"),
            ("20 saudi riyals", "20 SAR"),
            ("20 uae dirhams", "20 AED"),
            ("20 south african rand", "20 ZAR"),
            ("20 sri lankan rupees", "20 LKR"),
            ("20 sing dollars", "20 SGD"),
            ("20 u.s. dollars", "20 USD"),
            ("20 US-Dollar", "20 USD"),
            ("20 korean won", "20 KRW"),
            ("20 egyptian pounds", "20 EGP"),
            ("20 czech crowns", "20 CZK"),
            ("20 Schweizer Franken", "20 CHF"),
            ("20 dänische Kronen", "20 DKK"),
            ("20 francs suisses", "20 CHF"),
            ("20 dollars de Hong Kong", "20 HKD"),
            ("20 dólares canadienses", "20 CAD"),
            ("20 coronas suecas", "20 SEK"),
            ("20 LE", "20 EGP"),
            ("20 kip", "20 LAK"),
            // Nobody's, or not known.
            ("20 kuna", "20 ?"),
            ("20 canadian euros", "20 ?"),
            ("20 french francs", "20 ?"),
            ("20 lousy euros", "20 ?EUR"),
            ("coffee 3 20 euros", "3, 20 EUR"),
            // What was bought.
            ("40 thai food", "40"),
            ("20 le midi", "20"),
            ("20 francs swiss cheese", "20 ?CHF"),
            ("lunch 20 the crown", "20"),
            ("tea 3 coffee dollars 5", "3, 5 ?USD"),
        ],
        shown_amounts,
    );
}

#[test]
fn a_sign_belongs_to_its_number_whatever_follows() {
    check(
        &[
            ("Pizza 12 €, gestern", "12 EUR"),
            ("Kaffee 2 €.", "2 EUR"),
            ("(12 €)", "12 EUR"),
            ("12 €/Person", "12 EUR"),
            ("5 €12", "5, 12 EUR"),
            ("1 000€", "1000 EUR"),
            ("bus 12 350€", "12350|350| EUR"),
            ("50,- €", "50 EUR"),
            ("1.199,- EUR", "1199 EUR"),
            ("50.- CHF", "50 CHF"),
            ("lunch 12,-", "12"),
            ("lunch 12,-5", "12, 5"),
            ("$5.95-", "5.95| ?USD"),
            ("118, 99 TL", "118.99| TRY"),
            ("1.837, 32 €", "1837.32| EUR"),
            ("tea 3, 50p", "3, 0.50 GBP"),
            ("Brötchen 50 ct", "0.50 ?USD"),
            ("90 cts", "0.90 ?USD"),
            ("50 ct Brötchen", "0.50| ?USD"),
            ("10 c", "0.10| ?USD"),
            ("20 c batteries", "20"),
        ],
        shown_amounts,
    );
    check_in(&[
        ("fr-FR", "loyer 1 200€", "1200 EUR"),
        ("de-DE", "50 ct Brötchen", "0.50 ?USD"),
        ("en-GB", "12 ct eggs 3.99", "3.99"),
    ]);
}

#[test]
fn one_of_something_is_said_without_its_number() {
    check(
        &[
            ("coffee a euro 50", "1.50 EUR"),
            ("coffee a euro fifty", "1.50 EUR"),
            ("a pound 20", "1.20 GBP"),
            ("a pound and 50p", "1.50 GBP"),
            ("a dollar and 42 cents", "1.42 ?USD"),
            ("a dollar and a half", "1.5 ?USD"),
            ("a dollar 50 yesterday", "1.50 ?USD"),
            ("dinner 40 pounds 20 of it tip", "40.20|40| GBP"),
            ("petrol 40 pounds 20 on snacks", "40.20|40| GBP"),
            ("spent a quid on gum", "1 GBP"),
            ("hundred bucks", "100 ?USD"),
            ("several hundred bucks", "| ?USD"),
            // Of each, a weight, or a name.
            ("2 quid a pound", "2 GBP"),
            ("apples 4 a pound", "4"),
            ("a pound of apples 3", "3"),
            ("bananas a pound, 3", "3"),
            ("a pound cake 5", "5"),
            ("a dollar store run 20", "20"),
            ("a euro a day", ""),
            ("half a dollar", ""),
        ],
        shown_amounts,
    );
}

#[test]
fn a_number_is_read_to_its_end() {
    check(
        &[
            ("a hundred and 5 euros", "105 EUR"),
            ("two hundred and 50 euros", "250 EUR"),
            ("2 hundred and 50 dollars", "250 ?USD"),
            ("1 lakh 20 thousand rupees", "120000 ?INR"),
            ("zweihundert und 50 Euro", "250 EUR"),
            ("deux cent 50 euros", "250 EUR"),
            ("hundred and 5 euros", "105 EUR"),
            ("a hundred and 5.50 euros", "105.50 EUR"),
            ("a thousand 500", "1500|"),
            ("a grand and 200", "1200|"),
            ("dinner for a hundred 500", "500"),
            ("two hundred 3 weeks ago", "200"),
            ("two hundred and 50p", "0.50 GBP"),
            ("10 per cent 20", "10|, 20"),
            ("10 point 5 euros", "10.5 EUR"),
            ("3 dot 50", "3.50"),
            ("three point two five dollars", "3.25 ?USD"),
            ("3 virgule 50", "3.50"),
            ("tres coma cinco euros", "3.5 EUR"),
            ("at some point 5", "5"),
            ("one and a half dollars", "1.5 ?USD"),
            ("3 and a quarter euros", "3.25 EUR"),
            ("3 and a half", "3.5|"),
            ("2 and a half hours", ""),
            ("beer 3 euros and a half pint 2", "3| EUR, 2"),
            ("un euro y medio", "1.5 EUR"),
            ("anderthalb Euro", "1.5 EUR"),
        ],
        shown_amounts,
    );
    check_in(&[("es-ES", "mil 500 pesos", "1500 ?MXN"), ("es-ES", "3 mil 500 pesos", "3500 ?MXN")]);
}

#[test]
fn one_of_two_amounts_is_asked_about() {
    check(
        &[
            ("10-20 dollars", "10|20| ?USD"),
            ("7-9 lakh rupees", "700000|900000| ?INR"),
            ("£10-20", "10|20| GBP"),
            ("£10-£20", "10|20| GBP"),
            ("coffee 3–4 €", "3|4| EUR"),
            ("10 - 20 dollars", "10|20| ?USD"),
            ("lunch £12 - 20 Nov", "12 GBP"),
            ("lunch £12 - 2 coffees", "12 GBP"),
            ("12-pack 20 dollars", "20 ?USD"),
            ("10 -5 euros", "10, -5 EUR"),
        ],
        shown_amounts,
    );
}

#[test]
fn a_sign_may_be_the_decimal_mark() {
    check(
        &[
            ("café 2€50", "2.50 EUR"),
            ("1€20 Brot", "1.20 EUR"),
            ("3$50", "3.50| ?USD"),
            ("12€5", "12| EUR, 5"),
            ("£2 £50", "2 GBP, 50 GBP"),
        ],
        shown_amounts,
    );
}

#[test]
fn a_time_of_day_is_no_money() {
    check(
        &[
            ("lunch 12 at 3:15p", "12"),
            ("lunch 12 at 3:15 p m", "12"),
            ("lunch 12 at 7p", "12"),
            ("lunch 12 10:30 CET", "12"),
            ("2 hr parking 5", "5"),
            ("Parken 2 Stunden 5", "5"),
            ("parking 2 h 5", "5"),
            // Pence, or an hour.
            ("sweets at 3p", "0.03| GBP"),
            ("sweets 3p", "0.03 GBP"),
            ("sweets at 50p", "0.50 GBP"),
            ("10 sweets at 3p each", "0.03| GBP"),
            ("coffee £3:50", "3.50| GBP"),
            ("coffee 3:50 euros", "3.50| EUR"),
        ],
        shown_amounts,
    );
    check_in(&[("en-US", "at 3p", ""), ("en-US", "coffee 3.50 7p", "3.50"), ("en-US", "sweets 50p", "0.50 GBP")]);
    check(
        &[
            ("lunch 12 at 10:30 a.m.", "2026-11-20"),
            ("lunch 12 at 3:15p", "2026-11-19|2026-11-20|"),
            ("lunch 12 at 7p yesterday", "2026-11-19"),
            ("lunch 12 10:30 CET", "2026-11-20"),
        ],
        |text| shown_dates(text, TODAY),
    );
}

#[test]
fn a_phone_number_is_no_money() {
    check_in(&[
        ("en-GB", "call me on 07700 900123", ""),
        ("en-GB", "number 0044 7700 900123", ""),
        ("en-GB", "parking 0.50, 07700900123", "0.50"),
    ]);
}

#[test]
fn a_day_may_stick_to_the_price_before_it() {
    let read = |text: &str| format!("{} on {}", shown_amounts(text), shown_dates(text, TODAY));
    check(
        &[
            ("lunch 12.50,18 Nov 2026", "12.50 on 2026-11-18"),
            ("lunch 12.50,2026-11-18", "12.50 on 2026-11-18"),
            ("lunch 12.50,18.11.2026", "12.50 on 2026-11-18"),
            ("lunch 12;18 Nov", "12 on 2026-11-18"),
            ("lunch 12,Nov 18", "12 on 2026-11-18"),
            ("lunch 1,234.50,18 Nov", "1234.50 on 2026-11-18"),
            ("tea 1.50,2.30", "| on "),
            ("12.34,56 EUR", "| EUR on "),
        ],
        read,
    );
    check_in(&[("en-GB", "lunch 12,18 Nov", "12"), ("de-DE", "Essen 12,18 Nov", "12.18")]);
}

#[test]
fn a_number_is_as_large_as_is_said_behind_it() {
    check(
        &[
            ("£2 k", "2000 GBP"),
            ("Miete 2 k€", "2000 EUR"),
            ("2 TEUR", "2000 EUR"),
            ("1,2 Tsd. €", "1200 EUR"),
            ("2 Mio. €", "2000000 EUR"),
            ("2 Milliarden Euro", "2000000000 EUR"),
            ("2 millones de euros", "2000000 EUR"),
            ("£.50", "0.50 GBP"),
            (".99", "0.99|"),
            ("12'50 €", "12.50| EUR"),
            ("5 t 10", "5, 10"),
            ("cable 3 m 5", "3, 5"),
            ("tea 2,50 cents", "2.50| ?USD"),
        ],
        shown_amounts,
    );
}

#[test]
fn what_only_some_write_for_their_currency_is_never_dropped() {
    check(
        &[
            ("US $5", "5 USD"),
            ("20$ CAD", "20 CAD"),
            ("$20 US", "20 USD"),
            ("$20 US Mobile", "20 ?USD"),
            ("20 dollars AUD", "20 AUD"),
            ("20 dollars canadian", "20 ?CAD"),
            ("20 dollars american diner", "20 ?USD"),
            ("20 georgian lari", "20 GEL"),
            ("20 nigerian naira", "20 NGN"),
            ("20 US-$", "20 USD"),
            ("500 J$", "500 JMD"),
            ("45 E£", "45 ?"),
            ("S/ 25", "25 ?PEN"),
            ("R273.00", "273.00 ?ZAR"),
            ("50 Fr.", "50 ?CHF"),
            ("Rp 50.000", "50000|50.000| IDR"),
            ("5000 francs CFA", "5000 ?XOF"),
            ("5000 FCFA", "5000 ?XOF"),
            ("dollars canadiens 20", "20 CAD"),
            ("29 ron", "29 ?RON"),
            ("100 soles", "100 ?PEN"),
            ("5 KD", "5 KWD"),
            ("lv 500 bag", "500"),
            ("ron 20", "20"),
        ],
        shown_amounts,
    );
    check_in(&[("de-CH", "50 Fr.", "50 CHF"), ("de-CH", "50 Rp", "0.50 CHF")]);
}

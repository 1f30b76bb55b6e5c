//! Currencies said in words, and amounts that several words or numbers make together.

use super::{
    Conventions, Reader,
    tests::{READER, check, shown_amounts, shown_amounts_of},
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
            ("dog pound 20", "20 ?GBP"),
            ("crown 20", "20"),
            ("sterling 20", "20"),
            ("livres 20", "20"),
            ("won 20", "20"),
            ("dollar tree 20", "20"),
            ("tea 3 dollars, cake 5", "3 ?USD, 5"),
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

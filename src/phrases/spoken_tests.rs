//! What people say instead of a day or an amount: feasts, "the other day", "at noon", "a fiver", "three fifty".

use super::tests::{TODAY, check, shown_amounts, shown_dates};

#[test]
fn a_feast_is_its_last_day_where_it_names_nothing_else() {
    check(
        &[
            ("costume 20 halloween", "2026-10-31"),
            ("on halloween", "2026-10-31"),
            ("flowers 20 valentine's day", "2026-02-14"),
            ("flowers 20 valentines", "2026-02-14"),
            ("lunch 12 christmas 2024", "2024-12-25"),
            ("lunch 12 christmas day last year", "2025-12-25"),
            // Soon to come, or a season.
            ("lunch 12 boxing day", "2025-12-26|2026-12-26|"),
            ("lunch 12 on new year's eve", "2025-12-31|2026-12-31|"),
            ("lunch 12 christmas", "2025-12-25|"),
            ("lunch 12 last christmas", "2025-12-25"),
            ("lunch 12 at new year", "2026-01-01|"),
            ("presents 50 for christmas", "2025-12-25|"),
            ("christmas eve dinner 50", "2025-12-24|"),
            ("shopping 30 before christmas", "2025-12-25|"),
            ("shopping 30 on black friday", "|"),
            ("Black friday tv 300", ""),
            ("lunch 12 easter", "|"),
            ("lunch 12 easter sunday", "|"),
            ("flowers 20 on mother's day", "|"),
            ("Kaffee 3 an Silvester", "2025-12-31|2026-12-31|"),
            ("café 3 à Noël", "2025-12-25|"),
            ("café 3 en Navidad", "2025-12-25|"),
            // Names.
            ("christmas tree 40", ""),
            ("a christmas tree 40", ""),
            ("spent 40 on christmas presents", ""),
            ("easter eggs 5", ""),
            ("halloween 20", ""),
            ("valentines card 3", ""),
            ("cadeau de noël 30", ""),
        ],
        |text| shown_dates(text, TODAY),
    );
}

#[test]
fn words_about_a_day_that_settle_none_are_unclear() {
    for text in [
        "lunch 12 end of month",
        "lunch 12 at the end of the month",
        "lunch 12 beginning of the week",
        "lunch 12 the other day",
        "lunch 12 the previous day",
        "lunch 12 one evening",
        "lunch 12 at some point",
        "lunch 12 mid month",
        "lunch 12 the week before",
        "lunch 12 a while ago",
        "lunch 12 ages ago",
        "lunch 12 a while back",
        "lunch 12 20 hours ago",
        "lunch 12 last pay day",
        "lunch 12 on payday",
        "lunch 12 on my birthday",
        "lunch 12 last summer",
        "lunch 12 in spring",
        "lunch 12 during the holidays",
        "lunch 12 on bank holiday monday",
        "lunch 12 last time",
        "lunch 12 that weekend",
        "lunch 12 weekend",
        "lunch 12 recently",
        "lunch earlier 12",
        "lunch 12 later",
    ] {
        assert_eq!((shown_dates(text, TODAY).as_str(), shown_amounts(text).as_str()), ("|", "12"), "{text}");
    }
}

#[test]
fn a_time_of_day_belongs_to_the_day_beside_it_or_to_today() {
    check(
        &[
            ("rent 900 on the first", "2026-11-01"),
            ("rent 900 on the twenty-fifth", "2026-10-25|2026-11-25|"),
            ("carpet 90 on the first floor", ""),
            ("lunch 12 at noon", "2026-11-20"),
            ("lunch 12 in the morning", "2026-11-20"),
            ("lunch 12 at 9 am", "2026-11-20"),
            ("lunch 12 11:30", "2026-11-20"),
            ("lunch 12 at 7 pm", "2026-11-19|2026-11-20|"),
            ("lunch 12 19:30", "2026-11-19|2026-11-20|"),
            ("lunch 12 in the evening", "2026-11-19|2026-11-20|"),
            ("dinner 30 at 7 pm on Monday", "2026-11-16"),
            ("on Monday dinner 30 at 7 pm", "2026-11-16, 2026-11-16"),
            ("dinner 30 at 7 pm, tea 2 on Monday", "|, 2026-11-16"),
            ("monday coffee 3 and tuesday taxi 12 at 11pm", "2026-11-16, 2026-11-17, 2026-11-17"),
            ("dinner 30 around the 5th", "|"),
            ("dinner 30 about the 5th", "|"),
            ("what about Monday?", "2026-11-16"),
            ("coffee this lunchtime 3", "2026-11-20"),
            ("cinema 12 sat night", "2026-11-14"),
            ("cinema 12 this past Monday", "2026-11-16"),
            ("cinema 12 Monday just gone", "2026-11-16"),
            ("lunch 12 earlier today", "2026-11-20"),
            ("lunch 12 just now", "2026-11-20"),
            ("lunch 12 yesterday at noon", "2026-11-19"),
            ("lunch 12 in the morning yesterday", "2026-11-19"),
            ("lunch 12 at midnight on Monday", "2026-11-16"),
            ("Kaffee 3 mittags", "2026-11-20"),
            ("Kaffee 3 um 12 Uhr", "2026-11-20"),
            ("how much have I spent now?", ""),
            ("how much do I spend in the morning?", ""),
        ],
        |text| shown_dates(text, TODAY),
    );
}

#[test]
fn a_day_of_a_month_or_week_that_is_named_is_that_day() {
    check(
        &[
            ("rent 900 on the first of the month", "2026-11-01"),
            ("lunch 12 first of this month", "2026-11-01"),
            ("lunch 12 the twentieth of last month", "2026-10-20"),
            ("lunch 12 on the 25th of the month", "2026-11-25"),
            ("lunch 12 20th friday", "2026-11-20"),
            ("lunch 12 the 19th friday", "|"),
            ("lunch 12 2nd friday", "|"),
            ("hotel 3rd to 5th 200", "|"),
            ("lunch 12 friday before last", "2026-11-06"),
            ("lunch 12 the day before yesterday evening", "2026-11-18"),
        ],
        |text| shown_dates(text, TODAY),
    );
}

#[test]
fn an_hour_belongs_to_the_part_of_the_day_before_it() {
    check(
        &[
            ("dinner 30 last night at 11", "30"),
            ("toast 3 this morning at 9 with Anna", "3"),
            ("dinner 30 friday evening at 8", "30"),
            ("this morning at 9.50 a coffee", "9.50"),
        ],
        shown_amounts,
    );
}

#[test]
fn words_of_time_in_names_are_no_days() {
    for text in [
        "weekend bag 60",
        "the weekend tickets 80",
        "summer dress 40",
        "spring rolls 7",
        "winter tyres 300",
        "fall jacket 40",
        "now tv 10",
        "later.com 15",
        "midnight snack 5",
        "birthday cake 30",
        "holiday insurance 60",
        "payday loan 100",
        "a back massage 40",
        "end table 40",
        "start of term uniform 80",
        "time magazine 5",
    ] {
        assert_eq!(shown_dates(text, TODAY), "", "{text}");
    }
}

#[test]
fn a_number_in_words_is_an_amount_where_it_can_be_nothing_else() {
    check(
        &[
            ("two hundred for shoes", "200"),
            ("spent fifty on shoes", "50"),
            ("paid thirty for the taxi", "30"),
            ("a fiver for coffee", "5"),
            ("lunch a tenner", "10"),
            ("two tenners", "20"),
            ("half a tenner", ""),
            ("twelve", "12"),
            ("make it five", "5"),
            ("lunch twelve", "12|"),
            ("coffee three fifty", "3.50|350|"),
            ("coffee three fifty yesterday", "3.50|350|"),
            ("three fifty for coffee", "3.50|350|"),
            ("coffee three fifty pounds", "3.50|350| GBP"),
            ("coffee three-fifty", "3.50|350|"),
            ("nineteen ninety nine for a book", "19.99|1999|"),
            ("one two three pounds", "| GBP"),
            ("a couple of quid for gum", "| GBP"),
            ("a few euros", "| EUR"),
            ("gas forty quid three weeks ago", "40 GBP"),
            ("rent nine hundred on the first", "900|"),
            ("make the tea three", "3"),
            // Counts, and names.
            ("dinner for two", ""),
            ("dinner for four 80", "80"),
            ("two coffees", ""),
            ("one more", ""),
            ("the last ten", ""),
            ("my top five", ""),
            ("five guys 12", "12"),
            ("twenty one pilots 40", "40"),
            ("a couple of beers 12", "12"),
            ("uno game 10", "10"),
            ("lunch once", ""),
        ],
        shown_amounts,
    );
}

#[test]
fn a_number_before_a_unit_of_time_may_be_the_price() {
    check(
        &[
            ("school fees 350 year 9", "350|9|"),
            ("rent 900 month 11", "900|11|"),
            ("parking 12 hour 2", "12|2|"),
            ("bus pass 20.00 week 47", "20.00"),
            ("conference lunch 14.20 day 2", "14.20"),
            ("bus pass £20 week 47", "20 GBP"),
            ("childcare 40.50 days 3", "40.50|3|"),
            ("hotel 1 week 400", "400"),
            ("parking 2 hours 5", "5"),
            ("parking 1.5 hours 5", "5"),
            ("parking 2 hours 4.50", "4.50"),
            ("parking 2 hours £4", "4 GBP"),
            ("tutor 2 hrs 60", "60"),
            ("babysitter 3 hours 45 pounds", "45 GBP"),
            ("massage 1 hr 30 £60", "30|, 60 GBP"),
            // So many minutes, or the price.
            ("parking 2 hours 15", "15|"),
            ("massage 1 hr 30", "30|"),
            ("walk 3 hours and 40", "40|"),
            ("marathon in 3 hours 40", ""),
            ("climbed it in 1 hr 30", ""),
            ("the drive took 2 hours 15", ""),
            ("ran 10k in 52:30", ""),
            ("swam 2k in 45 minutes", ""),
            ("bike 2 day £30", "30 GBP"),
            ("bike 2 day 30.50", "30.50"),
            ("gym 30 month", ""),
            ("hotel for 2 nights 200", "200"),
            ("milk 2 pints 1.50", "1.50"),
            ("size 10 shoes 50", "50"),
            ("2 @ 10 pizzas", "10"),
        ],
        shown_amounts,
    );
}

#[test]
fn a_small_number_before_a_plural_is_a_count() {
    check(
        &[
            ("paid 2 parking tickets", ""),
            ("2 large coffees", ""),
            ("3 big macs 15", "15"),
            ("bought 2 cinema tickets for 24", "24"),
            ("2 parking tickets yesterday", ""),
            ("2 kaffee", ""),
            ("2 Kaffee 7", "7"),
            ("12 lunch", "12"),
            ("lunch 12 uber eats", "12"),
            ("lunch 12 christmas", "12"),
            ("café 3 martes", "3"),
            ("Kaffee 3 am Montag", "3"),
            ("Kaffee 3 voriges Wochenende", "3"),
        ],
        shown_amounts,
    );
}

#[test]
fn what_begins_with_a_nought_goes_on_with_the_number_before_it() {
    check(
        &[
            ("rent 1 000", "1000"),
            ("1 000 eur rent", "1000 EUR"),
            ("1 050", "1050"),
            ("1 000 000 yen", "1000000 JPY"),
            ("1 234", "1234|234|"),
        ],
        shown_amounts,
    );
}

#[test]
fn an_ordinal_beside_the_price_is_a_day() {
    check(
        &[
            ("lunch 5th 12", "2026-11-05"),
            ("lunch 12 5th", "2026-11-05"),
            ("lunch 5th £12", "2026-11-05"),
            ("the 5th avenue cafe 12", ""),
            ("5th avenue cafe 12", ""),
            ("3rd party insurance 90", ""),
        ],
        |text| shown_dates(text, TODAY),
    );
}

#[test]
fn what_is_bought_for_a_weekday_may_be_for_the_next_one() {
    for text in [
        "cake for friday 20",
        "tickets 30 for friday",
        "Kuchen für Freitag 20",
        "Kuchen 20 für Freitag",
        "tarta para el viernes 20",
        "tarta 20 para el viernes",
        "gâteau pour vendredi 20",
        "gâteau 20 pour le vendredi",
    ] {
        assert_eq!(shown_dates(text, TODAY), "2026-11-20|2026-11-27|", "{text}");
    }
    check(&[("Kuchen am Freitag 20", "2026-11-20"), ("tarta el viernes 20", "2026-11-20")], |text| {
        shown_dates(text, TODAY)
    });
}

#[test]
fn a_currency_stands_before_or_behind_its_number_and_is_no_length_and_no_name() {
    check(
        &[
            ("lunch zł 35", "35 PLN"),
            ("taxi Kč 250", "250 CZK"),
            ("35 zl lunch", "35 PLN"),
            ("250 TL taxi", "250 TRY"),
            ("TL 250 taxi", "250 TRY"),
            ("40 Ft pizza", "40 HUF"),
            ("Ft 40 pizza", "40 HUF"),
            ("pizza 40 ft", "40 ?HUF"),
            ("shelf 6 ft 30", "30"),
            ("6 ft shelf 30", "30"),
            ("20 lire coffee", "20 ?TRY"),
            ("20 php course", "20 ?PHP"),
            ("20 PHP course", "20 PHP"),
            ("20 php for a course", "20 PHP"),
            ("20 php yesterday", "20 PHP"),
            ("6 euro car parks", "6 ?EUR"),
            ("6 euro coffee", "6 EUR"),
            ("6 euros car parks", "6 EUR"),
        ],
        shown_amounts,
    );
}

//! Who paid, said in many ways.

use jiff::civil::date;
use rstest::rstest;

use crate::phrases::{Conventions, Hedge, Reader};

#[rstest]
#[case("client paid 200", "client paid")]
#[case("tom paid 25", "tom paid")]
#[case("company pays dinner 25", "company pays")]
#[case("tom got dinner 25", "tom got")]
#[case("tom covered dinner 25", "tom covered")]
#[case("mum got me shoes 40", "mum got")]
#[case("my gran sent 20", "my gran sent")]
#[case("dinner 40 on tom", "on tom")]
#[case("drinks 40 on the house", "on the house")]
#[case("Tom zahlte 25", "Tom zahlte")]
#[case("Tom bezahlt 25", "Tom bezahlt")]
#[case("Kaffee bezahlt 3", "Kaffee bezahlt")]
#[case("brent paid 25", "brent paid")]
#[case("invoice 12 client paid 200", "client paid")]
#[case("got 20 from tom", "from tom")]
#[case("got 20 yesterday from tom", "from tom")]
#[case("Tom paie 25", "Tom paie")]
#[case("Tom paga 25", "Tom paga")]
#[case("gift 20 from mum", "from mum")]
#[case("gift 20 from tom", "from tom")]
#[case("20 from my gran", "from my gran")]
#[case("rent from lodger 500", "from lodger")]
#[case("20 von Oma", "von Oma")]
#[case("lunch on tom 12", "on tom")]
#[case("got 20 for old phone", "got 20 for")]
#[case("asos return 30", "return")]
#[case("Verkauf Fahrrad 80", "Verkauf")]
fn who_else_paid_or_gave_it_is_told(#[case] text: &str, #[case] expected: &str) {
    let reader = Reader { today: date(2026, 11, 20), hour: 12, conventions: Conventions::default() };
    let found = reader.hedges(text).into_iter().find(|found| matches!(found.hedge, Hedge::NotMine | Hedge::NotSpent));
    assert_eq!(found.map(|found| &text[found.span]), Some(expected));
}

#[rstest]
#[case("paid tom 25")]
#[case("my landlord charged me 40 for a key")]
#[case("gift for mum 20")]
#[case("milk 2 from tesco")]
#[case("from aldi 20 bread")]
#[case("pizza from papa johns 20")]
#[case("got dinner 25")]
#[case("just got shoes 40")]
#[case("me and tom got dinner 25")]
#[case("yesterday got dinner 25")]
#[case("bills paid 80")]
#[case("Miete bezahlt 950")]
#[case("Stromrechnung bezahlt 60")]
#[case("gestern Kaffee 3 bezahlt")]
#[case("hab 12 für Pizza bezahlt")]
#[case("12 shoes paid")]
#[case("at tesco got milk 2")]
#[case("cash paid 20")]
#[case("council tax paid 120")]
#[case("electricity paid 60")]
#[case("Strom bezahlt 60")]
#[case("chocolate covered nuts 5")]
#[case("dinner 40 on my card")]
#[case("dinner 40 on monday")]
#[case("dinner 40 on me")]
#[case("lunch on friday 12")]
#[case("lunch on amex 12")]
#[case("got 20 of petrol")]
#[case("got shoes for 20")]
#[case("train return 30")]
#[case("sale item 30")]
#[case("dinner 40 on me")]
#[case("tickets 40 on ticketmaster")]
#[case("sent 20 to tom")]
#[case("spent 20 on shoes")]
#[case("je paie 25")]
#[case("on paye 25")]
fn what_i_paid_is_mine(#[case] text: &str) {
    let reader = Reader { today: date(2026, 11, 20), hour: 12, conventions: Conventions::default() };
    assert_eq!(reader.hedges(text), []);
}

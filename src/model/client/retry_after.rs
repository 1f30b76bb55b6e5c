//! Reads how long a provider wants the client to wait.

use std::time::Duration;

use jiff::fmt::rfc2822;

use crate::outbound::{
    HeaderMap,
    header::{DATE, RETRY_AFTER},
};

/// Longer than any turn waits, and short enough to be added to a time without overflow.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// From `retry-after-ms`, or from `retry-after` in seconds or as a date (RFC 9110, 10.2.3). A date is compared with the
/// answer's own `date` header, so that clocks need not agree.
pub(super) fn read(headers: &HeaderMap) -> Option<Duration> {
    requested_wait(headers).map(|wait| wait.min(LONGEST))
}

fn requested_wait(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    // The reader of JSON is there anyway. The standard library's own has large tables.
    let number = |text: &str| serde_json::from_str::<f64>(text).ok();
    if let Some(millis) = text("retry-after-ms").and_then(number) {
        return Duration::try_from_secs_f64(millis / 1000.0).ok();
    }
    let after = text(RETRY_AFTER.as_str())?;
    if let Some(seconds) = number(after) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = |text: &str| rfc2822::parse(text).ok().map(|date| date.timestamp());
    let wait = date(after)?.duration_since(date(text(DATE.as_str())?)?);
    Some(Duration::try_from(wait).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(headers: &[(&'static str, &'static str)]) -> Option<Duration> {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        read(&HeaderMap::from_iter(headers))
    }

    #[test]
    fn all_forms_of_the_header_are_read() {
        let date = ("date", "Fri, 20 Nov 2026 12:00:00 GMT");
        for (headers, expected) in [
            (vec![("retry-after", "7")], Some(7_000)),
            (vec![("retry-after", " 0.5 ")], Some(500)),
            (vec![("retry-after-ms", "250"), ("retry-after", "7")], Some(250)),
            (vec![("retry-after", "Fri, 20 Nov 2026 12:01:30 GMT"), date], Some(90_000)),
            (vec![("retry-after", "Fri, 20 Nov 2026 11:59:00 GMT"), date], Some(0)),
            (vec![("retry-after", "Fri, 20 Nov 2026 12:01:30 GMT")], None),
            (vec![("retry-after", "soon")], None),
            (vec![("retry-after", "-1")], None),
            (vec![("retry-after", "1e400")], None),
            (vec![("retry-after", "9999999999999999999")], Some(86_400_000)),
            (vec![], None),
        ] {
            assert_eq!(of(&headers), expected.map(Duration::from_millis), "{headers:?}");
        }
    }
}

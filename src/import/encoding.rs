//! From bytes to text: UTF-8, UTF-16, or windows-1252, which banks in Western Europe still write.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Unreadable;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Encoding {
    #[serde(rename = "utf-8")]
    Utf8,
    #[serde(rename = "utf-16le")]
    Utf16Le,
    #[serde(rename = "utf-16be")]
    Utf16Be,
    #[serde(rename = "windows-1252")]
    Windows1252,
}

/// 0x80 to 0x9F of windows-1252. The other bytes are those of Latin-1.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

pub(super) fn decode(bytes: &[u8], given: Option<Encoding>) -> Result<(Cow<'_, str>, Encoding), Unreadable> {
    let found = given.unwrap_or_else(|| detect(bytes));
    let wrong = |name| Unreadable::WrongEncoding(name);
    let text = match found {
        Encoding::Utf8 => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            Cow::Borrowed(std::str::from_utf8(bytes).map_err(|_| wrong("UTF-8"))?)
        }
        Encoding::Utf16Le => utf16(bytes, u16::from_le_bytes).ok_or(wrong("UTF-16"))?,
        Encoding::Utf16Be => utf16(bytes, u16::from_be_bytes).ok_or(wrong("UTF-16"))?,
        Encoding::Windows1252 => Cow::Owned(bytes.iter().map(|byte| of_windows_1252(*byte)).collect()),
    };
    let is_control =
        |letter: char| letter.is_ascii_control() && !matches!(letter, '\t' | '\n' | '\r' | '\u{1a}' | '\u{c}');
    if text.contains(is_control) { Err(Unreadable::Binary) } else { Ok((text, found)) }
}

fn detect(bytes: &[u8]) -> Encoding {
    match bytes {
        [0xff, 0xfe, ..] => Encoding::Utf16Le,
        [0xfe, 0xff, ..] => Encoding::Utf16Be,
        _ if std::str::from_utf8(bytes).is_ok() => Encoding::Utf8,
        _ => Encoding::Windows1252,
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<Cow<'static, str>> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair)).skip_while(|unit| *unit == 0xfeff);
    let text: Result<String, _> = char::decode_utf16(units).collect();
    text.ok().filter(|_| rest.is_empty()).map(Cow::Owned)
}

fn of_windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

//! A table of words that the build script makes, searched by a word.

pub struct WordTable {
    /// Has all words, each before a space or the end of a line.
    pub text: &'static str,
    /// Where each bucket begins in `numbers`, and where the last one ends.
    pub starts: &'static [u16],
    /// The numbers of the words of each bucket.
    pub numbers: &'static [u16],
    /// Where every `STEP`th word begins.
    pub places: &'static [u32],
    /// How far each begins behind the word before, but for those.
    pub gaps: &'static [u16],
}

/// As many words as are counted from one place: the gaps between them are smaller in the zip than their places.
pub const STEP: usize = 8;

/// Where a text stands in a longer one, and in the highest byte its length: a pair would be twice as large.
#[derive(Debug, Clone, Copy)]
pub struct Place(pub u32);

impl WordTable {
    /// The number of the word.
    pub fn find(&self, word: &str) -> Option<usize> {
        let bucket = bucket(word, self.starts.len() - 1);
        let numbers = &self.numbers[usize::from(self.starts[bucket])..usize::from(self.starts[bucket + 1])];
        let is_there = |number: &&u16| {
            let number = usize::from(**number);
            let first = number / STEP;
            let behind: usize = self.gaps[first * STEP..=number].iter().map(|gap| usize::from(*gap)).sum();
            let rest = &self.text.as_bytes()[self.places[first] as usize + behind..];
            // Most others end elsewhere.
            matches!(rest.get(word.len()), Some(b' ' | b'\n'))
                && rest.starts_with(word.as_bytes())
                && word.bytes().all(|byte| byte != b' ')
        };
        numbers.iter().find(is_there).map(|number| usize::from(*number))
    }
}

/// The line that begins there.
pub fn line(text: &'static str, start: u32) -> &'static str {
    text[start as usize..].split('\n').next().unwrap_or_default()
}

impl Place {
    pub fn of(self, text: &'static str) -> &'static str {
        &text[(self.0 & 0xff_ffff) as usize..][..(self.0 >> 24) as usize]
    }
}

/// `buckets` is a power of two. Most words differ in their first four bytes, their last four or their length.
pub fn bucket(word: &str, buckets: usize) -> usize {
    let bytes = word.as_bytes();
    let ends = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => (u32::from_le_bytes(*first), u32::from_le_bytes(*last)),
        _ => (bytes.iter().fold(0, |all, byte| all << 8 | u32::from(*byte)), 0),
    };
    let mixed = (u64::from(ends.0) << 32 | u64::from(ends.1)) + bytes.len() as u64;
    // The highest bits of the product depend on all others.
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize & (buckets - 1)
}

//! A table of words that the build script makes, searched by a word. Words that share a bucket stand together.

pub struct WordTable {
    /// Has all words, each before a space or the end of a line.
    pub text: &'static str,
    /// Where each bucket begins in `places`, and where the last one ends.
    pub starts: &'static [u16],
    /// Where the words begin.
    pub places: &'static [u32],
}

/// Where a text stands in a longer one, and in the highest byte its length: a pair would be twice as large.
#[derive(Debug, Clone, Copy)]
pub struct Place(pub u32);

impl WordTable {
    /// The number of the word.
    pub fn find(&self, word: &str) -> Option<usize> {
        let bucket = bucket(word, self.starts.len() - 1);
        let mut places = usize::from(self.starts[bucket])..usize::from(self.starts[bucket + 1]);
        places.find(|at| {
            let rest = &self.text.as_bytes()[self.places[*at] as usize..];
            rest.starts_with(word.as_bytes())
                && matches!(rest.get(word.len()), Some(b' ' | b'\n'))
                && !word.contains(' ')
        })
    }
}

/// The line that begins there.
pub fn line(text: &'static str, start: u32) -> &'static str {
    text[start as usize..].split('\n').next().unwrap_or_default()
}

impl Place {
    fn start(self) -> usize {
        (self.0 & 0xff_ffff) as usize
    }

    fn length(self) -> usize {
        (self.0 >> 24) as usize
    }

    pub fn of(self, text: &'static str) -> &'static str {
        &text[self.start()..][..self.length()]
    }
}

/// `buckets` is a power of two. FNV-1a, of 64 bits.
pub fn bucket(word: &str, buckets: usize) -> usize {
    let hash = word
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    usize::try_from((hash ^ hash >> 32) & 0xffff_ffff).unwrap_or(0) & (buckets - 1)
}

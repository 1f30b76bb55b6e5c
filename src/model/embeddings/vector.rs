//! A vector's direction, stored with eight bits a dimension. Similarity does not depend on the length, and the rounding
//! hardly changes it.

/// The stored value of the vector's largest number.
const STORED_SCALE: f32 = 127.0;

/// The same for the query vector, which is not stored. It is as precise as possible while the sum over all dimensions
/// fits 32 bits.
const QUERY_SCALE: f32 = 4095.0;

/// Bytes of the length, which is stored before the numbers.
const HEAD: usize = size_of::<f32>();

/// In its stored form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vector(Vec<u8>);

/// The vector of a search, which stored vectors are compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryVector {
    numbers: Vec<i16>,
    length: f32,
}

impl Vector {
    /// None for a vector of zeros.
    pub fn new(numbers: &[f32]) -> Option<Vector> {
        let numbers = scaled(numbers, STORED_SCALE)?;
        let mut bytes = length(&numbers).to_le_bytes().to_vec();
        // They fit eight bits.
        bytes.extend(numbers.iter().map(|number| number.to_le_bytes()[0]));
        Some(Vector(bytes))
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Converts a stored vector, to search for similar ones.
    pub fn query_vector(&self) -> QueryVector {
        let numbers: Vec<f32> = self.0[HEAD..].iter().map(|byte| f32::from(byte.cast_signed())).collect();
        let numbers = scaled(&numbers, QUERY_SCALE).expect("a vector points somewhere");
        QueryVector { length: length(&numbers), numbers }
    }
}

impl QueryVector {
    /// The cosine of the angle to a stored vector, from -1 to 1. None if the bytes are not a vector of the same
    /// dimensions.
    pub fn cosine(&self, stored: &[u8]) -> Option<f32> {
        let (head, numbers) = stored.split_at_checked(HEAD)?;
        let length = f32::from_le_bytes(head.try_into().ok()?);
        if numbers.len() != self.numbers.len() {
            return None;
        }
        Some(dot(&self.numbers, numbers) as f32 / (self.length * length))
    }
}

/// Eight at a time, because the deployed build is optimised for size, which unrolls no loop.
fn dot(query: &[i16], stored: &[u8]) -> i32 {
    let ((query, query_rest), (stored, stored_rest)) = (query.as_chunks::<8>(), stored.as_chunks::<8>());
    let eights = query.iter().zip(stored).map(|(a, b)| {
        product(a[0], b[0])
            + product(a[1], b[1])
            + product(a[2], b[2])
            + product(a[3], b[3])
            + product(a[4], b[4])
            + product(a[5], b[5])
            + product(a[6], b[6])
            + product(a[7], b[7])
    });
    let rest = query_rest.iter().zip(stored_rest).map(|(a, b)| product(*a, *b));
    eights.sum::<i32>() + rest.sum::<i32>()
}

#[inline(always)]
fn product(query: i16, stored: u8) -> i32 {
    i32::from(query) * i32::from(stored.cast_signed())
}

#[expect(clippy::cast_possible_truncation, reason = "no number is larger than `to`")]
fn scaled(numbers: &[f32], to: f32) -> Option<Vec<i16>> {
    let largest = numbers.iter().fold(0.0, |largest: f32, number| largest.max(number.abs()));
    let fits = largest > 0.0 && numbers.iter().all(|number| number.is_finite());
    fits.then(|| numbers.iter().map(|number| (number / largest * to).round() as i16).collect())
}

fn length(numbers: &[i16]) -> f32 {
    numbers.iter().map(|number| f32::from(*number) * f32::from(*number)).sum::<f32>().sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vector(numbers: &[f32]) -> Vector {
        Vector::new(numbers).unwrap()
    }

    fn cosine(a: &[f32], b: &[f32]) -> f64 {
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    }

    #[test]
    fn a_vector_of_zeros_is_refused() {
        assert_eq!(Vector::new(&[]), None);
        assert_eq!(Vector::new(&[0.0, 0.0]), None);
        assert_eq!(Vector::new(&[1.0, f32::NAN]), None);
        assert_eq!(Vector::new(&[1.0, f32::INFINITY]), None);
    }

    #[test]
    fn similarity_depends_on_direction_and_not_on_length() {
        let query = vector(&[1.0, 2.0, -1.0]).query_vector();
        let similarity = |numbers: &[f32]| query.cosine(vector(numbers).bytes()).unwrap();
        assert!((similarity(&[10.0, 20.0, -10.0]) - 1.0).abs() < 1e-4);
        assert!((similarity(&[-1.0, -2.0, 1.0]) + 1.0).abs() < 1e-4);
        assert!(similarity(&[2.0, -1.0, 0.0]).abs() < 1e-2);
    }

    #[test]
    fn other_dimensions_and_broken_bytes_are_not_compared() {
        let query = vector(&[1.0, 2.0]).query_vector();
        assert_eq!(query.cosine(vector(&[1.0, 2.0, 3.0]).bytes()), None);
        assert_eq!(query.cosine(&[1, 2]), None);
    }

    proptest! {
        #[test]
        fn rounding_changes_a_cosine_by_less_than_a_hundredth(
            numbers in prop::collection::vec((-1.0_f32..1.0, -1.0_f32..1.0), 64..512),
        ) {
            let (a, b): (Vec<f32>, Vec<f32>) = numbers.into_iter().unzip();
            let similarity = vector(&a).query_vector().cosine(vector(&b).bytes()).unwrap();
            prop_assert!((f64::from(similarity) - cosine(&a, &b)).abs() < 0.01);
        }

        #[test]
        fn no_dimension_overflows(sign in prop::bool::ANY) {
            let all = vec![if sign { 1.0 } else { -1.0 }; 4096];
            let similarity = vector(&all).query_vector().cosine(vector(&all).bytes()).unwrap();
            prop_assert!((similarity - 1.0).abs() < 1e-3);
        }
    }
}

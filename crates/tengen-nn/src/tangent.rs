//! The hyperbolic tangent of many numbers.

/// Beyond this the tangent is 1, as far as these numbers can tell.
const FAR: f32 = 7.905_311;

/// Replaces all numbers by their hyperbolic tangents: a quotient of polynomials, which compilers make for several
/// numbers at a time and which is the same on every machine.
pub(crate) fn to_tangents(values: &mut [f32]) {
    for value in values {
        *value = tangent(*value);
    }
}

#[inline]
fn tangent(value: f32) -> f32 {
    const ODD: [f32; 7] = [
        -2.760_768_5e-16,
        2.000_188e-13,
        -8.604_672e-11,
        5.122_297e-8,
        1.485_722_4e-5,
        6.372_619e-4,
        4.893_524_6e-3,
    ];
    const EVEN: [f32; 4] = [1.198_258_4e-6, 1.185_347_1e-4, 2.268_434_6e-3, 4.893_525e-3];
    let x = value.clamp(-FAR, FAR);
    let square = x * x;
    let [mut odd, mut even] = [0.0; 2];
    for factor in ODD {
        odd = odd * square + factor;
    }
    for factor in EVEN {
        even = even * square + factor;
    }
    (x * odd / even).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::to_tangents;

    #[test]
    fn tangents_are_those_of_the_library() {
        let values: Vec<f32> = (-12_000..=12_000)
            .map(|step| step as f32 / 1000.0)
            .collect();
        let mut tangents = values.clone();
        to_tangents(&mut tangents);
        for (value, tangent) in values.iter().zip(tangents) {
            assert!((value.tanh() - tangent).abs() < 5e-7, "{value}: {tangent}");
        }
    }
}

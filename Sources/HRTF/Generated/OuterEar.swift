import Glibc

/// Effect of the outer ear by direction: its opening, its concha and its two notches.
///
/// Directions are unit vectors in one ear's axes: x front, y out of this ear's side, z up. Gains (except the second
/// notch's) and the logarithms of frequencies are affine in the direction, so that responses are smooth on the whole
/// sphere. The forms come from the literature; the numbers were fitted (see
/// `Documentation/explanation/generated-head.md`).
struct OuterEar: Sendable {
    /// The flange shades sound from behind and opens the concha to the front and side. The effect is a shelf. Its gain
    /// in dB is the scalar product of `opening` and the direction, with a maximum of 13 dB at 18° towards the ear and
    /// 6° below the horizon. Shaw, "Transformation of sound pressure level from the free field to the eardrum in the
    /// horizontal plane", JASA 56 (1974).
    let openingHertz = 7500.0
    let opening = SIMD3(12.4, 4.0, -1.4)
    /// The concha's first mode, about 4.3 kHz (Shaw 1974; Kahana & Nelson, "Numerical modelling of the spatial acoustic
    /// response of the human pinna", JSV 292 (2006)). Its mean gain is part of the diffuse field, which this model
    /// makes flat. The remaining gain in dB is the scalar product of `concha` and the direction.
    let conchaHertz = 4300.0
    let conchaQuality = 1.8
    let concha = SIMD3(1.7, -1.6, -0.5)
    /// N1, the first notch. Its frequency rises with elevation, from 6 kHz below the front to 12 kHz above the head
    /// (Iida, Itoh, Itagaki & Morimoto, "Median plane localization using a parametric model of the head-related
    /// transfer function based on spectral cues", Applied Acoustics 68 (2007); Spagnol, Geronazzo & Avanzini, "On the
    /// relation between pinna reflection patterns and head-related transfer function features", IEEE TASLP 21 (2013)).
    let firstHertz = 8400.0
    /// Slope of the frequency along x, y and z, octaves.
    let firstOctaves = SIMD3(-0.18, 0.12, 0.48)
    let firstQuality = 3.1
    let firstDecibels = -11.3
    /// N2, the second notch (same sources): at 10 kHz in front, almost absent behind.
    let secondHertz = 14_600.0
    let secondOctaves = SIMD3(-0.55, 0.25, 0.19)
    let secondQuality = 1.7
    let secondDecibels = -8.0
    let secondFrontDecibels = -10.0

    /// Sections that are equal in all directions. They cancel the mean loss of the notches and the mean gain of the
    /// torso, so that the diffuse field of the whole head is flat within 1 dB from 100 Hz to 16 kHz.
    let common = [
        AnalogueSection.shelf(hertz: 2050, decibels: -3.7), .bell(hertz: 10_100, quality: 0.9, decibels: 9),
    ]

    /// Returns the sections for a direction.
    func sections(_ unit: SIMD3<Double>) -> [AnalogueSection] {
        let along = { (slope: SIMD3<Double>) in (slope * unit).sum() }
        // Fades the second notch out where its affine gain, g dB, would become positive: −3·ln(1 + e^{−g/3}).
        let second = -3 * log1p(exp(-(secondDecibels + secondFrontDecibels * unit.x) / 3))
        return common + [
            .shelf(hertz: openingHertz, decibels: along(opening)),
            .bell(hertz: conchaHertz, quality: conchaQuality, decibels: along(concha)),
            .bell(hertz: firstHertz * exp2(along(firstOctaves)), quality: firstQuality, decibels: firstDecibels),
            .bell(hertz: secondHertz * exp2(along(secondOctaves)), quality: secondQuality, decibels: second),
        ]
    }
}

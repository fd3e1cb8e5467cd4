import Glibc

/// What the outer ear adds to the sphere, by direction: its opening, its concha and its two notches.
///
/// Directions are unit vectors as one ear has them: x front, y out of that ear's side, z up. All gains and the
/// logarithms of all frequencies are linear in them, so that nothing steps or spins anywhere on the sphere. The forms
/// are the literature's, the numbers were fitted (see `Documentation/generated-head.md`).
struct OuterEar: Sendable {
    /// The flange shades what comes from behind and opens the concha to the front and side: a shelf with its gain in dB
    /// along the direction. 13 dB, towards 18° of azimuth. Shaw, "Transformation of sound pressure level from the free
    /// field to the eardrum in the horizontal plane", JASA 56 (1974).
    let openingHertz = 7500.0
    let opening = SIMD3(12.4, 4.0, -1.4)
    /// The concha's first mode, about 4.3 kHz (Shaw 1974; Kahana & Nelson, "Numerical modelling of the spatial acoustic
    /// response of the human pinna", JSV 292 (2006)). What it does alike in all directions is
    /// the diffuse field's, which is flat here; its gain in dB by direction is left.
    let conchaHertz = 4300.0
    let conchaQuality = 1.8
    let concha = SIMD3(1.7, -1.6, -0.5)
    /// N1, the first notch: its frequency rises with elevation, from 6 kHz below the front to 12 kHz above the head
    /// (Iida, Itoh, Itagaki & Morimoto, "Median plane localization using a parametric model of the head-related
    /// transfer function based on spectral cues", Applied Acoustics 68 (2007); Spagnol, Geronazzo & Avanzini, "On the
    /// relation between pinna reflection patterns and head-related transfer function features", IEEE TASLP 21 (2013)).
    let firstHertz = 8400.0
    /// Octaves along the direction.
    let firstOctaves = SIMD3(-0.18, 0.12, 0.48)
    let firstQuality = 3.1
    let firstDecibels = -11.3
    /// N2, the second (ibid.): 10 kHz in front, none behind.
    let secondHertz = 14_600.0
    let secondOctaves = SIMD3(-0.55, 0.25, 0.19)
    let secondQuality = 1.7
    let secondDecibels = -8.0
    let secondFrontDecibels = -10.0

    /// What makes the whole head flat for sound from everywhere, within 1 dB from 100 Hz to 16 kHz: it takes back what
    /// the notches cost and the torso adds, alike in all directions.
    let common = [
        AnalogueSection.shelf(hertz: 2050, decibels: -3.7), .bell(hertz: 10_100, quality: 0.9, decibels: 9),
    ]

    /// The sections for a direction.
    func sections(_ unit: SIMD3<Double>) -> [AnalogueSection] {
        let along = { (slope: SIMD3<Double>) in (slope * unit).sum() }
        // Where the second notch would turn into a peak it fades out instead: −3·ln(1 + e^{−g/3}).
        let second = -3 * log1p(exp(-(secondDecibels + secondFrontDecibels * unit.x) / 3))
        return common + [
            .shelf(hertz: openingHertz, decibels: along(opening)),
            .bell(hertz: conchaHertz, quality: conchaQuality, decibels: along(concha)),
            .bell(hertz: firstHertz * exp2(along(firstOctaves)), quality: firstQuality, decibels: firstDecibels),
            .bell(hertz: secondHertz * exp2(along(secondOctaves)), quality: secondQuality, decibels: second),
        ]
    }
}

import Geometry
import Glibc
import Signal

/// Gains of a sound from a direction in the two channels of a stereo fold-down.
///
/// ITU-R BS.775-4, Annex 4, Table 2 sends left and right to their own channel at 1, the centre to both at 0.7071,
/// surrounds to their own side at 0.7071, and a single back surround to both at 0.5. These values hold here exactly.
/// Two rules, which agree with the table at its loudspeakers, give the gains of all other directions:
///
/// 1. Level. In front at ear level (up to 60° to the side) a sound keeps its level. Beyond, the level falls linearly
///    in dB to −3 dB at 90° and stays there. A sound above (or below) falls likewise to −3 dB at 30° of elevation. The
///    larger of the two falls counts, so that sides, backs, heights and back heights are all at 0.7071.
/// 2. Pan. Between ±30°, and behind between ±150° and 180°, a sound is panned with constant power; elsewhere it goes
///    to its own side. Above 60° of elevation it moves to the middle, so that the zenith is in both: 0.5 each.
///
/// Rule 2 and the heights of rule 1 are this program's choice: BS.2051 defines those loudspeakers without a fold-down.
package enum StereoFold {
    /// Returns the linear gains of a sound from a direction: azimuth −180…180 (left positive), elevation −90…90,
    /// degrees.
    package static func gains(azimuthDegrees azimuth: Double, elevationDegrees elevation: Double)
        -> (left: Double, right: Double)
    {
        let (aside, raised) = (abs(azimuth), abs(elevation))
        let level = exp2(-0.5 * fall(azimuth, elevation))
        let front = ramp(aside, from: 0, to: 30)
        let back = 1 - ramp(aside, from: 150, to: 180)
        let pan = min(front, back) * (1 - ramp(raised, from: 60, to: 90)) * (azimuth < 0 ? -1 : 1)
        // Constant power: 1 at an end, √½ in the middle.
        let angle = (1 + pan) * .pi / 4
        return pan >= 1 ? (level, 0) : pan <= -1 ? (0, level) : (level * sin(angle), level * cos(angle))
    }

    /// Returns the factor on those gains for a choice of the levels of centre and surrounds.
    static func change(
        azimuthDegrees azimuth: Double, elevationDegrees elevation: Double, _ choice: FoldChoice
    ) -> Double {
        let usual = 0.5.squareRoot()
        let middle = choice.centre.map { $0.amplitude / usual } ?? 1
        let around = choice.surround.map { $0.amplitude / usual } ?? 1
        // Linear in dB over the angle, as the levels to the side.
        return pow(middle, max(0, 1 - abs(azimuth) / 30)) * pow(around, fall(azimuth, elevation))
    }

    /// Returns the share of the surrounds' fall for a direction, 0…1: rule 1.
    static func fall(_ azimuthDegrees: Double, _ elevationDegrees: Double) -> Double {
        max(ramp(abs(azimuthDegrees), from: 60, to: 90), ramp(abs(elevationDegrees), from: 0, to: 30))
    }

    /// 0 up to `start`, 1 from `end` on, linear between.
    private static func ramp(_ x: Double, from start: Double, to end: Double) -> Double {
        max(0, min(1, (x - start) / (end - start)))
    }
}

extension Layout {
    /// The stereo fold-down as a matrix: the linear gains of each channel in left and right, in channel order, the
    /// loudspeaker's own gain included. Off the audio thread; some microseconds, for a sound field some milliseconds.
    ///
    /// Loudspeakers by `StereoFold` (ITU-R BS.775-4); LFE channels are left out, as in the recommendation. Without
    /// normalisation: a programme at full scale in several channels can exceed full scale.
    ///
    /// A sound field has no loudspeakers. Its channels' gains bring a plane wave from any direction closest to
    /// `StereoFold`, in least squares over the whole sphere; the match improves with the order.
    package var stereoFoldDown: [(left: Float, right: Float)] { stereoFoldDown(by: FoldChoice()) }

    /// Returns the fold-down at chosen levels, which do not apply to a sound field.
    func stereoFoldDown(by choice: FoldChoice) -> [(left: Float, right: Float)] {
        guard let ambisonics else {
            return loudspeakers.map { loudspeaker in
                guard !loudspeaker.isLowFrequency else { return (0, 0) }
                let gains = StereoFold.gains(
                    azimuthDegrees: loudspeaker.azimuthDegrees, elevationDegrees: loudspeaker.elevationDegrees)
                let change = StereoFold.change(
                    azimuthDegrees: loudspeaker.azimuthDegrees, elevationDegrees: loudspeaker.elevationDegrees, choice)
                let level = loudspeaker.gain.amplitude * change
                return (Float(gains.left * level), Float(gains.right * level))
            }
        }
        return ambisonics.stereoFoldDown.map { (Float($0.left), Float($0.right)) }
    }
}

extension AmbisonicFormat {
    /// Fold-down of a field's channels, in their own order and scale.
    fileprivate var stereoFoldDown: [(left: Double, right: Double)] {
        // The harmonics are orthogonal: each coefficient is the mean of the harmonic's product with the function, over
        // the harmonic's mean square, 1/(2l + 1) in SN3D. The function has corners, so the grid is much finer than the
        // order needs.
        let grid = GaussGrid(exactTo: 90)
        var sums = [SIMD2<Double>](repeating: .zero, count: channelCount)
        for (direction, weight) in zip(grid.directions(in: Stage.self), grid.weights) {
            let gains = StereoFold.gains(
                azimuthDegrees: direction.azimuth * 180 / .pi, elevationDegrees: direction.elevation * 180 / .pi)
            let values = SphericalHarmonics.values(order: order, direction)
            for acn in 0..<channelCount { sums[acn] += weight * values[acn] * SIMD2(gains.left, gains.right) }
        }
        return (0..<channelCount).map { channel in
            let (acn, gain) = place(ofChannel: channel)
            let sum = sums[acn] * (Double(2 * SphericalHarmonics.degree(ofIndex: acn) + 1) * gain)
            return (sum.x, sum.y)
        }
    }
}

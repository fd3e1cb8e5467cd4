import Geometry
import Glibc
import Signal

/// Gains of a sound from a direction in the two channels of a stereo fold-down.
///
/// ITU-R BS.775-4, Annex 4, Table 2 sends left and right to their own channel at 1, the centre to both at 0.7071,
/// surrounds to their own side at 0.7071, and a single back surround to both at 0.5. These values hold here exactly.
/// Two rules give the gains of all other directions. They agree with the table at its loudspeakers.
///
/// 1. Level. In front at ear level (up to 60° to the side) a sound keeps its level. Further to the side the level falls
///    linearly in dB to −3 dB at 90°, and stays there. The level of a sound above or below also falls, to −3 dB at 30°
///    of elevation. The larger of the two falls applies, so sides, backs and heights are all at 0.7071.
/// 2. Pan. Between ±30° in front, and between ±150° and 180° behind, a sound is panned with constant power. In all
///    other directions it is sent to its own side. Above 60° of elevation it moves to the middle, so that a sound at
///    the zenith is in both channels at 0.5.
///
/// Rule 2 and the heights of rule 1 are a choice of this program. BS.2051 defines height loudspeakers, but no fold-down
/// for them.
package enum StereoFold {
    /// Returns the linear gains of a sound from a direction. The azimuth is −180…180 (left positive), the elevation
    /// −90…90, degrees.
    package static func gains(azimuthDegrees azimuth: Double, elevationDegrees elevation: Double)
        -> (left: Double, right: Double)
    {
        let (aside, raised) = (abs(azimuth), abs(elevation))
        let level = exp2(-0.5 * fall(azimuth, elevation))
        let front = ramp(aside, from: 0, to: 30)
        let back = 1 - ramp(aside, from: 150, to: 180)
        let pan = min(front, back) * (1 - ramp(raised, from: 60, to: 90)) * (azimuth < 0 ? -1 : 1)
        // Constant power: 1 at either end, √½ in the middle.
        let angle = (1 + pan) * .pi / 4
        return pan >= 1 ? (level, 0) : pan <= -1 ? (0, level) : (level * sin(angle), level * cos(angle))
    }

    /// Returns the factor by which `choice`, the levels of centre and surrounds, changes the gains of a sound from a
    /// direction.
    static func change(
        azimuthDegrees azimuth: Double, elevationDegrees elevation: Double, _ choice: FoldChoice
    ) -> Double {
        let usual = 0.5.squareRoot()
        let middle = choice.centre.map { $0.amplitude / usual } ?? 1
        let around = choice.surround.map { $0.amplitude / usual } ?? 1
        // Linear in dB over the angle, like the levels to the side.
        return pow(middle, max(0, 1 - abs(azimuth) / 30)) * pow(around, fall(azimuth, elevation))
    }

    /// Returns the fall of the level in a direction by rule 1: 0 for none, 1 for −3 dB.
    static func fall(_ azimuthDegrees: Double, _ elevationDegrees: Double) -> Double {
        max(ramp(abs(azimuthDegrees), from: 60, to: 90), ramp(abs(elevationDegrees), from: 0, to: 30))
    }

    /// Returns 0 up to `start`, 1 from `end` on, and linear values between.
    private static func ramp(_ x: Double, from start: Double, to end: Double) -> Double {
        max(0, min(1, (x - start) / (end - start)))
    }
}

extension Layout {
    /// The stereo fold-down as a matrix: the linear gains of each channel in left and right, in channel order. They
    /// include the loudspeaker's own gain. Not for the audio thread; takes some microseconds, for a sound field some
    /// milliseconds.
    ///
    /// Loudspeakers have the gains of `StereoFold` (ITU-R BS.775-4). LFE channels are left out, as in the
    /// recommendation. The gains are not normalised: a programme at full scale in several channels can exceed full
    /// scale.
    ///
    /// A sound field has no loudspeakers. The gains of its channels bring a plane wave from any direction closest to
    /// `StereoFold`, in least squares over the whole sphere. The match improves with the order.
    package var stereoFoldDown: [(left: Float, right: Float)] { stereoFoldDown(by: FoldChoice()) }

    /// Returns the fold-down at chosen levels. These do not apply to a sound field.
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
    /// Fold-down of a field's channels, in the channels' own order and scale.
    fileprivate var stereoFoldDown: [(left: Double, right: Double)] {
        // The harmonics are orthogonal. Each coefficient is therefore the mean of the harmonic's product with the
        // function, divided by the harmonic's mean square, 1/(2l + 1) in SN3D. The function has corners, so the grid is
        // much finer than the order requires.
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

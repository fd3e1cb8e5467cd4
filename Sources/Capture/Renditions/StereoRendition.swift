import Geometry
import Glibc

/// Stereo signal that a capture records together with its sound field.
package enum StereoRendition: String, CaseIterable, Sendable {
    /// One omnidirectional microphone, on both channels.
    case omni
    /// One cardioid to the front, on both channels.
    case cardioid
    /// One subcardioid (0.7 + 0.3·cos) to the front, on both channels.
    case subcardioid
    /// One figure of eight to the front, on both channels.
    case figure8
    /// Two cardioids at ±45°, coincident.
    case xy
    /// A cardioid to the front and a figure of eight to the left, decoded by sum and difference.
    case ms
    /// Two cardioids at ±55°, 17 cm apart as far as the array resolves the spacing.
    case ortf
    /// The two ears of an HRTF set.
    case binaural

    /// Virtual microphone of one channel.
    struct Microphone {
        /// Proportion of pressure in the pattern.
        var pressure: Double
        /// Velocity part of the pattern, x y z. The gain for a direction u is pressure + axis·u.
        var axis: SIMD3<Double>
        /// Position, m.
        var position = SIMD3<Double>()

        /// Creates a first-order pattern towards an azimuth. `metres`: distance to the left of the centre.
        init(pressure: Double, azimuthDegrees: Double = 0, left metres: Double = 0) {
            self.pressure = pressure
            let azimuth = azimuthDegrees * .pi / 180
            axis = (1 - pressure) * SIMD3(cos(azimuth), sin(azimuth), 0)
            position = SIMD3(0, metres, 0)
        }
    }

    /// Virtual microphones, left and right; nil for `binaural`.
    var microphones: [Microphone]? {
        func both(_ microphone: Microphone) -> [Microphone] { [microphone, microphone] }
        switch self {
        case .omni: return both(Microphone(pressure: 1))
        case .cardioid: return both(Microphone(pressure: 0.5))
        case .subcardioid: return both(Microphone(pressure: 0.7))
        case .figure8: return both(Microphone(pressure: 0))
        case .xy: return [45, -45].map { Microphone(pressure: 0.5, azimuthDegrees: $0) }
        case .ms:
            return [1.0, -1].map { side in
                var microphone = Microphone(pressure: 0.5)
                microphone.axis += SIMD3(0, side, 0)
                return microphone
            }
        case .ortf: return [1.0, -1].map { Microphone(pressure: 0.5, azimuthDegrees: 55 * $0, left: 0.085 * $0) }
        case .binaural: return nil
        }
    }

    /// Returns the nominal gains for a direction, left and right, linear, without regard to positions; nil for
    /// `binaural`.
    package func pattern(_ direction: Direction<Stage>) -> [Double]? {
        microphones?.map { $0.pressure + ($0.axis * direction.unit).sum() }
    }
}

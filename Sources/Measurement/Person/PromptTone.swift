import Glibc
import HRTF
import Signal

/// Short tones between takes, so that no screen is needed.
enum PromptTone {
    /// The take is good: two tones, the second a fifth higher.
    case kept
    /// The take is repeated: three low tones.
    case refused

    /// Level relative to the sweeps, amplitude.
    private static let level = 0.25
    /// Duration of a tone and of the silence after it, seconds.
    private static let (length, rest) = (0.15, 0.1)

    /// Returns the samples of the prompt for sweeps of a given amplitude.
    func samples(amplitude: Double, sampleRate: Double) -> [Float] {
        let tones = self == .kept ? [523.25, 783.99] : [220, 220, 220]
        let (count, silence) = (Int(PromptTone.length * sampleRate), Int(PromptTone.rest * sampleRate))
        return tones.flatMap { hertz in
            (0..<(count + silence)).map { i -> Float in
                guard i < count else { return 0 }
                let edge = 0.01 * sampleRate
                let shape = RaisedCosine.value(Double(i) / edge) * RaisedCosine.value(Double(count - i) / edge)
                return Float(PromptTone.level * amplitude * shape * sin(2 * .pi * hertz * Double(i) / sampleRate))
            }
        }
    }
}

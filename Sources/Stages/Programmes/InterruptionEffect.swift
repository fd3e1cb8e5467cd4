import Signal

/// Effect on the other inputs while an interrupting input is connected.
package enum InterruptionEffect: Sendable, Hashable, CustomStringConvertible {
    /// Lowers the other inputs by a gain in dB, −120…0.
    case duck(Double)
    /// Silences the other inputs. The live sound of that time is lost.
    case pause

    /// Reads `duck:-12` or `pause`; returns nil for any other text.
    package init?(_ text: String) {
        if text == "pause" {
            self = .pause
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "duck", let level = Double(parts[1]), Self.levels.contains(level) else {
            return nil
        }
        self = .duck(level)
    }

    /// Range of a ducking gain, dB.
    package static let levels = -120.0...0

    /// The effect in the syntax of the command line.
    package var description: String {
        switch self {
        case .duck(let level): "duck:\(level)"
        case .pause: "pause"
        }
    }

    /// Linear gain of the effect.
    package var gain: Float {
        switch self {
        case .duck(let level): Float(Decibels(level).amplitude)
        case .pause: 0
        }
    }
}

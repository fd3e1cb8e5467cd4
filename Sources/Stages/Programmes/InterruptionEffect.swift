import Signal

/// What an interruption does to everything else.
package enum InterruptionEffect: Sendable, Hashable, CustomStringConvertible {
    /// Lowers it by so many dB, −120…0.
    case duck(Double)
    /// Silences it. What comes in meanwhile is live and is not kept.
    case pause

    /// `duck:-12` or `pause`; nil for anything else.
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

    /// dB that a ducking may take.
    package static let levels = -120.0...0

    /// As the command line says it.
    package var description: String {
        switch self {
        case .duck(let level): "duck:\(level)"
        case .pause: "pause"
        }
    }

    /// Linear gain.
    package var gain: Float {
        switch self {
        case .duck(let level): Float(Decibels(level).amplitude)
        case .pause: 0
        }
    }
}

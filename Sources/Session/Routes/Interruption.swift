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
    var gain: Float {
        switch self {
        case .duck(let level): Float(Decibels(level).amplitude)
        case .pause: 0
        }
    }
}

/// Somebody who has the stage.
struct Interruption: Sendable, Equatable {
    /// How it is called; where an input is called so, that input keeps sounding.
    var name: String
    /// What it does to the others.
    var effect: InterruptionEffect
    /// Seconds of the session's clock at which it ends by itself; nil: never.
    var end: Double?
    /// Whether it ends when the JACK client of its name goes.
    var followsClient: Bool
    /// It ended without a resume: what it did stays until the user resumes.
    var lingers = false
}

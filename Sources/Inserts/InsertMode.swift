import Signal

/// State of an insert in its chain.
package enum InsertMode: UInt8, BitwiseCopyable, Sendable {
    /// Absent: sound passes unchanged, without delay.
    case absent
    /// Sound passes unchanged, delayed by the plugin's latency.
    case bypassed
    /// The plugin's output.
    case active

    /// Whether both are the same mode; defined here so that the audio thread may call it.
    @_noLocks package static func == (one: InsertMode, other: InsertMode) -> Bool { one.rawValue == other.rawValue }
    /// Whether they are different modes.
    @_noLocks package static func != (one: InsertMode, other: InsertMode) -> Bool { one.rawValue != other.rawValue }
}

/// States of an insert before and after a change.
struct InsertChange: BitwiseCopyable {
    let from: InsertMode
    let to: InsertMode
    /// Latency of the dry path before and after, frames.
    let fromLatency: Int
    let toLatency: Int

    /// Whether the insert is present before.
    var isOld: Bool { @_noLocks get { from != .absent } }
    /// Whether the insert is present after.
    var isNew: Bool { @_noLocks get { to != .absent } }
    /// Whether the change leaves the insert as it is.
    var isNone: Bool { @_noLocks get { from == to && fromLatency == toLatency } }
}

/// Phase of a change of chains.
enum InsertPhase: UInt8, BitwiseCopyable {
    /// New inserts run, unheard, until their output has settled.
    case priming
    /// Crossfade from the old chains to the new.
    case fading
    /// The new chains alone.
    case steady

    /// Whether both are the same phase; defined here so that the audio thread may call it.
    @_noLocks static func == (one: InsertPhase, other: InsertPhase) -> Bool { one.rawValue == other.rawValue }
    /// Whether they are different phases.
    @_noLocks static func != (one: InsertPhase, other: InsertPhase) -> Bool { one.rawValue != other.rawValue }
}

/// Crossfades of chains: out = (1 − w)·old + w·new with w = (1 − cos(πt/T))/2, T = 50 ms.
///
/// Old and new are mostly the same sound, delayed or filtered, so their gains add up to 1 and not their powers. A
/// modulation by w has no sidelobes near the tone it modulates: at a distance of 4 kHz they are 74 dB down, where a
/// linear fade, or one of 20 ms, would be audible as a tick.
package enum InsertFade {
    /// Duration of the crossfade, seconds.
    package static let seconds = 0.05
    /// Duration for which new inserts run unheard, beside their own latency, seconds.
    package static let priming = 0.02

    /// Returns w of each frame of the fade at a rate, from the first that is not 0 to the last, which is 1.
    package static func curve(sampleRate: SampleRate) -> [Float] {
        let length = max(1, Int((seconds * sampleRate.hertz).rounded()))
        return (1...length).map { Float(RaisedCosine.value($0, of: length)) }
    }
}

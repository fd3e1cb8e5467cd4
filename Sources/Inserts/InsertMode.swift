import Signal

/// State of an insert in its chain.
package enum InsertMode: UInt8, BitwiseCopyable, Sendable {
    /// The insert is absent: sound passes unchanged, without delay.
    case absent
    /// Sound passes unchanged, delayed by the plugin's latency.
    case bypassed
    /// The plugin's output is heard.
    case active

    /// Returns whether both are the same mode. The audio thread may call it.
    @_noLocks package static func == (one: InsertMode, other: InsertMode) -> Bool { one.rawValue == other.rawValue }
    /// Returns whether they are different modes.
    @_noLocks package static func != (one: InsertMode, other: InsertMode) -> Bool { one.rawValue != other.rawValue }
}

/// State of an insert before and after a change.
struct InsertChange: BitwiseCopyable {
    let from: InsertMode
    let to: InsertMode
    /// Latency of the dry path before the change, frames.
    let fromLatency: Int
    /// Latency of the dry path after the change, frames.
    let toLatency: Int

    /// Whether the insert is present before the change.
    var isOld: Bool { @_noLocks get { from != .absent } }
    /// Whether the insert is present after the change.
    var isNew: Bool { @_noLocks get { to != .absent } }
    /// Whether the change leaves the insert as it is.
    var isNone: Bool { @_noLocks get { from == to && fromLatency == toLatency } }
}

/// Phases of a change of chains.
enum InsertPhase: UInt8, BitwiseCopyable {
    /// New inserts and new delay lines run unheard for a time in which their output settles.
    case priming
    /// Crossfade from the old chains to the new ones.
    case fading
    /// Only the new chains are heard.
    case steady

    /// Returns whether both are the same phase. The audio thread may call it.
    @_noLocks static func == (one: InsertPhase, other: InsertPhase) -> Bool { one.rawValue == other.rawValue }
    /// Returns whether they are different phases.
    @_noLocks static func != (one: InsertPhase, other: InsertPhase) -> Bool { one.rawValue != other.rawValue }
}

/// Crossfade of chains: out = (1 − w)·old + w·new, with w = (1 − cos(πt/T))/2 and T = 50 ms.
///
/// Old and new are mostly the same sound, delayed or filtered. The gains therefore add up to 1, not their powers. The
/// slope of w is continuous. The sidebands of a tone therefore fall by 18 dB per octave of the frequency offset, those
/// of a linear fade by 12 dB. At offsets of more than 4 kHz from a tone of 1 kHz they are below −120 dB relative to the
/// tone; those of a linear fade reach −74 dB.
package enum InsertFade {
    /// Duration of the crossfade, seconds.
    package static let seconds = 0.05
    /// Time for which new inserts run unheard, in addition to their own latency, seconds.
    package static let priming = 0.02

    /// Returns w for each frame of the fade at a sample rate, from the first value that is not 0 to the last, which is
    /// 1.
    package static func curve(sampleRate: SampleRate) -> [Float] {
        let length = max(1, Int((seconds * sampleRate.hertz).rounded()))
        return (1...length).map { Float(RaisedCosine.value($0, of: length)) }
    }
}

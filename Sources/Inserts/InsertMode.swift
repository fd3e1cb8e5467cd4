import Signal

/// How an insert takes part in its chain.
package enum InsertMode: UInt8, BitwiseCopyable, Sendable {
    /// Not at all: sound passes as it is, at once.
    case absent
    /// Sound passes as it is, as late as the plugin would make it.
    case bypassed
    /// Sound is the plugin's.
    case active

    /// Whether both are the same mode; said here so that the audio thread can ask.
    @_noLocks package static func == (one: InsertMode, other: InsertMode) -> Bool { one.rawValue == other.rawValue }
    /// Whether they are different modes.
    @_noLocks package static func != (one: InsertMode, other: InsertMode) -> Bool { one.rawValue != other.rawValue }
}

/// How an insert takes part before a change and after it.
struct InsertChange: BitwiseCopyable {
    let from: InsertMode
    let to: InsertMode
    /// Frames by which sound past the plugin is late, before and after.
    let fromLatency: Int
    let toLatency: Int

    /// Whether the insert was there before.
    var isOld: Bool { @_noLocks get { from != .absent } }
    /// Whether the insert is there after.
    var isNew: Bool { @_noLocks get { to != .absent } }
    /// Whether the insert sounds after as it did before.
    var isNone: Bool { @_noLocks get { from == to && fromLatency == toLatency } }
}

/// Where a change of chains is.
enum InsertPhase: UInt8, BitwiseCopyable {
    /// What is new runs, unheard, until its sound stands.
    case priming
    /// The old passes into the new.
    case fading
    /// The new alone.
    case steady

    /// Whether both are the same phase; said here so that the audio thread can ask.
    @_noLocks static func == (one: InsertPhase, other: InsertPhase) -> Bool { one.rawValue == other.rawValue }
    /// Whether they are different phases.
    @_noLocks static func != (one: InsertPhase, other: InsertPhase) -> Bool { one.rawValue != other.rawValue }
}

/// The fades of chains: out = (1 − w)·old + w·new with w = (1 − cos(πt/T))/2, T = 50 ms.
///
/// Old and new are mostly the same sound, later or filtered, so their gains add up to 1 and not their powers. A
/// modulation by w has no sidelobes near the tone it modulates: 4 kHz from it they are 74 dB down, where a straight
/// line or 20 ms would be heard as a tick.
package enum InsertFade {
    /// Seconds from the old chain to the new.
    package static let seconds = 0.05
    /// Seconds for which what is new runs unheard, beside its own latency.
    package static let priming = 0.02

    /// w of each frame of the fade at a rate, from the first that is not 0 to the last, which is 1.
    package static func curve(sampleRate: SampleRate) -> [Float] {
        let length = max(1, Int((seconds * sampleRate.hertz).rounded()))
        return (1...length).map { Float(RaisedCosine.value($0, of: length)) }
    }
}

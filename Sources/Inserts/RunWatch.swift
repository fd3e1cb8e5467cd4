import CRealtime

/// Why a plugin was taken out of its chain by the audio thread.
package enum InsertFault: UInt8, BitwiseCopyable, Sendable {
    /// Nothing is wrong.
    case none
    /// It gave samples that are no numbers.
    case notANumber
    /// Its output grew beyond 60 dB over full scale.
    case runaway
    /// One run held up the audio thread for longer than `RunWatch.longestRun`.
    case stalled
    /// Run after run took longer than the sound they made.
    case overrun
    /// Its process ended or does not answer.
    case gone
    /// It wrote over memory that its process shares with this one.
    case trespassed

    /// Whether both are the same; said here so that the audio thread can ask.
    @_noLocks package static func == (one: InsertFault, other: InsertFault) -> Bool { one.rawValue == other.rawValue }
    /// Whether they are different.
    @_noLocks package static func != (one: InsertFault, other: InsertFault) -> Bool { one.rawValue != other.rawValue }
}

/// What an insert costs and does, as the audio thread saw it.
package struct InsertMeter: BitwiseCopyable, Sendable {
    /// Runs since it was made.
    package var runs = 0
    /// Frames of all runs.
    package var frames = 0
    /// Nanoseconds of all runs.
    package var nanoseconds = 0
    /// Longest run, nanoseconds.
    package var longest = 0
    /// Runs that took longer than the sound they made.
    package var overruns = 0
    /// Why it was taken out; `.none`: it is in.
    package var fault = InsertFault.none
    /// Runs by their duration: bin n holds those of 2^(n/4 + 5) ns and more, up to the next.
    var durations = InlineArray<64, UInt32>(repeating: 0)

    /// Nanoseconds that a share 0…1 of the runs kept to; 0 before the first run.
    package func quantile(_ share: Double) -> Double {
        var left = Double(runs) * share
        for bin in 0..<64 {
            left -= Double(durations[bin])
            if left <= 0 && durations[bin] > 0 { return prc_exp(Double(bin + 1) / 4 * 0.693147180559945) * 32 }
        }
        return Double(longest)
    }

    /// Notes one run.
    @_noLocks
    mutating func note(nanoseconds spent: Int, frames count: Int, isLate: Bool) {
        runs += 1
        if isLate { overruns += 1 }
        frames += count
        nanoseconds += spent
        longest = max(longest, spent)
        let value = UInt64(max(32, spent))
        let octave = 63 - value.leadingZeroBitCount
        let quarter = Int((value >> UInt64(octave - 2)) & 3)
        durations[min(63, (octave - 5) * 4 + quarter)] &+= 1
    }
}

/// Decides when a plugin has held up the audio thread too long to stay.
///
/// One slow run is nothing: on a busy machine any of them may be interrupted for some tens of milliseconds, whosesoever
/// fault that is. A run of `longestRun` is a plugin that waits, and when more than half of the last 64 runs were too
/// slow, it does not fit the slice.
struct RunWatch: BitwiseCopyable {
    /// Nanoseconds of a run that takes a plugin out at once.
    static var longestRun: Int { @_noLocks get { 200_000_000 } }
    /// The last 64 runs, newest lowest: 1 where one took longer than its sound.
    private var late: UInt64 = 0

    /// Looks at a run, which is late where it took longer than the sound it made.
    @_noLocks
    mutating func fault(nanoseconds: Int, isLate: Bool) -> InsertFault {
        if nanoseconds > RunWatch.longestRun { return .stalled }
        late = late << 1 | (isLate ? 1 : 0)
        return late.nonzeroBitCount > 32 ? .overrun : .none
    }
}

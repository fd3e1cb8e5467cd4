/// Why the audio thread took a plugin out of its chain.
package enum InsertFault: UInt8, BitwiseCopyable, Sendable {
    /// No fault.
    case none
    /// Its output had samples that were infinite or NaN.
    case notANumber
    /// Its output grew beyond 60 dB over full scale.
    case runaway
    /// One run delayed the audio thread by more than `RunWatch.longestRun`.
    case stalled
    /// More than half of the last 64 runs took longer than the sound they made.
    case overrun
    /// Its process ended or does not answer.
    case gone
    /// It wrote over memory that its process shares with this one.
    case trespassed

    /// Whether both are the same; defined here so that the audio thread may call it.
    @_noLocks package static func == (one: InsertFault, other: InsertFault) -> Bool { one.rawValue == other.rawValue }
    /// Whether they are different.
    @_noLocks package static func != (one: InsertFault, other: InsertFault) -> Bool { one.rawValue != other.rawValue }
}

/// Cost and faults of an insert, measured on the audio thread.
package struct InsertMeter: BitwiseCopyable, Sendable {
    /// Number of runs since it was made.
    package var runs = 0
    /// Frames of all runs.
    package var frames = 0
    /// Nanoseconds of all runs.
    package var nanoseconds = 0
    /// Longest run, nanoseconds.
    package var longest = 0
    /// Runs that took longer than the sound they made.
    package var overruns = 0
    /// Fault for which it was taken out; `.none` while it is in.
    package var fault = InsertFault.none
    /// Number of runs by duration: bin n has those from 2^(5 + ⌊n/4⌋)·(1 + (n mod 4)/4) ns up to the next bin,
    /// the last one all longer runs.
    var durations = InlineArray<64, UInt32>(repeating: 0)

    /// Returns the duration, ns, that a share 0…1 of the runs did not exceed, from the histogram; 0 before the first
    /// run.
    package func quantile(_ share: Double) -> Double {
        var left = Double(runs) * share
        for bin in 0..<64 {
            left -= Double(durations[bin])
            if left <= 0 && durations[bin] > 0 {
                // The end of the bin; the last one has all longer runs.
                return bin == 63 ? Double(longest) : Double(1 << (5 + (bin + 1) / 4)) * (1 + Double((bin + 1) % 4) / 4)
            }
        }
        return Double(longest)
    }

    /// Records one run.
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

/// Decides when a plugin has delayed the audio thread too long to stay.
///
/// One slow run is tolerated: on a busy machine any run may be interrupted for some tens of milliseconds, whatever the
/// cause. A run of `longestRun` means that the plugin waits. When more than half of the last 64 runs were too slow, the
/// plugin does not fit the slice.
struct RunWatch: BitwiseCopyable {
    /// Duration of a run that takes a plugin out at once, nanoseconds.
    static var longestRun: Int { @_noLocks get { 200_000_000 } }
    /// The last 64 runs, newest lowest: 1 where one took longer than its sound.
    private var late: UInt64 = 0

    /// Records a run, late where it took longer than the sound it made, and returns the fault.
    @_noLocks
    mutating func fault(nanoseconds: Int, isLate: Bool) -> InsertFault {
        if nanoseconds > RunWatch.longestRun { return .stalled }
        late = late << 1 | (isLate ? 1 : 0)
        return late.nonzeroBitCount > 32 ? .overrun : .none
    }
}

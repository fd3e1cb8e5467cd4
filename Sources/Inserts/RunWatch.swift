/// Reason why the audio thread removed a plugin from its chain.
package enum InsertFault: UInt8, BitwiseCopyable, Sendable {
    /// No fault.
    case none
    /// The plugin's output had samples that were infinite or NaN.
    case notANumber
    /// The plugin's output rose to more than 60 dB above full scale.
    case runaway
    /// One run delayed the audio thread by more than `RunWatch.longestRun`.
    case stalled
    /// More than half of the last 64 runs took longer than the duration of their sound.
    case overrun
    /// The plugin's process ended or does not answer.
    case gone
    /// The plugin wrote impossible values into the memory that its process shares with this one.
    case trespassed

    /// Returns whether both are the same fault. The audio thread may call it.
    @_noLocks package static func == (one: InsertFault, other: InsertFault) -> Bool { one.rawValue == other.rawValue }
    /// Returns whether they are different faults.
    @_noLocks package static func != (one: InsertFault, other: InsertFault) -> Bool { one.rawValue != other.rawValue }
}

/// Cost and faults of an insert, measured on the audio thread.
package struct InsertMeter: BitwiseCopyable, Sendable {
    /// Number of runs since the insert was made.
    package var runs = 0
    /// Frames of all runs.
    package var frames = 0
    /// Nanoseconds of all runs.
    package var nanoseconds = 0
    /// Duration of the longest run, nanoseconds.
    package var longest = 0
    /// Number of runs that took longer than the duration of their sound.
    package var overruns = 0
    /// Fault for which the plugin was removed; `.none` while it is in its chain.
    package var fault = InsertFault.none
    /// `[bin]`: number of runs by duration. Bin n has the durations from 2^(5 + ⌊n/4⌋)·(1 + (n mod 4)/4) ns up to the
    /// beginning of the next bin. Bin 0 also has all shorter runs, the last bin all longer ones.
    var durations = InlineArray<64, UInt32>(repeating: 0)

    /// Returns a duration, ns, that a share 0…1 of the runs did not exceed: the end of a bin of the histogram, or the
    /// longest run; 0 before the first run.
    package func quantile(_ share: Double) -> Double {
        var left = Double(runs) * share
        for bin in 0..<64 {
            left -= Double(durations[bin])
            if left <= 0 && durations[bin] > 0 {
                // The end of the bin. The last bin has all longer runs.
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

/// Decides when a plugin has delayed the audio thread for too long and has to be removed.
///
/// One slow run is tolerated, because on a busy machine any run may be interrupted for some tens of milliseconds. A run
/// longer than `longestRun` means that the plugin waits for something. If more than half of the last 64 runs were too
/// slow, the plugin needs more time than is available.
struct RunWatch: BitwiseCopyable {
    /// Duration of a run after which a plugin is removed immediately, nanoseconds.
    static var longestRun: Int { @_noLocks get { 200_000_000 } }
    /// The last 64 runs, the newest in the lowest bit. A bit is 1 if the run took longer than the duration of its
    /// sound.
    private var late: UInt64 = 0

    /// Records a run and returns the fault. `isLate`: whether the run took longer than the duration of its sound.
    @_noLocks
    mutating func fault(nanoseconds: Int, isLate: Bool) -> InsertFault {
        if nanoseconds > RunWatch.longestRun { return .stalled }
        late = late << 1 | (isLate ? 1 : 0)
        return late.nonzeroBitCount > 32 ? .overrun : .none
    }
}

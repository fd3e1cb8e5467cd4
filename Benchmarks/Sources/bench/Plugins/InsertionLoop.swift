import CAllocations
import CRealtime
import Dispatch
import Foundation
import Synchronization

/// Phase of the chain, set by the controlling thread.
enum InsertionState: UInt8, CaseIterable {
    /// One plugin sounds.
    case one
    /// Two plugins sound.
    case two
    /// The second plugin is being inserted or removed: priming, fading, or being handed back.
    case changing
}

/// An audio thread that processes a chain once per period and records the duration of each slice.
///
/// Invariant (why `@unchecked Sendable` holds): from `start` to the end of `stop` only the thread uses the contender,
/// its output and the recorded times; the state and the request to end are atomic.
final class InsertionLoop: @unchecked Sendable {
    private let chain: ChainContender
    private let seconds: Double
    private let output: Output
    private let clock: Clock
    private let state = Atomic<UInt8>(InsertionState.one.rawValue)
    private let isEnding = Atomic<Bool>(false)
    private let isDone = DispatchSemaphore(value: 0)
    /// Durations, nanoseconds, `[slice]`.
    private var times: [Double]
    private var states: [UInt8]
    private var count = 0
    private(set) var allocations: UInt64 = 0
    private(set) var isRealTime = false

    init(_ chain: ChainContender, _ work: PluginWork, longest: Double, clock: Clock) {
        self.chain = chain
        self.clock = clock
        seconds = work.seconds
        output = Output(rows: work.channels, frames: work.slice)
        times = .init(repeating: 0, count: Int(longest / seconds))
        states = .init(repeating: 0, count: times.count)
    }

    func start() {
        Thread.detachNewThread { [self] in
            prc_flush_denormals()
            isRealTime = Paced.run(every: seconds) { index in
                guard !isEnding.load(ordering: .acquiring), index < times.count else { return false }
                states[index] = state.load(ordering: .acquiring)
                let known = bench_allocations()
                let start = prc_cycles()
                chain.step(index, into: output)
                times[index] = clock.nanoseconds(prc_cycles() - start)
                allocations += bench_allocations() - known
                count = index + 1
                return true
            }
            isDone.signal()
        }
    }

    func enter(_ new: InsertionState) { state.store(new.rawValue, ordering: .releasing) }

    func stop() {
        isEnding.store(true, ordering: .releasing)
        isDone.wait()
    }

    /// Returns the durations of the slices in a state, nanoseconds.
    func times(during wanted: InsertionState) -> [Double] {
        (0..<count).filter { states[$0] == wanted.rawValue }.map { times[$0] }
    }
}

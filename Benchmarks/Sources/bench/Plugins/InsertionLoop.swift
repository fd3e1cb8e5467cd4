import CAllocations
import CRealtime
import Dispatch
import Foundation
import Synchronization

/// What the chain is doing, as the thread that controls it knows.
enum InsertionState: UInt8, CaseIterable {
    /// One plugin sounds.
    case one
    /// Two do.
    case two
    /// The second is on its way in or out: priming, fading, being handed back.
    case changing
}

/// An audio thread that passes a chain once a period and notes how long each slice took.
///
/// Invariant (why `@unchecked Sendable` holds): the contender's steps, its output and the notes are the thread's from `start`
/// to the end of `stop`; the state and the request to end are atomic.
final class InsertionLoop: @unchecked Sendable {
    private let chain: ChainContender
    private let seconds: Double
    private let output: Output
    private let clock: Clock
    private let state = Atomic<UInt8>(InsertionState.one.rawValue)
    private let isEnding = Atomic<Bool>(false)
    private let isDone = DispatchSemaphore(value: 0)
    /// `[slice]`.
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

    /// Nanoseconds of the slices during a state.
    func times(during wanted: InsertionState) -> [Double] {
        (0..<count).filter { states[$0] == wanted.rawValue }.map { times[$0] }
    }
}

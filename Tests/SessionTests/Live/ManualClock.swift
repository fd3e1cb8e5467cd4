import Desk
import Synchronization

@testable import Session

/// A session's clock that stands until the test advances it. When `advance` returns, all work due by then is done.
final class ManualClock: SessionClock {
    private struct Due: Sendable {
        var at: Double
        var interval: Double
        var work: @Sendable () async -> Int
    }

    private struct State {
        var now = 0.0
        var count = 0
        var beats: [Int: Due] = [:]
        var sleepers: [Int: (until: Double, waking: CheckedContinuation<Void, Never>)] = [:]
    }
    private let state = Mutex(State())

    var now: Double { state.withLock { $0.now } }

    func beat(every seconds: Double, _ work: @escaping @Sendable () async -> Int) -> SessionBeat {
        let number = state.withLock { state in
            state.count += 1
            state.beats[state.count] = Due(at: state.now, interval: seconds, work: work)
            return state.count
        }
        return SessionBeat { [weak self] in self?.state.withLock { _ = $0.beats.removeValue(forKey: number) } }
    }

    func pause(_ seconds: Double) async {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waking in
                let isOver = state.withLock { state in
                    guard !Task.isCancelled else { return true }
                    state.sleepers[number] = (state.now + seconds, waking)
                    return false
                }
                if isOver { waking.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.waking.resume()
        }
    }

    /// Advances the clock by `seconds`, beat by beat.
    func advance(by seconds: Double) async {
        let end = now + seconds
        while let work = next(before: end) { _ = await work() }
        state.withLock { $0.now = end }
        wake()
    }

    /// Number of tasks that sleep.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Returns the work of the beat that is due first, at `end` at the latest; nil if none is due.
    private func next(before end: Double) -> (@Sendable () async -> Int)? {
        let work = state.withLock { state -> (@Sendable () async -> Int)? in
            guard let (number, due) = state.beats.min(by: { $0.value.at < $1.value.at }), due.at <= end + 1e-9 else {
                return nil
            }
            state.now = max(state.now, due.at)
            state.beats[number]?.at += due.interval
            return due.work
        }
        wake()
        return work
    }

    private func wake() {
        let woken = state.withLock { state in
            let due = state.sleepers.filter { $0.value.until <= state.now + 1e-9 }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.waking)
        }
        for sleeper in woken { sleeper.resume() }
    }
}

import Synchronization

/// The clients that are sent the state of the session unasked: control surfaces that said `/proscenium/watch`, for
/// `patience` each time.
///
/// What happens they are sent when it happens, at any rate: `/proscenium/event ss`, see `ControlMessages`. Beside
/// that, each gets `/proscenium/pose fff` (yaw, pitch, roll in degrees) and `/proscenium/state s` (JSON, as `ctl status
/// --json`). Any thread.
package final class Watchers: Sendable {
    /// How long one request lasts, unless told otherwise; a client that goes on listening asks again.
    package static let patience: Duration = .seconds(30)
    /// Times per second that can be asked for: at least once while a request lasts.
    static let rates = 0.05...100
    /// The most there may be at a time: sending is cheap, but strangers must not make it dear.
    static let capacity = 32

    private struct Watcher {
        var interval: Duration
        var next: ContinuousClock.Instant
        var end: ContinuousClock.Instant
    }

    private let watchers = Mutex<[ControlSender: Watcher]>([:])
    private let patience: Duration

    /// An empty list.
    ///
    /// - Parameter patience: how long one request lasts.
    init(patience: Duration = Watchers.patience) { self.patience = patience }

    /// Puts a listener on the list, or takes it off where `rate` (times per second, in `rates`) is 0. False: the list
    /// is full.
    func set(_ address: ControlSender, rate: Double, at now: ContinuousClock.Instant) -> Bool {
        watchers.withLock { watchers in
            guard rate > 0 else {
                watchers[address] = nil
                return true
            }
            watchers = watchers.filter { $0.value.end > now }
            guard watchers[address] != nil || watchers.count < Self.capacity else { return false }
            watchers[address] = Watcher(
                interval: .seconds(1 / max(rate, Self.rates.lowerBound)), next: now, end: now + patience)
            return true
        }
    }

    /// The clients on the list.
    func all(at now: ContinuousClock.Instant) -> [ControlSender] {
        watchers.withLock { $0.filter { $0.value.end > now }.map(\.key) }
    }

    /// Seconds to the next turn; nil where the list is empty.
    func sleep(until now: ContinuousClock.Instant) -> Double? {
        watchers.withLock { $0.values.map { max(0, (($0.next - now) / .seconds(1))) }.min() }
    }

    /// Whose turn it is; forgets those whose time is over.
    func due(at now: ContinuousClock.Instant) -> [ControlSender] {
        watchers.withLock { watchers in
            watchers = watchers.filter { $0.value.end > now }
            var due: [ControlSender] = []
            for (address, watcher) in watchers where watcher.next <= now {
                due.append(address)
                // Where sending fell behind, the missed turns are left out.
                watchers[address]?.next = now + watcher.interval
            }
            return due
        }
    }
}

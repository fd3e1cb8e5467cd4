import Synchronization

/// Clients that receive the state of the session periodically: control surfaces that sent `/proscenium/watch`, for
/// `patience` after each request.
///
/// They receive events at once, independent of the rate: `/proscenium/event ss`, see `ControlMessages`. At the rate,
/// each receives `/proscenium/pose fff` (yaw, pitch, roll in degrees) and `/proscenium/state s` (JSON, as `ctl status
/// --json`). Any thread.
package final class Watchers: Sendable {
    /// Time that one request lasts by default; a client repeats it to go on.
    package static let patience: Duration = .seconds(30)
    /// Permitted rates, 1/s: at least one message within the time of a request.
    static let rates = 0.05...100
    /// Most clients at a time, which bounds the cost of sending.
    static let capacity = 32

    private struct Watcher {
        var interval: Duration
        var next: ContinuousClock.Instant
        var end: ContinuousClock.Instant
    }

    private let watchers = Mutex<[ControlSender: Watcher]>([:])
    private let patience: Duration

    /// Makes an empty list.
    ///
    /// - Parameter patience: time that one request lasts.
    init(patience: Duration = Watchers.patience) { self.patience = patience }

    /// Adds a client, or removes it where `rate` (per second, in `rates`) is 0. False: the list is full.
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

    /// Returns the clients on the list.
    func all(at now: ContinuousClock.Instant) -> [ControlSender] {
        watchers.withLock { $0.filter { $0.value.end > now }.map(\.key) }
    }

    /// Returns the seconds to the next message; nil where the list is empty.
    func sleep(until now: ContinuousClock.Instant) -> Double? {
        watchers.withLock { $0.values.map { max(0, (($0.next - now) / .seconds(1))) }.min() }
    }

    /// Returns the clients that are due, and removes those whose time is over.
    func due(at now: ContinuousClock.Instant) -> [ControlSender] {
        watchers.withLock { watchers in
            watchers = watchers.filter { $0.value.end > now }
            var due: [ControlSender] = []
            for (address, watcher) in watchers where watcher.next <= now {
                due.append(address)
                // Where sending fell behind, the missed messages are skipped.
                watchers[address]?.next = now + watcher.interval
            }
            return due
        }
    }
}

import Desk
import OSC
import Synchronization

/// Clients that receive the state of a session, or the levels of a capture, periodically. Each `/proscenium/watch` from
/// a client is valid for `patience`.
///
/// They receive events immediately, independent of the rate, as `/proscenium/event ss`; see `ControlMessages`. At the
/// requested rate, each client of a session receives `/proscenium/pose fff` (yaw, pitch, roll in degrees) and
/// `/proscenium/state s` (JSON, as `ctl status --json`); for a capture see `CaptureMessages`. All functions may be
/// called on any thread.
package final class Watchers: Sendable {
    /// Default duration of one request. A client must repeat it to continue.
    package static let patience: Duration = .seconds(30)
    /// Permitted rates, 1/s. The lowest one still gives a message within `patience`.
    static let rates = 0.05...100
    /// Greatest number of clients at a time, which limits the cost of sending.
    static let capacity = 32

    private struct Watcher {
        var interval: Duration
        var next: ContinuousClock.Instant
        var end: ContinuousClock.Instant
    }

    private let watchers = Mutex<[ControlSender: Watcher]>([:])
    private let patience: Duration

    /// Creates an empty list.
    ///
    /// - Parameter patience: duration of one request.
    init(patience: Duration = Watchers.patience) { self.patience = patience }

    /// Returns the rate that `/proscenium/watch` requests, messages per second; 0 ends the messages. Returns nil for
    /// malformed arguments and for a rate outside `rates`.
    static func rate(in message: OSCMessage) -> Double? {
        guard let numbers = message.numbers, numbers.count == 1 else { return nil }
        return numbers[0] == 0 || rates.contains(numbers[0]) ? numbers[0] : nil
    }

    /// Carries out `/proscenium/watch`; returns its reply.
    func answer(to message: OSCMessage, from sender: ControlSender) -> SessionReply {
        guard let rate = Self.rate(in: message) else {
            return .refused(ControlWire.unusable(message.address).reason)
        }
        return set(sender, rate: rate, at: .now) ? .done : .refused("\(Self.capacity) listeners watch already")
    }

    /// Adds a client with a rate (1/s, within `rates`), or removes it if `rate` is 0. Returns false if the list is
    /// full.
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

    /// Returns the clients whose time is not over.
    func all(at now: ContinuousClock.Instant) -> [ControlSender] {
        watchers.withLock { $0.filter { $0.value.end > now }.map(\.key) }
    }

    /// Returns the time to the next message, seconds; nil if the list is empty.
    func sleep(until now: ContinuousClock.Instant) -> Double? {
        watchers.withLock { $0.values.map { max(0, (($0.next - now) / .seconds(1))) }.min() }
    }

    /// Returns the clients for which a message is due, and removes those whose time is over.
    func due(at now: ContinuousClock.Instant) -> [ControlSender] {
        watchers.withLock { watchers in
            watchers = watchers.filter { $0.value.end > now }
            var due: [ControlSender] = []
            for (address, watcher) in watchers where watcher.next <= now {
                due.append(address)
                // If sending is late, the missed messages are skipped.
                watchers[address]?.next = now + watcher.interval
            }
            return due
        }
    }
}

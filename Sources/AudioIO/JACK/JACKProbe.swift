import CJACK
import Foundation
import Signal
import Synchronization

/// Asks whether a server answers, by a client that is opened and closed on a thread of its own: a server that stands
/// still keeps that thread waiting, and no other.
final class JACKProbe: Sendable {
    /// What came of it.
    enum Answer: UInt8, AtomicRepresentable {
        /// Nothing yet: the server, or the whole machine, stands still.
        case none
        /// The server opened a client.
        case answered
        /// There is no server.
        case noServer
    }

    private let found = Atomic<Answer>(.none)

    /// Begins to ask; `name`: of the client to be opened. Nil where there is no thread for it.
    init?(name: String) {
        let ask: @Sendable () -> Void = { [self] in
            var status = jack_status_t(rawValue: 0)
            guard let client = cjack_client_open(name, JackNoStartServer, &status) else {
                return found.store(.noServer, ordering: .releasing)
            }
            found.store(.answered, ordering: .releasing)
            jack_client_close(client)
        }
        do throws(WorkerError) { try Worker.detach("jack probe", ask) } catch { return nil }
    }

    /// What is known by now. Any thread.
    var answer: Answer { found.load(ordering: .acquiring) }
}

/// Tells a client that has died from one whose server, or machine, stands still: the heart only asks, and a probe
/// answers. One thread at a time.
struct JACKHeart {
    /// Name of the client that asks.
    private let name: String
    private var lastCycle = 0
    private var lastBeat: Double
    private var probe: JACKProbe?
    /// When the probe was answered.
    private var answeredAt: Double?

    /// A heart that has just beaten; `now` in seconds.
    init(name: String, now: Double) {
        self.name = name
        lastBeat = now
    }

    /// Hears how many cycles there were by now. Why the client is lost; nil while it is not. `patience`: seconds
    /// without a cycle after which a client asks, and after a server's answer once more.
    mutating func beat(cycles: Int, isFreewheeling: Bool, patience: Double, now: Double) -> String? {
        if cycles != lastCycle || isFreewheeling {
            (lastCycle, lastBeat, probe, answeredAt) = (cycles, now, nil, nil)
            return nil
        }
        guard now - lastBeat > patience else { return nil }
        guard let probe else {
            // Without one the next beat tries again.
            probe = JACKProbe(name: name)
            return nil
        }
        let seconds = String(format: "%.1f", now - lastBeat)
        switch probe.answer {
        case .none: return nil
        case .noServer: return "no cycle for \(seconds) s, and no server answers"
        case .answered:
            let since = answeredAt ?? now
            answeredAt = since
            return now - since > patience ? "no cycle for \(seconds) s, though the server answers" : nil
        }
    }
}

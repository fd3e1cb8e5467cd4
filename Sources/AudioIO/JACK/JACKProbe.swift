import CJACK
import Foundation
import Signal
import Synchronization

/// Checks whether a server answers, by opening and closing a client on its own thread. A server that hangs blocks only
/// that thread.
final class JACKProbe: Sendable {
    /// Result of the check.
    enum Answer: UInt8, AtomicRepresentable {
        /// No result yet: the server, or the whole machine, hangs.
        case none
        /// The server opened a client.
        case answered
        /// The client could not be opened; in general no server runs.
        case noServer
    }

    private let found = Atomic<Answer>(.none)

    /// Starts the check. `name` is the name of the client to open. Returns nil if the system provides no thread.
    init?(name: String) {
        let ask: @Sendable () -> Void = { [self] in
            var status = jack_status_t(rawValue: 0)
            guard let client = cjack_client_open(name, JackNoStartServer, &status) else {
                return found.store(.noServer, ordering: .releasing)
            }
            found.store(.answered, ordering: .releasing)
            JACKRequest.close(client)
        }
        do throws(WorkerError) { try Worker.detach("jack probe", ask) } catch { return nil }
    }

    /// Result so far. May be read on any thread.
    var answer: Answer { found.load(ordering: .acquiring) }
}

/// Distinguishes the death of a client from a hang of the server or of the machine. If cycles stop, a probe is started,
/// and its answer decides. May be used by one thread at a time.
struct JACKHeart {
    /// Name of the probe's client.
    private let name: String
    private var lastCycle = 0
    private var lastBeat: Double
    private var probe: JACKProbe?
    /// Time at which the probe's positive answer was seen, seconds; nil without such an answer.
    private var answeredAt: Double?

    /// Starts as if a cycle had just run. `now` is the present time, seconds.
    init(name: String, now: Double) {
        self.name = name
        lastBeat = now
    }

    /// Registers the number of cycles so far. Returns the reason why the client is lost; nil while it runs or the probe
    /// has not decided. `patience` is the time without a cycle, seconds, after which a probe starts. The client is lost
    /// if no cycle runs for the same time after the probe's positive answer.
    mutating func beat(cycles: Int, isFreewheeling: Bool, patience: Double, now: Double) -> String? {
        if cycles != lastCycle || isFreewheeling {
            (lastCycle, lastBeat, probe, answeredAt) = (cycles, now, nil, nil)
            return nil
        }
        guard now - lastBeat > patience else { return nil }
        guard let probe else {
            // If the system provides no thread for the probe, the next call tries again.
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

import CJACK
import CRealtime
import Glibc

/// Activation of a client on a busy server.
///
/// jackd refuses an activation if it could not add the client to its graph of clients in time, as when a dozen clients
/// start together. A later attempt succeeds. The attempt is therefore repeated for some seconds.
enum JACKActivation {
    /// Time after which a refusal is final, seconds.
    static let patience = 5.0

    /// Activates a client. Returns false if the server refuses for `patience` seconds, or if `isGone` returns true.
    static func activate(_ client: OpaquePointer, unless isGone: () -> Bool = { false }) -> Bool {
        attempt(
            now: { Double(prc_monotonic_nanoseconds()) * 1e-9 }, rest: { usleep(UInt32($0 * 1e6)) }, isGone: isGone,
            activate: { JACKRequest.activate(client) == 0 },
            // libjack counts a refused client as active. Without a deactivation it would report a false success at the
            // next attempt.
            undo: { JACKRequest.deactivate(client) })
    }

    /// Repeats the attempt with pauses that double from 50 ms to 800 ms.
    static func attempt(
        now: () -> Double, rest: (Double) -> Void, isGone: () -> Bool, activate: () -> Bool, undo: () -> Void
    ) -> Bool {
        let end = now() + patience
        var pause = 0.05
        while !activate() {
            undo()
            guard now() + pause < end, !isGone() else { return false }
            rest(pause)
            pause = min(0.8, 2 * pause)
        }
        return true
    }
}

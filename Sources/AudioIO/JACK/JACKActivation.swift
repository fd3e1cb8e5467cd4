import CJACK
import CRealtime
import Glibc

/// Activating a client of a server that has much to do.
///
/// jackd refuses where its graph did not take the new client up in time, as when a dozen clients start at once. The
/// same is granted a moment later: it is asked again for some seconds.
enum JACKActivation {
    /// Seconds after which a refusal stands.
    static let patience = 5.0

    /// Activates a client; false where the server refuses for `patience` seconds, or `isGone` says that it is no more.
    static func activate(_ client: OpaquePointer, unless isGone: () -> Bool = { false }) -> Bool {
        attempt(
            now: { Double(prc_monotonic_nanoseconds()) * 1e-9 }, rest: { usleep(UInt32($0 * 1e6)) }, isGone: isGone,
            activate: { jack_activate(client) == 0 },
            // libjack holds a client whose activation was refused for active, and would grant the next one unasked.
            undo: { jack_deactivate(client) })
    }

    /// Tries until it is granted, with rests that double from 50 ms to 800 ms.
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

import CJACK
import Dispatch
import Signal

/// A client that is no longer used, and the memory its audio thread used: the thread that closes takes both over.
struct JACKRemains<Context: ~Copyable>: Sendable {
    let client: JACKHandle
    let context: ThreadOwned<Context>?

    /// Closes the client on a thread that may be abandoned, and frees the memory once libjack is done with it; whether
    /// that was so within so many seconds. Without a thread all of it is left to the process's end: the server may
    /// hang.
    func close(within seconds: Double) -> Bool {
        let done = DispatchSemaphore(value: 0)
        do throws(WorkerError) {
            try Worker.detach("jack close") {
                jack_client_close(client.pointer)
                context?.deallocate()
                done.signal()
            }
        } catch { return false }
        return done.wait(timeout: .now() + seconds) == .success
    }
}

import CJACK
import Dispatch
import Signal

/// An unused client and its audio thread's memory, which are passed to the thread that closes the client.
struct JACKRemains<Context: ~Copyable>: Sendable {
    let client: JACKHandle
    let context: ThreadOwned<Context>?

    /// Closes the client on a thread that may be abandoned, and then frees the memory. Returns false after the timeout,
    /// because the server may hang. Also returns false if no thread can be started; the client and the memory are then
    /// kept until the process ends.
    func close(within seconds: Double) -> Bool {
        let done = DispatchSemaphore(value: 0)
        do throws(WorkerError) {
            try Worker.detach("jack close") {
                JACKRequest.close(client.pointer)
                context?.deallocate()
                done.signal()
            }
        } catch { return false }
        return done.wait(timeout: .now() + seconds) == .success
    }
}

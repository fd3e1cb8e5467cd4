import CJACK
import Foundation

/// Closing a client on a thread that may be abandoned: libjack can hang in `jack_client_close` when its server died.
///
/// `@unchecked Sendable`: constants, and a semaphore.
final class JACKClosing: @unchecked Sendable {
    private let client: OpaquePointer
    private let context: UnsafeMutablePointer<JACKContext>?
    private let isAlive: Bool
    private let done = DispatchSemaphore(value: 0)

    init(client: OpaquePointer, context: UnsafeMutablePointer<JACKContext>?, isAlive: Bool) {
        self.client = client
        self.context = context
        self.isAlive = isAlive
    }

    /// Whether it closed within so many seconds.
    func closeOnThread(within seconds: Double) -> Bool {
        let thread = Thread { [self] in
            if let context, isAlive {
                for i in 0..<context.pointee.inputCount {
                    JACKMetadata.forget(context.pointee.inputPorts[i], of: client)
                }
                for ear in 0..<2 { JACKMetadata.forget(context.pointee.outputPorts[ear], of: client) }
                JACKMetadata.forgetState(of: client)
                jack_deactivate(client)
            }
            jack_client_close(client)
            done.signal()
        }
        thread.name = "jack close"
        thread.start()
        return done.wait(timeout: .now() + seconds) == .success
    }
}

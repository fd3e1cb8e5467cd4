import CJACK
import Foundation
import Signal
import Synchronization

/// Closes a client, with its relays, on a thread that may be abandoned, because any call to libjack can hang after the
/// server's death.
final class JACKClosing: Sendable {
    private let handle: JACKHandle
    private var client: OpaquePointer { handle.pointer }
    private let context: ThreadOwned<JACKContext>?
    private let relays: [JACKRelay]
    private let supervisor: JACKSupervisor?
    private let questions: JACKQuestions
    private let done = DispatchSemaphore(value: 0)

    /// Prepares the closing of a client to which no further calls are made, and whose supervisor is stopping.
    init(
        client: JACKHandle, context: ThreadOwned<JACKContext>?, relays: [JACKRelay],
        supervisor: JACKSupervisor?, questions: JACKQuestions
    ) {
        handle = client
        self.context = context
        self.relays = relays
        self.supervisor = supervisor
        self.questions = questions
    }

    /// Closes the client. Returns false after the timeout, or if the system provides no thread. All memory is then kept
    /// until the process ends.
    func closeOnThread(within seconds: Double) -> Bool {
        let work: @Sendable () -> Void = { [self] in
            // Calls in progress use the client until they return.
            supervisor?.waitForEnd()
            while !questions.areAnswered { usleep(1000) }
            if let context, supervisor?.hasLostServer != true {
                // The ports no longer change, so the lock need not be held during the requests to the server.
                let ports = context.pointee.withPorts { ports in
                    (0..<ports.inputCount).map { (ports.inputs[$0], ports.places[$0].relay?.pointee.client) }
                        + (ports.printPorts + context.pointee.monitorPorts.all).map { ($0, nil) }
                }
                for (port, owner) in ports { JACKMetadata.forget(port, of: owner ?? client) }
                for ear in 0..<2 { JACKMetadata.forget(context.pointee.outputPorts[ear], of: client) }
                if let events = context.pointee.events {
                    JACKMetadata.forget(events.input, of: client)
                    JACKMetadata.forget(events.output, of: client)
                }
                JACKMetadata.forgetState(of: client)
                JACKRequest.deactivate(client)
            }
            // The relays' callbacks use the stage's context, so relays are closed first.
            for relay in relays { JACKRequest.close(relay.client) }
            JACKRequest.close(client)
            done.signal()
        }
        do throws(WorkerError) { try Worker.detach("jack close", work) } catch { return false }
        return done.wait(timeout: .now() + seconds) == .success
    }
}

/// Counter of the calls to libjack that are in progress, so that none of them uses a client that is being closed. May
/// be used on any thread.
final class JACKQuestions: Sendable {
    private let count = Atomic<Int>(0)

    /// Registers the start of a call.
    func begin() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// Registers the end of a call.
    func end() { count.wrappingSubtract(1, ordering: .acquiringAndReleasing) }

    /// Whether no call is in progress.
    var areAnswered: Bool { count.load(ordering: .acquiring) == 0 }
}

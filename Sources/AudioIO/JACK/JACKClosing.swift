import CJACK
import Foundation
import Signal
import Synchronization

/// Closing a client on a thread that may be abandoned: libjack can hang in any call when its server died or stands
/// still. Its relays are closed with it.
final class JACKClosing: Sendable {
    private let handle: JACKHandle
    private var client: OpaquePointer { handle.pointer }
    private let context: ThreadOwned<JACKContext>?
    private let relays: [JACKRelay]
    private let supervisor: JACKSupervisor?
    private let questions: JACKQuestions
    private let done = DispatchSemaphore(value: 0)

    /// For a client that nothing new is asked of, and whose supervisor was told to stop.
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

    /// Whether it closed within so many seconds; without a thread all of it is left to the process's end.
    func closeOnThread(within seconds: Double) -> Bool {
        let work: @Sendable () -> Void = { [self] in
            // A thread that still waits for an answer uses the client until there is one.
            supervisor?.waitForEnd()
            while !questions.areAnswered { usleep(1000) }
            if let context, supervisor?.hasLostServer != true {
                // They are not changed any more, and not waited for while the server answers.
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
                jack_deactivate(client)
            }
            // Before the stage's context goes, which they call.
            for relay in relays { jack_client_close(relay.client) }
            jack_client_close(client)
            done.signal()
        }
        do throws(WorkerError) { try Worker.detach("jack close", work) } catch { return false }
        return done.wait(timeout: .now() + seconds) == .success
    }
}

/// Counts the questions to libjack that are under way, so that nothing is asked of a client that is being closed. Any
/// thread.
final class JACKQuestions: Sendable {
    private let count = Atomic<Int>(0)

    /// A question begins.
    func begin() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// It was answered.
    func end() { count.wrappingSubtract(1, ordering: .acquiringAndReleasing) }

    /// Whether none is under way.
    var areAnswered: Bool { count.load(ordering: .acquiring) == 0 }
}

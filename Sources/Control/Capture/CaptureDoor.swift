import CDevices
import Capture
import Desk
import Foundation
import Gate
import Loading
import OSC
import Signal
import Synchronization

/// Control interface of a capture: OSC over UDP, on the loopback only. It converts messages to requests. The sender
/// gets the reply; watching clients get events and levels. See `CaptureMessages` for the wire format.
///
/// The interface runs on its own thread. Its memory does not grow with the traffic. If a request takes time, for
/// example the design of filters, the reply says that the work has begun, and an event reports its end.
package final class CaptureDoor: Sendable {
    private let socket: ControlSocket
    private let session: CaptureSession
    private let watchers = Watchers()
    private let isEnding = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Address of the interface. If port 0 was requested, the system has selected the port.
    package var address: ControlAddress { socket.address }

    /// Starts listening. The session need not run yet.
    ///
    /// - Throws: `SessionError` if the address is not on the loopback, if the socket cannot be opened, for example
    ///   because the port is in use, or if no thread can be started.
    package init(at address: ControlAddress, _ session: CaptureSession) throws(SessionError) {
        guard Loopback.contains(address.host) else {
            throw SessionError(
                .usage, "\(address) can be reached from other machines; a capture listens only on 127.0.0.1")
        }
        do throws(ControlSocket.Refused) { socket = try ControlSocket(at: address) } catch {
            throw SessionError(
                .environment,
                "cannot listen for control messages on \(address): \(String(cString: strerror(error.errno)))")
        }
        self.session = session
        do throws(WorkerError) {
            try Worker.detach("capture control") { [self] in
                listen()
                hasEnded.signal()
            }
        } catch {
            socket.close()
            throw SessionError(.environment, error.description)
        }
    }

    /// Sends an event to the watching clients. May be called on any thread.
    package func tell(_ event: CaptureEvent) {
        let bytes = OSCPacket.message(CaptureMessages.message(for: event)).encoded()
        for address in watchers.all(at: .now) { socket.send(bytes, to: address) }
    }

    /// Stops listening. Blocks for up to two seconds.
    package func close() {
        isEnding.store(true, ordering: .releasing)
        socket.raise()
        // If the thread has not ended, the socket stays open, because the thread may still read from it.
        if hasEnded.wait(timeout: .now() + 2) == .success { socket.close() }
    }

    private func listen() {
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: ControlSocket.lot * ControlSocket.stride)
        defer { buffer.deallocate() }
        var datagrams = [pcd_datagram](repeating: pcd_datagram(), count: ControlSocket.lot)
        while !isEnding.load(ordering: .acquiring) {
            let sleep = watchers.sleep(until: .now)
            socket.wait(milliseconds: sleep.map { Int32(Int(clamping: $0 * 1000, .up, to: 1...1000)) } ?? -1)
            var heard: [(message: OSCMessage, sender: ControlSender)] = []
            _ = socket.receive(into: buffer, &datagrams) { bytes, sender in
                // Bytes that are not an OSC packet get no reply.
                guard let packet = try? OSCPacket(decoding: Array(bytes)) else { return }
                heard += packet.messages.map { ($0, sender) }
            }
            for (message, sender) in heard { take(message, from: sender) }
            let due = watchers.due(at: .now)
            guard !due.isEmpty else { continue }
            let bytes = OSCPacket.message(CaptureMessages.levels(session.status)).encoded()
            for address in due { socket.send(bytes, to: address) }
        }
    }

    private func take(_ message: OSCMessage, from sender: ControlSender) {
        let address = message.address
        switch ControlRequest.read(message, of: .capture) {
        case .failure(let unusable): reply(.refused(unusable.reason), address, sender)
        case .success(.nothing): reply(.done, address, sender)
        // The only request to the interface itself is `watch`.
        case .success(.ofDoor(_, let asked)): reply(watchers.answer(to: asked, from: sender), address, sender)
        case .success(.command(.status)):
            reply(.told(CaptureState(session.status).jsonText()), address, sender)
        case .success(.command(let command)):
            guard let request = command.captureRequest else {
                let reason = "the takes of a capture have the name given at its start, and numbers"
                return reply(.refused(reason), address, sender)
            }
            ask(request, address, sender)
        }
    }

    private func ask(_ request: CaptureRequest, _ address: String, _ sender: ControlSender) {
        session.ask(request) { [self] events in
            for case .refused(let reason) in events { return reply(.refused(reason), address, sender) }
            let words = events.map(\.description).joined(separator: "; ")
            // If the take is incomplete, the reply is a refusal, because the client requested a complete take.
            for case .take(.incomplete) in events { return reply(.refused(words), address, sender) }
            reply(words.isEmpty ? .done : .told(words), address, sender)
        }
    }

    private func reply(_ reply: SessionReply, _ address: String, _ sender: ControlSender) {
        socket.send(OSCPacket.message(ControlMessages.message(for: reply, to: address)).encoded(), to: sender)
    }
}

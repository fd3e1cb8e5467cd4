import CDevices
import Desk
import Foundation
import Gate
import Loading
import OSC
import Signal
import Synchronization

/// Listens for OSC control messages over UDP, queues their commands in the order of arrival, and replies to the sender
/// of each message.
///
/// The server runs on its own thread. Its memory does not grow with the traffic. Datagrams are read in batches. The
/// queue limits the number of waiting commands. Replies are sent immediately or lost. At most `OSCSchedule.capacity`
/// messages of bundles with a future time wait.
package final class ControlServer: Sendable {
    private let socket: ControlSocket
    private let desk: SessionDesk
    private var queue: CommandQueue { desk.commands }
    private let entrance: OSCEntrance
    private let watchers: Watchers
    private let isEnding = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)
    /// Stops sending events to watching clients.
    private let telling: @Sendable () -> Void

    /// Address at which the server listens. If port 0 was requested, the system has selected the port.
    package var address: ControlAddress { socket.address }

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - address: address at which to listen. It is outside the loopback only at the user's request. Port 0 means any
    ///     free port.
    ///   - desk: queue of the commands, and source of state, events and telemetry.
    ///   - access: token for clients on other machines.
    ///   - watchesLast: duration of `/proscenium/watch`; by default 30 s.
    /// - Throws: `SessionError` if the port is in use, if the socket cannot be opened at this address, or if no thread
    ///   can be started.
    package convenience init(
        at address: ControlAddress, desk: SessionDesk, access: DoorAccess = DoorAccess(),
        watchesLast: Duration = Watchers.patience
    ) throws(SessionError) {
        guard let socket = try Self.socket(ifFree: address) else {
            throw SessionError(
                .environment,
                "control port \(address) is in use, perhaps by another 'proscenium run'; "
                    + "choose one with --control PORT")
        }
        try self.init(on: socket, desk, access, Watchers(patience: watchesLast))
    }

    /// Like `init(at:desk:access:watchesLast:)`, but nil if the port is in use.
    package convenience init?(
        ifFree address: ControlAddress, desk: SessionDesk, access: DoorAccess = DoorAccess()
    ) throws(SessionError) {
        guard let socket = try Self.socket(ifFree: address) else { return nil }
        try self.init(on: socket, desk, access, Watchers())
    }

    private static func socket(ifFree address: ControlAddress) throws(SessionError) -> ControlSocket? {
        do throws(ControlSocket.Refused) { return try ControlSocket(at: address) } catch {
            if error.errno == EADDRINUSE { return nil }
            let reason =
                error.errno == EAFNOSUPPORT
                ? "'\(address.host)' is no IP address; give one of this machine in numbers, as 192.168.1.5:9150 or [::1]:9150"
                : String(cString: strerror(error.errno))
            throw SessionError(.environment, "cannot listen for control messages on \(address): \(reason)")
        }
    }

    private init(on socket: ControlSocket, _ desk: SessionDesk, _ access: DoorAccess, _ watchers: Watchers)
        throws(SessionError)
    {
        self.socket = socket
        self.watchers = watchers
        self.desk = desk
        entrance = OSCEntrance(
            desk, access,
            OSCSubscribers(at: desk) { bytes, host, port in socket.send(bytes, host: host, port: port) })
        telling = desk.events.hear { [watchers] event in
            let bytes = OSCPacket.message(ControlMessages.message(for: event)).encoded()
            for address in watchers.all(at: .now) { socket.send(bytes, to: address) }
        }
        do throws(WorkerError) {
            try Worker.detach("control") { [self] in
                listen()
                hasEnded.signal()
            }
        } catch {
            telling()
            socket.close()
            throw SessionError(.environment, error.description)
        }
    }

    /// Stops listening. Replies in progress, for example the one to `quit`, are still sent, for at most one second. A
    /// thread that does not end within two more seconds keeps the port until the process ends.
    package func stop() async {
        for _ in 0..<100 where !queue.isIdle { try? await Task.sleep(for: .milliseconds(10)) }
        telling()
        entrance.subscribers.end()
        isEnding.store(true, ordering: .releasing)
        socket.raise()
        let isOver = await Worker.apart("control end") { [hasEnded] in
            hasEnded.wait(timeout: .now() + 2) == .success
        }
        // If the thread has not ended, the socket stays open, because the thread may still read from it.
        if isOver { socket.close() }
    }

    private func listen() {
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: ControlSocket.lot * ControlSocket.stride)
        defer { buffer.deallocate() }
        var datagrams = [pcd_datagram](repeating: pcd_datagram(), count: ControlSocket.lot)
        var schedule = OSCSchedule()
        while !isEnding.load(ordering: .acquiring) {
            let now = ContinuousClock.now
            let sleep = [schedule.sleep(until: Self.wallClock), watchers.sleep(until: now)].compactMap { $0 }.min()
            socket.wait(milliseconds: sleep.map { Int32(Int(clamping: $0 * 1000, .up, to: 0...1000)) } ?? -1)
            var packets: [(packet: OSCPacket, sender: ControlSender)] = []
            let (count, lost) = socket.receive(into: buffer, &datagrams) { bytes, sender in
                do throws(OSCError) {
                    packets.append((try OSCPacket(decoding: Array(bytes)), sender))
                } catch { refuse(Array(bytes), error, sender) }
            }
            // The losses are counted before the commands are carried out, so that a status includes all earlier losses.
            if count > 0 { queue.note(lost: lost, received: count, malformed: count - packets.count) }
            // Scheduled messages that are due are older than those that were just read.
            for (message, sender) in schedule.due(at: Self.wallClock) { submit(message, from: sender) }
            for (packet, sender) in packets {
                carryOut(packet, from: sender, in: &schedule)
            }
            sendStates()
        }
    }

    /// Replies to a message that has an address but cannot be read. Other bytes, and senders without access, get no
    /// reply.
    private func refuse(_ bytes: [UInt8], _ error: OSCError, _ sender: ControlSender) {
        guard entrance.isOpen(to: sender.address), let address = OSCPacket.address(of: bytes) else { return }
        reply(.refused("the message cannot be read: \(error)"), to: address, sender)
    }

    /// Carries out a packet, or schedules it for its time.
    private func carryOut(_ packet: OSCPacket, from sender: ControlSender, in schedule: inout OSCSchedule) {
        let before = schedule.count
        let late = schedule.take(
            packet, from: sender, at: Self.wallClock, mayWait: { entrance.isOpen(to: sender.address) },
            now: { submit($0, from: sender) })
        let held = schedule.count - before
        if held > 0 {
            reply(
                .told("\(held) \(held == 1 ? "message is" : "messages are") held until the bundle's time"),
                to: "#bundle", sender)
        }
        if late > 0 {
            reply(
                .refused(
                    "\(late) \(late == 1 ? "message" : "messages") for a later time not accepted: at most "
                        + "\(OSCSchedule.share) of one sender and \(OSCSchedule.capacity) of all senders may wait, "
                        + "for one hour at most"),
                to: "#bundle", sender)
        }
    }

    /// Greatest length of a datagram over IPv4, bytes (RFC 768, RFC 791: 65,535 minus both headers).
    private static let datagram = 65_507

    /// Seconds since 1900, as in OSC time tags.
    private static var wallClock: Double { Date().timeIntervalSince1970 + OSCTimeTag.secondsTo1970 }

    private func submit(_ message: OSCMessage, from sender: ControlSender) {
        let from = sender.address
        entrance.subscribers.heard(from)
        if !entrance.isOpen(to: from, message) {
            return reply(
                .refused("send /proscenium/token with this session's token first"), to: message.address, sender)
        }
        AddressPattern.carryOut(message, among: Array(desk.state.state.values.keys)) { asked, answer in
            carryOut(asked, from: sender, answer: answer)
        } answer: { [self] in
            reply($0, to: message.address, sender)
        }
    }

    private func carryOut(
        _ message: OSCMessage, from sender: ControlSender, answer: @escaping @Sendable (SessionReply) -> Void
    ) {
        switch ControlRequest.read(message) {
        case .success(.ofDoor(let command, let asked)):
            answer(
                entrance.answer(command, asked, from: sender.address) { watchers.answer(to: asked, from: sender) })
        case .success(.nothing): answer(.done)
        case .success(.command(let command)): queue.submit(command, from: sender.bytes, answer: answer)
        case .failure(let unusable): answer(.refused(unusable.reason))
        }
    }

    private func reply(_ reply: SessionReply, to address: String, _ sender: ControlSender) {
        var bytes = OSCPacket.message(ControlMessages.message(for: reply, to: address)).encoded()
        if bytes.count > Self.datagram {
            let reason =
                "the answer has \(bytes.count) bytes, more than a datagram holds; ask over TCP or the session's socket"
            bytes = OSCPacket.message(ControlMessages.message(for: .refused(reason), to: address)).encoded()
        }
        socket.send(bytes, to: sender)
    }

    /// Sends the state to the watching clients for which it is due.
    private func sendStates() {
        let due = watchers.due(at: .now)
        guard !due.isEmpty else { return }
        queue.submit(.status) { [socket] reply in
            var messages: [OSCMessage] = []
            switch reply {
            case .status(let status):
                let angles = [status.yaw, status.pitch, status.roll].map { OSCArgument.float(Float($0)) }
                messages = [
                    OSCMessage(ControlWire.prefix + "pose", angles),
                    OSCMessage(ControlWire.prefix + "state", [.string(status.jsonText())]),
                ]
            case .phase(let phase):
                messages = [OSCMessage(ControlWire.prefix + "state", [.string(phase.jsonText())])]
            default: return
            }
            for message in messages {
                let bytes = OSCPacket.message(message).encoded()
                for address in due { socket.send(bytes, to: address) }
            }
        }
    }
}

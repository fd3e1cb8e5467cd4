import CDevices
import Desk
import Gate
import Glibc
import Loading
import OSC
import Signal

/// Sends one command to a running session and waits for its reply.
package enum ControlClient {
    /// Sends a command like `request(_:at:timeout:)`, to the socket or the OSC address of a session.
    package static func request(
        _ command: SessionCommand, at address: SessionAddress, timeout: Duration = .seconds(3)
    ) async throws(SessionError) -> String {
        try await ask(ControlMessages.message(for: command), at: address, timeout: timeout)
    }

    /// Returns the status of the session of this name as JSON, requested over the session's socket. Returns nil if
    /// there is no such session, or if it does not send its status within `timeout`. Blocks the calling thread, which
    /// must not belong to the task pool.
    package static func state(of session: String, within timeout: Duration) -> String? {
        let message = ControlMessages.message(for: .status)
        guard let client = SocketClient(path: SessionSockets.path(of: session)),
            case .reply(let text) = client.request(message, timeout: timeout)
        else { return nil }
        return text
    }

    /// Sends values to an OSC address (without `/proscenium/`), otherwise like `request(_:at:timeout:)`.
    package static func ask(
        _ path: String, _ values: [CommandValue], at address: SessionAddress, timeout: Duration
    ) async throws(SessionError) -> String {
        let message = OSCMessage(ControlWire.prefix + path, values.map(OSCArgument.init))
        return try await ask(message, at: address, timeout: timeout)
    }

    private static func ask(
        _ message: OSCMessage, at address: SessionAddress, timeout: Duration
    ) async throws(SessionError) -> String {
        guard case .named(let name) = address else {
            guard case .osc(let port) = address else { return "" }
            return try await ask(message, at: port, timeout: timeout)
        }
        let answer = await Worker.apart("ask a session") { () -> SocketClient.Answer? in
            SocketClient(path: SessionSockets.path(of: name))?.request(message, timeout: timeout)
        }
        switch answer {
        case .reply(let text): return text
        case .refused(let reason): throw refusal(reason)
        case .some(.none): throw SessionError(.environment, "the session '\(name)' did not answer in \(timeout)")
        case nil:
            let running = SessionSockets.running()
            throw SessionError(
                .environment,
                "no session '\(name)' runs; "
                    + (running.isEmpty ? "none does" : "there are \(running.joined(separator: ", "))"))
        }
    }

    /// Sends a command and returns the text of the reply: `done`, a message, or JSON.
    ///
    /// - Parameters:
    ///   - command: command to be sent.
    ///   - address: address at which the session listens.
    ///   - timeout: longest wait for the reply. It does not limit the look-up of the host's name.
    /// - Throws: `SessionError`: environment if no session replies or the session is ending; input if it refuses the
    ///   command.
    package static func request(
        _ command: SessionCommand, at address: ControlAddress, timeout: Duration = .seconds(3)
    ) async throws(SessionError) -> String {
        try await ask(ControlMessages.message(for: command), at: address, timeout: timeout)
    }

    private static func ask(
        _ message: OSCMessage, at address: ControlAddress, timeout: Duration
    ) async throws(SessionError) -> String {
        // Waiting for a socket blocks the thread, which therefore must not belong to the task pool.
        let outcome = await Worker.apart("ask a session") { exchange(message, at: address, timeout: timeout) }
        let answer: OSCMessage
        switch outcome {
        case .answer(let message): answer = message
        case .silence: throw SessionError(.environment, "the session at \(address) did not answer in \(timeout)")
        case .closed:
            throw SessionError(
                .environment,
                "no session answers at \(address); 'proscenium run' starts one, --to NAME or --port selects it"
            )
        }
        guard answer.arguments.count == 2, case .string(let text) = answer.arguments[1] else {
            throw SessionError(.environment, "what answers at \(address) is not a Proscenium session")
        }
        guard answer.address == ControlMessages.reply else {
            throw refusal(text)
        }
        return text
    }

    /// Returns the error for a refusal. A session that is ending is reported as not running.
    private static func refusal(_ reason: String) -> SessionError {
        SessionError(reason == SessionReply.ending ? .environment : .input, "the session refused: \(reason)")
    }

    /// Outcome of sending a message.
    enum Exchange {
        case answer(OSCMessage)
        /// No reply came in time. If the address is on another machine, a session may listen there or not.
        case silence
        /// The message could not be sent, or no program listens at the port.
        case closed
    }

    /// Sends a message and waits for the first message in reply.
    static func exchange(_ message: OSCMessage, at address: ControlAddress, timeout: Duration) -> Exchange {
        let descriptor = pcd_udp_connect(address.numericHost, UInt16(address.port))
        guard descriptor >= 0 else { return .closed }
        defer { pcd_close(descriptor) }
        let bytes = message.encoded()
        guard pcd_write(descriptor, bytes, UInt32(bytes.count)) == Int32(bytes.count) else { return .closed }
        let deadline = ContinuousClock.now + timeout
        var buffer = [UInt8](repeating: 0, count: ControlSocket.stride)
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { return .silence }
            _ = pcd_wait(descriptor, -1, Int32(Int(clamping: left, .up, to: 0...1000)))
            let count = pcd_read(descriptor, &buffer, UInt32(buffer.count))
            if count == -EAGAIN { continue }
            // The host has reported that no program listens at the port.
            guard count >= 0 else { return .closed }
            let packet = try? OSCPacket(decoding: Array(buffer[..<Int(count)]))
            if let answer = packet?.messages.first { return .answer(answer) }
        }
    }
}

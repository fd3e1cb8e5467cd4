import CDevices
import Gate
import Glibc
import Loading
import OSC

/// JSON dialogue with a session's Unix socket, one request after the other. Calls block the thread, which must not
/// belong to the task pool.
final class SocketClient {
    private let descriptor: Int32
    private var begun: [UInt8] = []
    private var count = 0

    /// Connects to a session; nil if no session listens.
    init?(path: String) {
        descriptor = pcd_unix_connect(path)
        guard descriptor >= 0 else { return nil }
    }

    deinit { pcd_close(descriptor) }

    /// Outcome of a request.
    enum Answer {
        /// `done`, a message, or JSON.
        case reply(String)
        /// Reason for a refusal.
        case refused(String)
        /// No reply came in time, or the connection is closed.
        case none
    }

    /// Sends a request and waits for the reply.
    func request(_ message: OSCMessage, timeout: Duration) -> Answer {
        count += 1
        let request = JSONValue.object([
            "id": .number(Double(count)), "address": .text(message.address),
            "arguments": .list(message.arguments.map(JSONValue.init)),
        ])
        let deadline = ContinuousClock.now + timeout
        guard write(Array((request.line + "\n").utf8), until: deadline) else { return .none }
        while let line = readLine(until: deadline) {
            if let text = Self.cut(line, "{\"id\":\(count),\"reply\":") {
                return .reply(text == "\"done\"" ? "done" : Self.text(text) ?? text)
            }
            if let text = Self.cut(line, "{\"id\":\(count),\"refused\":") { return .refused(Self.text(text) ?? text) }
        }
        return .none
    }

    private static func cut(_ line: String, _ prefix: String) -> String? {
        line.hasPrefix(prefix) && line.hasSuffix("}") ? String(line.dropFirst(prefix.count).dropLast()) : nil
    }

    /// Returns the text in a JSON string; nil for other JSON.
    private static func text(_ json: String) -> String? {
        guard json.hasPrefix("\""), case .text(let text)? = JSONValue(parsing: json) else { return nil }
        return text
    }

    private func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBufferPointer { pcd_write(descriptor, $0.baseAddress, UInt32($0.count)) }
            if written == -EAGAIN {
                guard ContinuousClock.now < deadline else { return false }
                usleep(1000)
            } else if written > 0 {
                rest = rest.dropFirst(Int(written))
            } else {
                return false
            }
        }
        return true
    }

    private func readLine(until deadline: ContinuousClock.Instant) -> String? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = begun.firstIndex(of: UInt8(ascii: "\n")) {
                defer { begun.removeFirst(end + 1) }
                return String(decoding: begun[..<end], as: UTF8.self)
            }
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { return nil }
            _ = pcd_wait(descriptor, -1, Int32(Int(clamping: left, .up, to: 0...1000)))
            let read = pcd_read(descriptor, &buffer, UInt32(buffer.count))
            if read == -EAGAIN { continue }
            guard read > 0 else { return nil }
            begun += buffer[..<Int(read)]
        }
    }
}

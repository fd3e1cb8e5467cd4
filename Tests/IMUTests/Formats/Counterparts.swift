import Foundation
import Glibc
import Testing

/// Programs of others that speak or read the formats: the Python environment of `Scripts/python-env`, and liblo's
/// tools.
enum Counterparts {
    /// The project's folder.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The interpreter with the packages. It is made if it is missing; `nil` if that is impossible (no network).
    static let python: String? = {
        let script = root.appendingPathComponent("Scripts/python-env").path
        guard let made = try? run(script, []), made.status == 0 else { return nil }
        return root.appendingPathComponent(".build/venv/bin/python").path
    }()

    /// Reason why a test is skipped without the interpreter.
    static let noPython: Comment = "Scripts/python-env could not make .build/venv (it needs a network once)"

    /// liblo's sender; `nil` where it is not installed.
    static let oscsend = ["/usr/bin/oscsend"].first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Runs a program to its end and returns what it printed.
    static func run(_ path: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// Calls `body` with the path of a temporary file that contains these bytes.
    static func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("stream-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url.path)
    }
}

/// A UDP port of this machine that stores the datagrams that arrive.
struct Mailbox: ~Copyable {
    private let descriptor: Int32
    /// The port.
    let port: Int

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, length) = (descriptor, size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        var patience = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit { close(descriptor) }

    /// Returns the next datagram; `nil` if none arrives within five minutes.
    func next() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : Array(buffer[..<count])
    }
}

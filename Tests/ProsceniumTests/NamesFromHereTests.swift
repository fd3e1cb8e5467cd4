import Foundation
import OSC
import SoundFixtures
import Synchronization
import Testing

@testable import proscenium

/// `ctl`, typed in a folder whose files have the names of built-in sets, rooms and layouts.
@Suite(.timeLimit(.minutes(10))) struct NamesFromHereTests {
    /// In an earlier version `ctl room-name studio` was refused if the working folder contained a folder of this name.
    @Test func `What ctl sends of a name does not depend on the working folder, and a file has its whole path`() throws
    {
        let here = try Scratch()
        for name in ["studio", "kemar", "7.1", "none", "default"] {
            try FileManager.default.createDirectory(atPath: here(name), withIntermediateDirectories: true)
        }
        try Data().write(to: URL(fileURLWithPath: here("mine.txt")))
        let session = try Listener()
        for (name, word, sent) in [
            ("room-name", "studio", "studio"), ("room-name", "none", "none"), ("hrtf", "kemar", "kemar"),
            ("hrtf", "default", "default"), ("layout", "7.1", "7.1"), ("headphone-eq-file", "none", "none"),
            ("hrtf", "./kemar", here("kemar")), ("room-name", "./studio", here("studio")),
            ("headphone-eq-file", "mine.txt", here("mine.txt")), ("room-name", "mine.txt", here("mine.txt")),
        ] {
            let run = try Run(["ctl", name, word, "--port", "\(session.port)"], in: here.path)
            #expect(run.status == 0, "\(name) \(word): \(run.complaints)")
            #expect(session.heard == OSCMessage("/proscenium/" + name, [.string(sent)]))
        }
    }

    /// Answers every command of `ctl` as done, on a separate thread: a test that waits for a program to end blocks a
    /// thread on which tasks run.
    private final class Listener: Sendable {
        let port: Int
        private let descriptor: Int32
        private let last: Last

        private final class Last: Sendable { let message = Mutex<OSCMessage?>(nil) }

        /// The newest command.
        var heard: OSCMessage? { last.message.withLock { $0 } }

        init() throws {
            let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            try #require(descriptor >= 0)
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            address.sin_family = sa_family_t(AF_INET)
            inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
            let isBound = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
                }
            }
            try #require(isBound)
            (self.descriptor, port, last) = (descriptor, Int(UInt16(bigEndian: address.sin_port)), Last())
            Thread.detachNewThread { [last] in Self.answer(on: descriptor, last) }
        }

        /// Ends the thread's wait.
        deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

        private static func answer(on descriptor: Int32, _ last: Last) {
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                var asker = sockaddr_storage()
                var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
                let count = withUnsafeMutablePointer(to: &asker) { asker in
                    asker.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        recvfrom(descriptor, &bytes, bytes.count, 0, $0, &length)
                    }
                }
                guard count > 0 else { return }
                guard let message = try? OSCPacket(decoding: Array(bytes[..<count])).messages.first else { continue }
                last.message.withLock { $0 = message }
                let reply = OSCMessage("/proscenium/reply", [.string(message.address), .string("done")]).encoded()
                _ = withUnsafePointer(to: asker) { asker in
                    asker.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        sendto(descriptor, reply, reply.count, 0, $0, length)
                    }
                }
            }
        }
    }
}

@preconcurrency import Dispatch
import Foundation

/// Reads the bytes of a keyboard, in order, until its end or `cancel`.
final class Keys: Sendable {
    private let source: (any DispatchSourceRead)?
    /// Signalled when no byte is read any more.
    private let ended = DispatchSemaphore(value: 0)
    /// Task that passes on the bytes; ends with the keyboard.
    let handing: Task<Void, Never>

    /// Starts to read; `takes` is called with the bytes, one block after the other.
    ///
    /// The dispatch source must not watch a descriptor that may be closed elsewhere. It therefore reads a duplicate,
    /// which its cancel handler closes. Without a free descriptor no key is read.
    init(of keyboard: Int32, takes: @escaping @Sendable ([UInt8]) async -> Void) {
        // Typing never fills 256 blocks; further blocks of a pipe are lost.
        let (pressed, pressing) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(256))
        handing = Task { for await keys in pressed { await takes(keys) } }
        let descriptor = fcntl(keyboard, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else {
            source = nil
            pressing.finish()
            return
        }
        // A serial queue gets a thread even if all threads of the global queue wait.
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "proscenium.keys"))
        self.source = source
        source.setEventHandler {
            // Reads all bytes that are there, and the end: libdispatch reports a pipe's hang-up once and never again.
            while !source.isCancelled {
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&request, 1, 0) > 0 else { return }
                var bytes = [UInt8](repeating: 0, count: 64)
                let count = read(descriptor, &bytes, bytes.count)
                if count > 0 {
                    pressing.yield(Array(bytes[..<count]))
                } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                    // End of input: without a cancel the source would fire for ever.
                    source.cancel()
                }
            }
        }
        source.setCancelHandler { [ended] in
            close(descriptor)
            pressing.finish()
            ended.signal()
        }
        source.resume()
    }

    /// Stops reading, and waits up to two seconds for a read in progress. The keyboard's own descriptor may be closed
    /// at any time.
    func cancel() {
        guard let source else { return }
        source.cancel()
        if ended.wait(timeout: .now() + 2) == .success { ended.signal() }
    }

    /// Returns a block's bytes without the escape sequences of arrow, function and editing keys: ESC `[` or ESC `O`,
    /// parameters, and a last byte (ECMA-48). The letters and digits in a sequence do not count as typed. A
    /// sequence that is split between two blocks is not recognised.
    static func typed(_ pressed: [UInt8]) -> [UInt8] {
        var (typed, rest) = ([UInt8](), pressed[...])
        while let byte = rest.popFirst() {
            guard byte == 0x1B, let kind = rest.first, kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else {
                typed.append(byte)
                continue
            }
            rest.removeFirst()
            // The Linux console sends ESC [ [ A for F1.
            if rest.first == UInt8(ascii: "[") { rest.removeFirst() }
            rest = rest.drop { (0x20...0x3F).contains($0) }
            _ = rest.popFirst()
        }
        return typed
    }
}

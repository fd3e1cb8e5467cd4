import CDevices
import Glibc
import Synchronization

/// A tracker's device file, as `DeviceTransport` uses it: a serial line or a HID device.
package protocol TrackerDevice: Sendable {
    /// Finds and opens the device. Called repeatedly after it was unplugged.
    mutating func open() throws(TrackerError) -> OpenDevice

    /// Sends one message. Returns false where the device is gone.
    func write(_ message: [UInt8], to descriptor: Int32) -> Bool

    /// Tries the next speed on the open device; returns false without another.
    mutating func tryNext(on descriptor: Int32) -> Bool
}

extension TrackerDevice {
    /// By default there is one speed.
    package mutating func tryNext(on descriptor: Int32) -> Bool { false }

    /// By default writes to the descriptor; drops the rest of the message after half a second of waiting.
    package func write(_ message: [UInt8], to descriptor: Int32) -> Bool {
        var rest = message[...]
        // A tracker's messages are short: a line that accepts none for half a second is stalled.
        for _ in 0..<50 where !rest.isEmpty {
            let written = Array(rest).withUnsafeBufferPointer {
                pcd_write(descriptor, $0.baseAddress, UInt32($0.count))
            }
            if written > 0 {
                rest = rest.dropFirst(Int(written))
            } else if written == -EAGAIN {
                usleep(10_000)
            } else {
                return false
            }
        }
        return true
    }
}

/// An open device file.
package struct OpenDevice: Sendable {
    /// Non-blocking descriptor for reading; closed by the transport.
    package var descriptor: Int32
    /// Name of the device, the same each time it is plugged in; `nil` without one.
    package var place: String?
    /// Decoder of its messages, where the device defines their layout; `nil`: that of the specification.
    package var decoder: (any TrackerDecoder)?

    /// Creates an open device.
    package init(descriptor: Int32, place: String?, decoder: (any TrackerDecoder)? = nil) {
        self.descriptor = descriptor
        self.place = place
        self.decoder = decoder
    }
}

/// A tracker behind a device file; when it is plugged in again, it is reopened within a quarter of a second.
///
/// A thread of its own reads, and is the only user of the device once it runs.
package final class DeviceTransport: TrackerTransport {
    private let device: Mutex<any TrackerDevice>
    private let clock: @Sendable () -> Double
    private let thread: TransportThread
    private let wantsNext = Atomic<Bool>(false)
    private let nextExists = Atomic<Bool>(true)

    /// Creates a transport that is not open yet. `clock`: seconds of the host's monotonic clock.
    package init(_ device: any TrackerDevice, name: String, clock: @escaping @Sendable () -> Double) {
        self.device = Mutex(device)
        self.clock = clock
        thread = TransportThread(name: name)
    }

    /// Opens the device and throws where that fails; then reads in a thread until `stop`.
    package func start(receive: @escaping @Sendable (TransportEvent) -> [[UInt8]]) async throws(TrackerError) {
        let first = try open()
        try thread.start { [self] in run(first, receive) }
    }

    /// Queues messages for the thread; they are lost where the device is gone.
    package func send(_ messages: [[UInt8]]) { thread.send(messages) }

    /// Ends the thread, which closes the device, and waits for its end.
    package func stop() async { await thread.stop() }

    /// Makes the thread try the next speed; returns false where the device is known to have only one.
    package func tryNext() -> Bool {
        guard nextExists.load(ordering: .relaxed) else { return false }
        wantsNext.store(true, ordering: .releasing)
        thread.send([])
        return true
    }

    private func open() throws(TrackerError) -> OpenDevice {
        try device.withLock { device throws(TrackerError) in try device.open() }
    }

    private func write(_ message: [UInt8], to open: OpenDevice) -> Bool {
        device.withLock { $0.write(message, to: open.descriptor) }
    }

    private func run(_ first: OpenDevice, _ receive: (TransportEvent) -> [[UInt8]]) {
        var found: OpenDevice? = first
        while !thread.isEnding {
            if let open = found {
                _ = thread.takeOutgoing()
                let reason = use(open, receive)
                pcd_close(open.descriptor)
                if let reason { _ = receive(.lost(reason: reason)) }
                found = nil
            } else {
                _ = thread.wait(for: -1, milliseconds: 250)
                found = thread.isEnding ? nil : try? open()
            }
        }
    }

    /// Reads until the device is gone, and returns the reason; `nil` when the thread ends.
    private func use(_ open: OpenDevice, _ receive: (TransportEvent) -> [[UInt8]]) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PCD_HID_LIMIT))
        func deliver(_ event: TransportEvent) -> Bool {
            for answer in receive(event) where !write(answer, to: open) { return false }
            return true
        }
        guard deliver(.opened(place: open.place, decoder: open.decoder)) else { return "it takes no messages" }
        while !thread.isEnding {
            let isReadable = thread.wait(for: open.descriptor)
            if thread.isEnding { return nil }
            if wantsNext.exchange(false, ordering: .acquiringAndReleasing) {
                nextExists.store(device.withLock { $0.tryNext(on: open.descriptor) }, ordering: .relaxed)
                guard deliver(.opened(place: open.place, decoder: open.decoder)) else { return "it takes no messages" }
            }
            for message in thread.takeOutgoing() where !write(message, to: open) {
                return "it takes no messages"
            }
            guard isReadable else { continue }
            let count = pcd_read(open.descriptor, &buffer, UInt32(buffer.count))
            switch count {
            case 1...:
                let arrival = clock()
                guard deliver(.bytes(Array(buffer[0..<Int(count)]), arrival: arrival)) else {
                    return "it takes no messages"
                }
            case -EAGAIN, -EINTR: continue
            case 0: return "it hung up"
            default: return String(cString: strerror(-count))
            }
        }
        return nil
    }
}

import CDevices
import Glibc
import Synchronization

/// A device file a tracker is plugged into, as `DeviceTransport` uses it: a serial line or a HID device.
package protocol TrackerDevice: Sendable {
    /// Finds and opens it. Called again and again after it was unplugged.
    mutating func open() throws(TrackerError) -> OpenDevice

    /// Sends one message. False where the device is gone.
    func write(_ message: [UInt8], to descriptor: Int32) -> Bool

    /// Tries the next speed on the open device; false where there is none.
    mutating func tryNext(on descriptor: Int32) -> Bool
}

extension TrackerDevice {
    /// By default there is one speed.
    package mutating func tryNext(on descriptor: Int32) -> Bool { false }

    /// By default writes to the descriptor, and gives up after half a second in which nothing is taken.
    package func write(_ message: [UInt8], to descriptor: Int32) -> Bool {
        var rest = message[...]
        // A tracker's messages are short; a line that takes nothing for half a second takes nothing.
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

/// A device file that was opened.
package struct OpenDevice: Sendable {
    /// Non-blocking, to be read; closed by the transport.
    package var descriptor: Int32
    /// Names the device, the same each time it is plugged in; `nil` where the system does not tell.
    package var place: String?
    /// Reads its messages, where the device itself says how they are to be read; `nil`: as the user asked.
    package var decoder: (any TrackerDecoder)?

    /// A device.
    package init(descriptor: Int32, place: String?, decoder: (any TrackerDecoder)? = nil) {
        self.descriptor = descriptor
        self.place = place
        self.decoder = decoder
    }
}

/// A tracker behind a device file; unplugged and plugged in again it is found again, within a quarter of a second.
///
/// Reads in a thread of its own, which is alone at the device once it runs.
package final class DeviceTransport: TrackerTransport {
    private let device: Mutex<any TrackerDevice>
    private let clock: @Sendable () -> Double
    private let thread: TransportThread
    private let wantsNext = Atomic<Bool>(false)
    private let nextExists = Atomic<Bool>(true)

    /// A device that is not open yet. `clock`: seconds of the host's monotonic clock.
    package init(_ device: any TrackerDevice, name: String, clock: @escaping @Sendable () -> Double) {
        self.device = Mutex(device)
        self.clock = clock
        thread = TransportThread(name: name)
    }

    /// Opens the device, the error being the caller's; then reads in a thread until `stop`.
    package func start(receive: @escaping @Sendable (TransportEvent) -> [[UInt8]]) async throws(TrackerError) {
        let first = try open()
        try thread.start { [self] in run(first, receive) }
    }

    /// Hands messages to the thread; those to a device that is gone are lost.
    package func send(_ messages: [[UInt8]]) { thread.send(messages) }

    /// Ends the thread, which closes the device, and waits for that.
    package func stop() async { await thread.stop() }

    /// Has the thread try the next speed; false where it is known to have one only.
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

    /// Reads until the device is gone, and says why; `nil` when the thread ends.
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

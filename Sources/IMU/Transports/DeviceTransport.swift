import CDevices
import Glibc
import Synchronization

/// A tracker's device file, as `DeviceTransport` uses it: a serial line or a HID device.
package protocol TrackerDevice: Sendable {
    /// Finds and opens the device. Called repeatedly after the device was unplugged. Throws if the device cannot be
    /// opened.
    mutating func open() throws(TrackerError) -> OpenDevice

    /// Sends one message. Returns false if the message cannot be written.
    func write(_ message: [UInt8], to descriptor: Int32) -> Bool

    /// Switches the open device to the next baud rate. Returns false if there is no other rate.
    mutating func tryNext(on descriptor: Int32) -> Bool
}

extension TrackerDevice {
    /// By default returns false: there is one baud rate, or none.
    package mutating func tryNext(on descriptor: Int32) -> Bool { false }

    /// By default writes to the descriptor. After half a second of waiting the rest of the message is dropped, and true
    /// is returned.
    package func write(_ message: [UInt8], to descriptor: Int32) -> Bool {
        var rest = message[...]
        // A tracker's messages are short. A line that accepts none of their bytes for half a second is stalled.
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
    /// Non-blocking descriptor, read and written; the transport closes it.
    package var descriptor: Int32
    /// Name of the device, the same each time it is plugged in; `nil` if there is none.
    package var place: String?
    /// Decoder of the device's own message format; nil if the user's tracker specification names the decoder.
    package var decoder: (any TrackerDecoder)?

    /// Creates an open device.
    package init(descriptor: Int32, place: String?, decoder: (any TrackerDecoder)? = nil) {
        self.descriptor = descriptor
        self.place = place
        self.decoder = decoder
    }
}

/// Transport of a tracker with a device file. A device that is plugged in again is reopened within a quarter of a
/// second.
///
/// `start` begins one thread for all reading and writing; from then on only this thread uses the device. `receive` is
/// called on this thread, and the messages that `receive` returns are written to the device.
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

    /// Opens the device and reads it on a thread until `stop`. Throws if the device cannot be opened or the thread
    /// cannot be started.
    package func start(receive: @escaping @Sendable (TransportEvent) -> [[UInt8]]) async throws(TrackerError) {
        let first = try open()
        do {
            try thread.start { [self] in run(first, receive) }
        } catch {
            pcd_close(first.descriptor)
            throw error
        }
    }

    /// Queues messages for the thread. Messages are dropped while the device is not open.
    package func send(_ messages: [[UInt8]]) { thread.send(messages) }

    /// Stops the thread, and waits until it has closed the device and ended.
    package func stop() async { await thread.stop() }

    /// Requests a switch to the next baud rate on the thread. Returns false if the last switch found no other rate. The
    /// switch is followed by one more `.opened` event.
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

    /// Reads until the device is gone, and returns the reason; `nil` if the thread must end.
    private func use(_ open: OpenDevice, _ receive: (TransportEvent) -> [[UInt8]]) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PCD_HID_LIMIT))
        func deliver(_ event: TransportEvent) -> Bool {
            for answer in receive(event) where !write(answer, to: open) { return false }
            return true
        }
        guard deliver(.opened(place: open.place, decoder: open.decoder)) else { return "messages cannot be written" }
        while !thread.isEnding {
            let isReadable = thread.wait(for: open.descriptor)
            if thread.isEnding { return nil }
            if wantsNext.exchange(false, ordering: .acquiringAndReleasing) {
                nextExists.store(device.withLock { $0.tryNext(on: open.descriptor) }, ordering: .relaxed)
                guard deliver(.opened(place: open.place, decoder: open.decoder)) else {
                    return "messages cannot be written"
                }
            }
            for message in thread.takeOutgoing() where !write(message, to: open) {
                return "messages cannot be written"
            }
            guard isReadable else { continue }
            let count = pcd_read(open.descriptor, &buffer, UInt32(buffer.count))
            switch count {
            case 1...:
                let arrival = clock()
                guard deliver(.bytes(Array(buffer[0..<Int(count)]), arrival: arrival)) else {
                    return "messages cannot be written"
                }
            case -EAGAIN, -EINTR: continue
            case 0: return "the device closed the connection"
            default: return String(cString: strerror(-count))
            }
        }
        return nil
    }
}

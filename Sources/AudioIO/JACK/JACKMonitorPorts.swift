import CJACK
import Rendering
import Synchronization

/// A client's ports for the inputs of the monitor section (talkback, reference), which bypass the stage. Each may be
/// added and removed while the client plays.
struct JACKMonitorPorts: ~Copyable {
    /// Addresses of the ports; 0 for a port that does not exist.
    private let left = Atomic<UInt>(0), right = Atomic<UInt>(0), talkback = Atomic<UInt>(0)

    /// Makes the ports of `inputs`, given in the order of `MonitorInputs.ports`.
    init(_ inputs: MonitorInputs, _ ports: [OpaquePointer]) { set(inputs, ports) }

    /// Sets the ports from the next cycle on. Call within `JACKContext.withPorts`, or before cycles run.
    func set(_ inputs: MonitorInputs, _ ports: [OpaquePointer]) {
        let found = Dictionary(uniqueKeysWithValues: zip(inputs.ports.map(\.symbol), ports))
        func store(_ symbol: String, in place: borrowing Atomic<UInt>) {
            place.store(UInt(bitPattern: found[symbol]), ordering: .releasing)
        }
        store("ref_L", in: left)
        store("ref_R", in: right)
        store("talkback", in: talkback)
    }

    /// The present ports, in the order of `MonitorInputs.ports`. Use them only within `JACKContext.withPorts`, or under
    /// the lock of the client's state, where no port is removed.
    var all: [OpaquePointer] {
        [left.load(ordering: .acquiring), right.load(ordering: .acquiring), talkback.load(ordering: .acquiring)]
            .compactMap { OpaquePointer(bitPattern: $0) }
    }

    /// Returns the present cycle's buffers of all ports. Called on the audio thread.
    @_noLocks
    func feed(_ frames: Int) -> MonitorFeed {
        var feed = MonitorFeed()
        (feed.left, feed.right) = (Self.row(left, frames), Self.row(right, frames))
        feed.talkback = Self.row(talkback, frames)
        return feed
    }

    @_noLocks
    private static func row(_ place: borrowing Atomic<UInt>, _ frames: Int) -> UnsafePointer<Float>? {
        guard let port = OpaquePointer(bitPattern: place.load(ordering: .acquiring)),
            let buffer = cjack_port_get_buffer(port, UInt32(truncatingIfNeeded: frames))
        else { return nil }
        return UnsafePointer(buffer.assumingMemoryBound(to: Float.self))
    }
}

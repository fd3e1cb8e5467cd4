import CJACK
import Rendering
import Synchronization

/// A client's ports for the inputs past the stage; each may be added and removed while the client plays.
struct JACKMonitorPorts: ~Copyable {
    /// Addresses of the ports; 0 without one.
    private let left = Atomic<UInt>(0), right = Atomic<UInt>(0), talkback = Atomic<UInt>(0)

    /// Holds the ports of `inputs`, in the order of `MonitorInputs.ports`.
    init(_ inputs: MonitorInputs, _ ports: [OpaquePointer]) { set(inputs, ports) }

    /// Sets the ports for all cycles from the next on. Within `JACKContext.withPorts`, or before cycles run.
    func set(_ inputs: MonitorInputs, _ ports: [OpaquePointer]) {
        let found = Dictionary(uniqueKeysWithValues: zip(inputs.ports.map(\.symbol), ports))
        func store(_ symbol: String, in place: borrowing Atomic<UInt>) {
            place.store(UInt(bitPattern: found[symbol]), ordering: .releasing)
        }
        store("ref_L", in: left)
        store("ref_R", in: right)
        store("talkback", in: talkback)
    }

    /// The present ports, in the order of `MonitorInputs.ports`. Use within `JACKContext.withPorts` only, where no port
    /// is removed.
    var all: [OpaquePointer] {
        [left.load(ordering: .acquiring), right.load(ordering: .acquiring), talkback.load(ordering: .acquiring)]
            .compactMap { OpaquePointer(bitPattern: $0) }
    }

    /// Returns the cycle's buffers of all ports. Audio thread.
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

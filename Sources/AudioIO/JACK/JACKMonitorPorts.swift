import CJACK
import Rendering
import Synchronization

/// A client's ports for what reaches the ears past the stage; each may come and go while the client plays.
struct JACKMonitorPorts: ~Copyable {
    /// Addresses of the ports, 0 where there is none.
    private let left = Atomic<UInt>(0), right = Atomic<UInt>(0), talkback = Atomic<UInt>(0)

    /// Those of `inputs`, in the order of their `ports`.
    init(_ inputs: MonitorInputs, _ ports: [OpaquePointer]) { set(inputs, ports) }

    /// Has cycles use these ports and no others from the next on. Within `JACKContext.withPorts`, or before cycles run.
    func set(_ inputs: MonitorInputs, _ ports: [OpaquePointer]) {
        let found = Dictionary(uniqueKeysWithValues: zip(inputs.ports.map(\.symbol), ports))
        func store(_ symbol: String, in place: borrowing Atomic<UInt>) {
            place.store(UInt(bitPattern: found[symbol]), ordering: .releasing)
        }
        store("ref_L", in: left)
        store("ref_R", in: right)
        store("talkback", in: talkback)
    }

    /// The ports there are, in the order of `MonitorInputs.ports`; to be used within `JACKContext.withPorts` alone,
    /// where none of them goes.
    var all: [OpaquePointer] {
        [left.load(ordering: .acquiring), right.load(ordering: .acquiring), talkback.load(ordering: .acquiring)]
            .compactMap { OpaquePointer(bitPattern: $0) }
    }

    /// The cycle's sound of all of them. Audio thread.
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

import CDevices
import Geometry
import OSC
import Synchronization

/// Sends poses as OSC over UDP, so that several programs can share one tracker.
///
/// A pose applies to the moment of sending. The messages have no field for a time, and OSC's time tags belong to
/// bundles, which some receivers do not accept. Methods may be called on any thread; sending never blocks. A datagram
/// that the network refuses is lost.
package final class PoseBroadcast: Sendable {
    /// Message format and address of the receiver.
    package struct Destination: Hashable, Sendable {
        /// Profile of `OrientationProfile.osc` whose messages contain a whole orientation.
        package let profile: OrientationProfile
        /// Numeric IP address.
        package let address: String
        /// UDP port, 1…65535.
        package let port: Int

        /// Reads `[ADDRESS:]PORT[,PROFILE]`. The profile is an OSC address with or without its leading slash; the
        /// default is `/ypr`.
        package init(parsing text: String) throws(TrackerError) {
            let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            (address, port) = try TrackerSpecification.endpoint(parts[0], in: text)
            let name = parts.count > 1 ? parts[1] : "/ypr"
            let known = Self.profiles.first { $0.address == name || $0.address == "/" + name }
            guard let known else {
                throw .unknownFormat(name, transport: "--broadcast", known: Self.profiles.map(\.address))
            }
            profile = known
        }

        /// Profiles whose messages each contain a whole orientation.
        package static var profiles: [OrientationProfile] {
            OrientationProfile.osc.filter {
                switch $0.form {
                case .single, .part: false
                default: true
                }
            }
        }
    }

    /// Receiver of the poses.
    package let destination: Destination
    private let descriptor: Mutex<Int32>

    /// Opens a UDP socket. Throws if the system refuses it.
    package init(to destination: Destination) throws(TrackerError) {
        self.destination = destination
        let any = destination.address.contains(":") ? "::" : "0.0.0.0"
        let opened = pcd_udp_open(any, 0)
        guard opened >= 0 else { throw .listening(on: any, port: 0, errno: -opened) }
        descriptor = Mutex(opened)
    }

    deinit { descriptor.withLock { pcd_close($0) } }

    /// Sends one pose: the rotation from the head to the sound stage, or from the tracker to the earth. Never blocks.
    package func send(_ pose: Quaternion) {
        let bytes = destination.profile.message(saying: pose).encoded()
        descriptor.withLock {
            _ = pcd_udp_send($0, bytes, UInt32(bytes.count), destination.address, UInt16(destination.port))
        }
    }
}

import Geometry
import Glibc
import Soundstage

/// A microphone array: capsules with a geometry, or an encoded sound field.
package struct MicrophoneArray: Hashable, Sendable {
    /// Meaning of the array's channels.
    package enum Kind: Hashable, Sendable {
        /// Signals of capsules (A-format), in the order of the inputs.
        case capsules([Capsule])
        /// An encoded first-order sound field (B-format).
        case field(AmbisonicFormat)
    }

    /// Name on the command line.
    package var name: String
    /// Meaning of the channels.
    package var kind: Kind

    /// Creates an array.
    package init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }

    /// Number of inputs.
    package var channelCount: Int {
        switch kind {
        case .capsules(let capsules): capsules.count
        case .field(let format): format.channelCount
        }
    }

    /// Names of the inputs, in order.
    package var channelNames: [String] {
        switch kind {
        case .capsules(let capsules): capsules.map(\.name)
        case .field(let format): (0..<format.channelCount).map { format.name(ofChannel: $0).symbol }
        }
    }

    /// Capsules; empty for a sound field.
    package var capsules: [Capsule] {
        if case .capsules(let capsules) = kind { capsules } else { [] }
    }

    /// Returns the array of a rotated device, with the positions and axes of its capsules in scene axes. A sound field
    /// is returned unchanged.
    package func turned(by orientation: InputOrientation) -> MicrophoneArray {
        guard case .capsules(let capsules) = kind else { return self }
        let turn = orientation.deviceToScene.quaternion
        return MicrophoneArray(
            name: name,
            kind: .capsules(
                capsules.map { capsule in
                    Capsule(
                        name: capsule.name, position: turn.rotate(capsule.position),
                        axis: Direction(unit: turn.rotate(capsule.axis.unit)), pressure: capsule.pressure)
                }))
    }
}

/// Built-in arrays.
extension MicrophoneArray {
    /// Default radius of the built-in arrays, m.
    package static let usualRadius = 0.01
    /// Valid radii, m, from the size of a probe to the width of a hand.
    package static let radii = 0.001...0.1

    /// Names of the built-in arrays.
    package static let names = ["tetrahedral", "planar3", "planar4", "pair", "ambix", "fuma"]

    /// Creates a built-in array; nil for any other name.
    ///
    /// - Parameter radius: radius of the sphere through the capsules, m; ignored for a sound field.
    package init?(named name: String, radius: Double = usualRadius) {
        func capsules(_ places: [(String, Double, Double)]) -> Kind {
            .capsules(
                places.map {
                    Capsule(name: $0.0, azimuthDegrees: $0.1, elevationDegrees: $0.2, radius: radius)
                })
        }
        // Alternate corners of a cube are 35.26° above and below the horizontal plane (Craven & Gerzon, US 4 042 779).
        let height = atan(0.5.squareRoot()) * 180 / .pi
        switch name {
        case "tetrahedral":
            kind = capsules([
                ("FLU", 45, height), ("FRD", -45, -height), ("BLD", 135, -height), ("BRU", -135, height),
            ])
        case "planar3": kind = capsules([("F", 0, 0), ("BL", 120, 0), ("BR", -120, 0)])
        case "planar4": kind = capsules([("FL", 45, 0), ("FR", -45, 0), ("BL", 135, 0), ("BR", -135, 0)])
        case "pair": kind = capsules([("L", 90, 0), ("R", -90, 0)])
        case "ambix": kind = Self.field(.sn3d)
        case "fuma": kind = Self.field(.fuma)
        default: return nil
        }
        self.name = name
    }

    /// Returns a field of order 1, which every convention supports.
    private static func field(_ convention: AmbisonicFormat.Convention) -> Kind {
        // swift-format-ignore: NeverUseForceTry
        .field(try! AmbisonicFormat(order: 1, convention: convention))
    }
}

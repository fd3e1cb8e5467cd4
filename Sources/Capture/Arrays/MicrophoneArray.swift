import Geometry
import Glibc
import Soundstage

/// What sound comes from: capsules with a geometry, or a sound field that is ready.
package struct MicrophoneArray: Hashable, Sendable {
    /// What its channels are.
    package enum Kind: Hashable, Sendable {
        /// Signals of capsules (A-format), in the order of the inputs.
        case capsules([Capsule])
        /// A sound field of first order (B-format).
        case field(AmbisonicFormat)
    }

    /// As it is called on the command line.
    package var name: String
    /// Its channels.
    package var kind: Kind

    /// An array as given.
    package init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }

    /// Inputs it takes.
    package var channelCount: Int {
        switch kind {
        case .capsules(let capsules): capsules.count
        case .field(let format): format.channelCount
        }
    }

    /// Names of its inputs, in order.
    package var channelNames: [String] {
        switch kind {
        case .capsules(let capsules): capsules.map(\.name)
        case .field(let format): (0..<format.channelCount).map { format.name(ofChannel: $0).symbol }
        }
    }

    /// Its capsules; none for a sound field.
    package var capsules: [Capsule] {
        if case .capsules(let capsules) = kind { capsules } else { [] }
    }

    /// The same array in a device that is turned: its capsules where they are then, in axes of the scene.
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

/// The arrays that are known by name.
extension MicrophoneArray {
    /// Radius of the built-in arrays where none is given, metres.
    package static let usualRadius = 0.01
    /// Radii that are taken, metres: from a probe to the width of a hand.
    package static let radii = 0.001...0.1

    /// Names of the arrays that are built in.
    package static let names = ["tetrahedral", "planar3", "planar4", "pair", "ambix", "fuma"]

    /// A built-in array; nil for a name that is none.
    ///
    /// - Parameter radius: of the sphere the capsules sit on, metres; a sound field has none.
    package init?(named name: String, radius: Double = usualRadius) {
        func capsules(_ places: [(String, Double, Double)]) -> Kind {
            .capsules(
                places.map {
                    Capsule(name: $0.0, azimuthDegrees: $0.1, elevationDegrees: $0.2, radius: radius)
                })
        }
        // The corners of a cube that stand ±35.26° above and below the horizon (Craven & Gerzon, US patent 4 042 779).
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

    /// Order 1 is one that every convention has.
    private static func field(_ convention: AmbisonicFormat.Convention) -> Kind {
        // swift-format-ignore: NeverUseForceTry
        .field(try! AmbisonicFormat(order: 1, convention: convention))
    }
}

import Geometry

/// Layout of an OSC message with measurements of sensors, in the axes of a phone or of Proscenium.
package struct OSCSensorProfile: Hashable, Sendable {
    /// Quantity of the numbers, with the factor that converts them to m/s² or µT. Rates are in rad/s.
    package enum Quantity: Hashable, Sendable {
        /// Angular rate.
        case rate
        /// Specific force as an accelerometer measures it: upwards at rest.
        case force(Double)
        /// Gravity: downwards.
        case gravity(Double)
        /// Acceleration without gravity.
        case acceleration(Double)
        /// Magnetic flux density.
        case field(Double)
        /// A fused orientation, x y z w.
        case quaternion
        /// Rate and force together, and also the field if three more numbers follow.
        case all
    }

    /// The OSC address, in lower case. If `isSuffix`, only the last part of the address, with its slash.
    package let address: String
    /// Whether the address is only the last part, and a sender's name must precede it.
    package let isSuffix: Bool
    /// Quantity of the numbers.
    package let quantity: Quantity
    /// Axes of the numbers.
    package let axes: OrientationProfile.Axes
    /// Programs that send this message, with its units and axes.
    package let remark: String

    /// Least count of numbers in a message.
    package var numberCount: Int {
        switch quantity {
        case .quaternion: 4
        case .all: 6
        default: 3
        }
    }

    /// Returns the row for an address in lower case; `nil` if there is none.
    static func matching(_ address: String) -> OSCSensorProfile? {
        if let exact = all.first(where: { !$0.isSuffix && $0.address == address }) { return exact }
        guard let slash = address.lastIndex(of: "/"), slash > address.startIndex else { return nil }
        let name = address[slash...]
        return all.first { $0.isSuffix && $0.address == name }
    }

    /// All messages of sensors that an `osc:` tracker may send; addresses in lower case.
    package static let all: [OSCSensorProfile] = [
        // ZIG SIM puts the phone's name before each address. Its documentation states accel and gravity in g, gyro in
        // rad/s, and the quaternion as x y z w, in the axes of Core Motion (x right, y to the top edge, z out of the
        // screen). Core Motion's gravity points down, and its acceleration excludes gravity: the specific force is
        // acceleration − gravity.
        OSCSensorProfile(
            "/gyro", isSuffix: true, .rate, .rightFrontUp, remark: "ZIG SIM /NAME/gyro x y z, rad/s, phone's axes"),
        OSCSensorProfile(
            "/accel", isSuffix: true, .acceleration(standardGravity), .rightFrontUp,
            remark: "ZIG SIM /NAME/accel x y z, g, without gravity"),
        OSCSensorProfile(
            "/gravity", isSuffix: true, .gravity(standardGravity), .rightFrontUp,
            remark: "ZIG SIM /NAME/gravity x y z, g, downwards"),
        OSCSensorProfile(
            "/quaternion", isSuffix: true, .quaternion, .rightFrontUp,
            remark: "ZIG SIM /NAME/quaternion x y z w, phone flat, top edge to the front"),
        // Android's sensors through Sensors2OSC: SI units, x right, y to the top edge, z out of the screen.
        OSCSensorProfile(
            "/gyroscope", .rate, .rightFrontUp, remark: "Sensors2OSC x y z, rad/s, phone's axes"),
        OSCSensorProfile(
            "/accelerometer", .force(1), .rightFrontUp, remark: "Sensors2OSC x y z, m/s², phone's axes"),
        OSCSensorProfile(
            "/magneticfield", .field(1), .rightFrontUp, remark: "Sensors2OSC x y z, µT, phone's axes"),
        // Proscenium's own message, for a patch or a microcontroller with OSC.
        OSCSensorProfile(
            "/imu", .all, .frontLeftUp,
            remark: "raw IMU: gx gy gz (rad/s) ax ay az (m/s²) [mx my mz (µT)], x front y left z up"),
    ]

    private init(
        _ address: String, isSuffix: Bool = false, _ quantity: Quantity, _ axes: OrientationProfile.Axes, remark: String
    ) {
        self.address = address
        self.isSuffix = isSuffix
        self.quantity = quantity
        self.axes = axes
        self.remark = remark
    }
}

/// Standard gravity ("one g"), m/s² (3rd General Conference on Weights and Measures, 1901).
let standardGravity = 9.80665

/// Combines sensors that arrive one per message. Once a force is known, each angular rate gives one raw measurement,
/// with the latest values of the other sensors. If the sender also sends usable orientations, they are used instead,
/// with the latest rate, until they end.
struct SensorParts: Sendable {
    private var rate = LatestVector()
    private var force = LatestVector()
    private var gravity = LatestVector()
    private var acceleration = LatestVector()
    private var field = LatestVector()
    private var choice = MotionChoice(preferring: .fused)

    /// Processes the finite numbers of a message, at least as many as its row requires.
    mutating func take(
        _ profile: OSCSensorProfile, _ numbers: [Double], stamp: SenderStamp?, into output: inout DecoderOutput
    ) {
        let vector = profile.axes.ours(SIMD3(numbers[0], numbers[1], numbers[2]))
        switch profile.quantity {
        case .force(let unit): force.set(vector * unit)
        case .gravity(let unit): gravity.set(vector * unit)
        case .acceleration(let unit): acceleration.set(vector * unit)
        case .field(let unit): field.set(vector * unit)
        case .quaternion:
            let sent = Quaternion(w: numbers[3], x: numbers[0], y: numbers[1], z: numbers[2])
            output.orientation(profile.axes.ours(sent), rate: rate.use(), stamp: stamp, by: &choice)
        case .all:
            let force = profile.axes.ours(SIMD3(numbers[3], numbers[4], numbers[5]))
            let hasField = numbers.count >= 9
            let field = hasField ? profile.axes.ours(SIMD3(numbers[6], numbers[7], numbers[8])) : nil
            output.inertial(rate: vector, force: force, field: field, stamp: stamp)
        case .rate:
            guard vector.greatestMagnitude <= MotionRanges.greatestRate else {
                return output.faults.append(.implausible)
            }
            rate.set(vector)
            guard let force = specificForce() else { return }
            output.inertial(rate: vector, force: force, field: field.use(), stamp: stamp, by: &choice)
        }
    }

    private mutating func specificForce() -> SIMD3<Double>? {
        if let force = force.use() { return force }
        guard let gravity = gravity.use() else { return nil }
        return (acceleration.use() ?? SIMD3(0, 0, 0)) - gravity
    }
}

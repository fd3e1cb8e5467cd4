import Geometry

/// How one kind of OSC message says what one sensor measures, in the axes of a phone or in ours.
package struct OSCSensorProfile: Hashable, Sendable {
    /// What the numbers are, with the factor that makes them rad/s, m/s² or µT.
    package enum Quantity: Hashable, Sendable {
        /// Angular rate.
        case rate
        /// What an accelerometer shows: upwards at rest.
        case force(Double)
        /// The earth's pull: downwards.
        case gravity(Double)
        /// Acceleration without the earth's pull.
        case acceleration(Double)
        /// Magnetic flux density.
        case field(Double)
        /// A fused orientation, x y z w.
        case quaternion
        /// Rate and force together, and the field where three more numbers follow.
        case all
    }

    /// The address, or what stands after the last slash where the part before it names the sender.
    package let address: String
    /// Whether only the part after the last slash counts, and something must stand before it.
    package let isSuffix: Bool
    /// What the numbers are.
    package let quantity: Quantity
    /// The axes they are measured along.
    package let axes: OrientationProfile.Axes
    /// The programs that speak this.
    package let remark: String

    /// How many numbers a message must have at least.
    package var numberCount: Int {
        switch quantity {
        case .quaternion: 4
        case .all: 6
        default: 3
        }
    }

    /// The row for an address in lower case; `nil` where there is none.
    static func matching(_ address: String) -> OSCSensorProfile? {
        if let exact = all.first(where: { !$0.isSuffix && $0.address == address }) { return exact }
        guard let slash = address.lastIndex(of: "/"), slash > address.startIndex else { return nil }
        let name = address[slash...]
        return all.first { $0.isSuffix && $0.address == name }
    }

    /// Every message of a single sensor understood on an `osc:` tracker; addresses in lower case.
    package static let all: [OSCSensorProfile] = [
        // ZIG SIM puts the phone's name before each; its documentation: accel and gravity in g, gyro in rad/s,
        // quaternion x y z w, in the axes of Core Motion (x right, y to the top edge, z out of the screen). Core
        // Motion's gravity points down and its acceleration is the user's, so that the specific force is acceleration −
        // gravity.
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
        // Ours, for a patch or a microcontroller that speaks OSC.
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

/// The acceleration that "one g" means, m/s² (3rd General Conference on Weights and Measures, 1901).
let standardGravity = 9.80665

/// Sensors that arrive one per message, put together: with each angular rate comes one raw measurement, of the latest
/// of the others. Where the sender fuses too, its orientations are used, with the latest rate.
struct SensorParts: Sendable {
    private var rate = LatestVector()
    private var force = LatestVector()
    private var gravity = LatestVector()
    private var acceleration = LatestVector()
    private var field = LatestVector()
    private var isFused = false

    /// Takes the finite numbers of a message, at least as many as its row asks for.
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
            isFused = true
            let sent = Quaternion(w: numbers[3], x: numbers[0], y: numbers[1], z: numbers[2])
            output.orientation(profile.axes.ours(sent), rate: rate.use(), stamp: stamp)
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
            if !isFused, let force = specificForce() {
                output.inertial(rate: vector, force: force, field: field.use(), stamp: stamp)
            }
        }
    }

    private mutating func specificForce() -> SIMD3<Double>? {
        if let force = force.use() { return force }
        guard let gravity = gravity.use() else { return nil }
        return (acceleration.use() ?? SIMD3(0, 0, 0)) - gravity
    }
}

import Foundation
import Geometry
import IMU
import Testing

/// A magnet beside the magnetometer of a body that turns about all axes.
@Suite struct MagnetTests {
    private static let north = SIMD3<Double>(0, 48 * cos(66 * degree), -48 * sin(66 * degree))

    /// Greatest heading error in degrees between two times. `resting`: seconds before the motion; `scale`: scale error
    /// of the gyroscope; `motion`: orientation at a time, turns about all axes without one; `magnet`: field in body
    /// axes, or none, at a time.
    private func worst(
        resting: Double = 5, scale: Double = 0, motion: ((Double) -> Quaternion)? = nil, from begin: Double,
        to end: Double, magnet: @escaping (Double, Quaternion) -> SIMD3<Double>
    ) -> Double {
        var options = InertialOptions()
        options.usesField = true
        var filter = InertialFilter(options: options)
        var imu = SyntheticIMU(
            motion: motion ?? { time in
                let moving = max(0, time - resting)
                return Quaternion(rotationVector: SIMD3(0, 0, 1.2 * sin(0.9 * moving)))
                    * Quaternion(rotationVector: SIMD3(0.6 * sin(1.3 * moving), 0.5 * sin(1.7 * moving), 0))
            })
        imu.scale = scale
        var found = 0.0
        for time in evenTimes(100, until: end) {
            var sample = imu.sample(from: filter.time ?? time, to: time)
            let pose = imu.motion(time)
            sample.field = pose.conjugate.rotate(Self.north) + magnet(time, pose) + imu.dice.vector(0.3)
            filter.take(sample, at: time)
            if time >= begin { found = max(found, abs(headingError(filter.bodyToWorld, pose))) }
        }
        return found
    }

    @Test(arguments: [SIMD3<Double>(12, 5, -3), SIMD3(-40, 20, 15), SIMD3(30, 60, -60)])
    func anAttachedMagnetIsTakenOffOnceTheBodyTurns(_ field: SIMD3<Double>) {
        // At rest the magnet cannot be distinguished from the earth's field: the heading is wrong by tens of degrees.
        #expect(worst(from: 4, to: 5) { _, _ in field } > 10)
        #expect(worst(from: 30, to: 60) { _, _ in field } < 3)
    }

    @Test func aMagnetThatComesAndGoesLeavesTheHeading() {
        let field = SIMD3<Double>(-35, 20, 15)
        #expect(worst(from: 5, to: 120) { time, _ in time > 40 && time < 80 ? field : .zero } < 4)
    }

    @Test func aMagnetTakenOffIsForgotten() {
        #expect(worst(from: 75, to: 100) { time, _ in time < 60 ? SIMD3(-35, 20, 15) : .zero } < 3)
    }

    @Test func withoutAMagnetNothingIsTakenOff() {
        #expect(worst(from: 3, to: 120) { _, _ in .zero } < 1)
    }

    @Test func aFieldBesideThePlacesCountsLess() {
        // For half a minute the field is 6 % stronger, 3° steeper and turned by 12°, as beside a radiator.
        let bent = SIMD3<Double>(-3.5, 16.6, -48.0)
        let turned = abs(atan2(bent.x, bent.y)) / degree
        #expect(turned > 11)
        let found = worst(from: 40, to: 70) { time, pose in
            time > 40 ? pose.conjugate.rotate(bent - Self.north) : .zero
        }
        #expect(found < 0.25 * turned)
    }

    /// Returns the deviation of a room's field along a path, µT, world axes.
    private static func bends(_ time: Double, _ phase: Double) -> SIMD3<Double> {
        SIMD3(sin(0.37 * time + phase), sin(0.53 * time + 2 * phase), sin(0.29 * time + 3 * phase)) * 3
    }

    @Test(arguments: [(0.0, SIMD3<Double>(5, -5, 3)), (0.0, SIMD3(-6, 1, 6)), (1.0, SIMD3(0.5, 0, -8))])
    func aMagnetAttachedToABodyAtRestLeavesTheHeadingOfTheRest(_ phase: Double, _ field: SIMD3<Double>) {
        // The body has rested in the earth's field for 22 s; it turns from 25 s on, along bent fields.
        let found = worst(resting: 25, from: 25, to: 80) { time, pose in
            time > 22 ? field + pose.conjugate.rotate(Self.bends(time, phase)) : .zero
        }
        #expect(found < 2)
    }

    @Test(arguments: [SIMD3<Double>(2.4, -2, 1.2), SIMD3(-3, 1, -1.5)])
    func aWeakMagnetSeenToComeIsSubtracted(_ field: SIMD3<Double>) {
        // The magnet has 7 % of the earth's field.
        #expect(worst(resting: 25, from: 25, to: 80) { time, _ in time > 22 ? field : .zero } < 2)
    }

    @Test func aMagnetPassedBeforeTheFieldIsLearntDoesNotCount() {
        let magnet = SIMD3<Double>(12, -3, -15)
        let found = worst(resting: 20, from: 30, to: 60) { time, pose in
            time > 20 && time < 23 ? pose.conjugate.rotate(magnet) : .zero
        }
        #expect(found < 1)
    }

    @Test func aMagnetBesideThePathDoesNotBecomeThePlace() {
        // Every other ten seconds the field is turned by 14° and 1° steeper.
        let magnet = SIMD3<Double>(-4, -1, -2)
        let found = worst(resting: 20, from: 40, to: 140) { time, pose in
            time > 25 && Int(time / 10) % 2 == 0 ? pose.conjugate.rotate(magnet) : .zero
        }
        #expect(found < 2)
    }

    @Test func theFieldIsFollowedFasterWhereTheScaleTurnsTheHeading() {
        // A gyroscope with a scale error of 1 % that turns steadily at 1 rad/s would drift by 0.6°/s.
        let turning: (Double) -> Quaternion = { time in
            let moving = max(0, time - 10)
            return Quaternion(rotationVector: SIMD3(0, 0, moving))
                * Quaternion(rotationVector: SIMD3(0.3 * sin(1.3 * moving), 0.3 * sin(1.7 * moving), 0))
        }
        #expect(worst(scale: 0.01, motion: turning, from: 12, to: 70) { _, _ in .zero } < 3)
    }
}

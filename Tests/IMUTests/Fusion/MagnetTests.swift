import Foundation
import Geometry
import IMU
import Testing

/// A magnet beside the magnetometer of a body that turns about all axes.
@Suite struct MagnetTests {
    private static let north = SIMD3<Double>(0, 48 * cos(66 * degree), -48 * sin(66 * degree))

    /// Greatest heading error in degrees between two times; `magnet`: field in body axes, or none, at a time.
    private func worst(
        from begin: Double, to end: Double, magnet: @escaping (Double, Quaternion) -> SIMD3<Double>
    ) -> Double {
        var options = InertialOptions()
        options.usesField = true
        var filter = InertialFilter(options: options)
        var imu = SyntheticIMU(motion: { time in
            let moving = max(0, time - 5)
            return Quaternion(rotationVector: SIMD3(0, 0, 1.2 * sin(0.9 * moving)))
                * Quaternion(rotationVector: SIMD3(0.6 * sin(1.3 * moving), 0.5 * sin(1.7 * moving), 0))
        })
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
        // At rest there is nothing that tells it from the earth's field: the heading is off by tens of degrees.
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
        // For half a minute 6 % stronger, 3° steeper and turned by 12°, as beside a radiator.
        let bent = SIMD3<Double>(-3.5, 16.6, -48.0)
        let turned = abs(atan2(bent.x, bent.y)) / degree
        #expect(turned > 11)
        let found = worst(from: 40, to: 70) { time, pose in
            time > 40 ? pose.conjugate.rotate(bent - Self.north) : .zero
        }
        #expect(found < 0.25 * turned)
    }
}

import Geometry
import HeadTracking
import IMU
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct StillAndMovingHeadTests {
    /// Change of the ITD per degree of yaw, µs. It is about 9 µs near the front; the test assumes 10.
    static let microsecondsPerDegree = 10.0

    @Test(arguments: [1, 2, 3] as [UInt64]) func aStillHeadIsStill(seed: UInt64) {
        let rehearsal = Rehearsal(
            head: RehearsedTracker(noise: 0.1, jitter: 0.005, loss: 0.01) { _ in
                Quaternion(yaw: 20 * degree, pitch: -5 * degree, roll: 3 * degree)
            }, duration: 30)
        let errors = rehearsal.run(seed: seed).filter { $0.time > 1 }.map { yawError($0.pose, 20) }
        let spread = Spread(errors)
        print("still head: yaw error in degrees, \(spread); ITD \(rounded(spread.rms * Self.microsecondsPerDegree)) µs")
        #expect(spread.rms <= 0.05)
        #expect(spread.max <= 0.5)
        #expect(spread.rms * Self.microsecondsPerDegree <= 2)
    }

    @Test(arguments: [0.25, 0.35, 0.5], [0.0, 0.002, 0.005])
    func aSwingingHeadIsFollowed(hertz: Double, jitter: Double) {
        func yaw(_ t: Double) -> Double { 60 * sin(2 * .pi * hertz * t) }
        let rehearsal = Rehearsal(
            head: RehearsedTracker(noise: 0.1, jitter: jitter, loss: 0.01) {
                Quaternion(yaw: yaw($0) * degree, pitch: 0, roll: 0)
            }, duration: 20)
        let spread = Spread(rehearsal.run().filter { $0.time > 1 }.map { yawError($0.pose, yaw($0.time)) })
        print("±60° at \(hertz) Hz, jitter \(jitter * 1000) ms: yaw error in degrees, \(spread)")
        #expect(spread.rms <= 1)
        #expect(spread.max <= 3)
    }

    /// A busy machine delays packets, which then arrive in a bunch: the pose must neither leap nor overshoot.
    @Test(arguments: [(0.025, 2.5), (0.05, 2.5), (0.1, 9)])
    func aBunchOfLateSamplesMakesNoLeap(held: Double, allowed: Double) {
        func yaw(_ t: Double) -> Double { 60 * sin(2 * .pi * 0.25 * t) }
        let holdUps = stride(from: 3.0, to: 19, by: 0.377).map { $0...($0 + held) }
        let rehearsal = Rehearsal(
            head: RehearsedTracker(noise: 0.1, jitter: 0.002, holdUps: holdUps) {
                Quaternion(yaw: yaw($0) * degree, pitch: 0, roll: 0)
            }, duration: 20)
        let heard = rehearsal.run().filter { $0.time > 1 }
        let spread = Spread(heard.map { yawError($0.pose, yaw($0.time)) })
        let fastest = zip(heard, heard.dropFirst()).map { abs(yawError($1.pose, $0.pose.yaw / degree)) }.max() ?? 0
        print("held up for \(held * 1000) ms: yaw error in degrees, \(spread); largest step \(rounded(fastest))")
        // Without samples for `held` + 30 ms, a turn of up to 94°/s is extrapolated for about 90 ms, then held.
        #expect(spread.max <= allowed)
        #expect(fastest <= 1)
    }

    /// Steps of speed to at most 100°/s, within `rise` seconds.
    @Test(arguments: [0.05, 0.1]) func stepsOfSpeedAreFollowed(rise: Double) {
        let speeds = [0.0, 30, 0, -60, 0, 100, 0, -100, 30, 0]
        func yaw(_ t: Double) -> Double {
            // The integral of a speed that changes linearly to the next at each whole second.
            var angle = 0.0
            for index in 1..<speeds.count {
                let u = t - Double(index)
                guard u > 0 else { break }
                let rising = min(u, rise)
                angle += (speeds[index] - speeds[index - 1]) * (rising * rising / (2 * rise) + max(0, u - rise))
            }
            return angle
        }
        var worst = Spread([])
        for seed in 1...5 {
            let rehearsal = Rehearsal(
                head: RehearsedTracker(noise: 0.1, jitter: 0.002) {
                    Quaternion(yaw: yaw($0) * degree, pitch: 0, roll: 0)
                }, duration: 11)
            let spread = Spread(
                rehearsal.run(seed: UInt64(seed)).filter { $0.time > 0.5 }.map { yawError($0.pose, yaw($0.time)) })
            if spread.max > worst.max { worst = spread }
        }
        print("steps of speed within \(rise) s: yaw error in degrees, \(worst)")
        #expect(worst.rms <= 1)
        // A forecast of 30 ms cannot foresee a step: at 100°/s within 0.05 s its error is 2.5° before the first sample.
        #expect(worst.max <= (rise < 0.1 ? 4.5 : 3))
    }
}

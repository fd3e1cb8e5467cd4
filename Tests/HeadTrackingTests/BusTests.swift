import Geometry
import HeadTracking
import IMU
import Testing

/// A minute on a bus that turns by 90° in 3 s, by 180° in 8 s and through an S-bend. The head looks ±60° to the sides,
/// and trackers are silent for 0.4 s at the worst moments.
private enum Bus {
    static let deviceTurns: [(start: Double, duration: Double, degrees: Double)] = [
        (5, 3, 90), (18, 8, -180), (37, 3, 40), (40, 3, -40), (47, 3, 45),
    ]
    static let headTurns: [(start: Double, duration: Double, degrees: Double)] = [
        (2, 1.5, 40), (6, 1.5, -80), (10, 1.9, 100), (13, 1.9, -120), (16.5, 1.9, 60), (20, 2, 60), (23.5, 2, -60),
        (30, 1.9, 60), (33, 1.2, -60), (38, 2, -60), (42, 2, 60), (47.6, 1.9, 60), (52, 2, -60), (55, 1, 30),
    ]
    static let deviceSilence = 6.3...6.7
    static let headSilence = 30.75...31.15
    static let bothSilence = 48.3...48.7

    static func device(_ t: Double) -> Double { sum(deviceTurns, t) }
    static func head(_ t: Double) -> Double { sum(headTurns, t) }
    private static func sum(_ turns: [(start: Double, duration: Double, degrees: Double)], _ t: Double) -> Double {
        turns.reduce(0) { $0 + $1.degrees * turn(t, from: $1.start, over: $1.duration) }
    }
    static func deviceToWorld(_ t: Double) -> Quaternion {
        Quaternion(yaw: device(t) * degree, pitch: 0.02, roll: -0.01)
    }
    static func headToWorld(_ t: Double) -> Quaternion {
        // The seat is level: the head's pitch and roll are relative to the device.
        deviceToWorld(t) * Quaternion(yaw: head(t) * degree, pitch: 0.05, roll: 0.02)
    }

    static func rehearsal(silent: Bool) -> Rehearsal {
        Rehearsal(
            head: RehearsedTracker(
                jitter: 0.002, silences: silent ? [headSilence, bothSilence] : [], phase: 0.004,
                orientation: headToWorld),
            device: RehearsedTracker(
                jitter: 0.002, silences: silent ? [deviceSilence, bothSilence] : [], orientation: deviceToWorld),
            duration: 60)
    }

    static func errors(_ heard: [(time: Double, pose: Quaternion)]) -> [(time: Double, error: Double)] {
        heard.filter { $0.time > 1 }.map { ($0.time, yawError($0.pose, head($0.time))) }
    }
}

@Suite struct BusTests {
    @Test(arguments: [1, 2, 3] as [UInt64]) func theStageStaysWithTheBus(seed: UInt64) {
        let errors = Bus.errors(Bus.rehearsal(silent: true).run(seed: seed))
        let silences = [("device", Bus.deviceSilence), ("head", Bus.headSilence), ("both", Bus.bothSilence)]
        let outside = errors.filter { e in
            !silences.contains { $0.1.lowerBound <= e.time && e.time <= $0.1.upperBound + 0.3 + 0.03 }
        }
        let spread = Spread(outside.map(\.error))
        print("bus, outside dropouts: relative yaw error in degrees, \(spread)")
        #expect(spread.rms <= 1)
        #expect(spread.p95 <= 2)
        #expect(spread.max <= 4)
        for (name, silence) in silences {
            let within = errors.filter { silence.lowerBound <= $0.time && $0.time <= silence.upperBound + 0.33 }
            // Times are those of hearing: the first packet after the silence takes effect one lead later.
            let back = errors.filter { $0.time >= silence.upperBound + 0.04 && $0.time <= silence.upperBound + 0.33 }
            let worst = within.map { abs($0.error) }.max() ?? 0
            let after = rounded(back.last?.error ?? 0)
            print("bus, \(name) silent for 0.4 s: worst \(rounded(worst))°, 0.3 s after \(after)°")
            #expect(abs(back.last?.error ?? 90) <= 1)
            #expect(worst <= (name == "device" ? 8 : 20))
            // The error is eased: from its peak on it shrinks, down to the error at other times.
            let peak = within.max { abs($0.error) < abs($1.error) }?.time ?? 0
            #expect(peak <= silence.upperBound + 0.13)
            var least = Double.infinity
            for e in back where e.time >= peak {
                #expect(abs(e.error) <= least + 0.4, "\(name) at \(e.time) s")
                least = max(1, min(least, abs(e.error)))
            }
        }
        // No step in the heard pose, even at dropouts: the fastest true turn is 119°/s, 0.16° per slice.
        let heard = Bus.rehearsal(silent: true).run(seed: seed).filter { $0.time > 1 }
        let steps = zip(heard, heard.dropFirst()).map { $0.pose.angle(to: $1.pose) / degree }
        print("bus: largest step between slices \(rounded(steps.max() ?? 0))°")
        #expect((steps.max() ?? 90) < 1)
    }

    @Test func turningBothTogetherMovesNothing() {
        // Without noise and at equal times both filters have the same errors, which cancel. The remaining error arises
        // between the arrivals of the two samples.
        var tracker = HeadTracker()
        var worst = 0.0
        for index in 0..<2000 {
            let time = 10 + Double(index) / 100
            let q = Quaternion(
                yaw: 90 * degree * turn(time, from: 14, over: 3), pitch: 0.1 * turn(time, from: 20, over: 1),
                roll: -0.2 * turn(time, from: 22, over: 2))
            tracker.device(OrientationSample(time: time, bodyToWorld: Rotation(q)))
            tracker.head(OrientationSample(time: time, bodyToWorld: Rotation(q)))
            for ahead in [0.0, 0.005, 0.04] {
                worst = max(worst, tracker.forecast(at: time).headToStage(at: time + ahead).angle(to: .identity))
            }
        }
        #expect(worst / degree < 0.1)
    }

    @Test func turningBothTogetherOutOfStepMovesAlmostNothing() {
        var rehearsal = Bus.rehearsal(silent: false)
        rehearsal.head.orientation = Bus.deviceToWorld
        let heard = rehearsal.run().filter { $0.time > 1 }
        let spread = Spread(heard.map { $0.pose.angle(to: .identity) / degree })
        print("head and device turn together, out of step, noisy: the stage moves by \(spread)°")
        #expect(spread.rms <= 0.15)
        #expect(spread.max <= 0.8)
    }

    @Test func withoutSilencesTheErrorStaysSmall() {
        let spread = Spread(Bus.errors(Bus.rehearsal(silent: false).run()).map(\.error))
        print("bus without dropouts: relative yaw error in degrees, \(spread)")
        #expect(spread.rms <= 0.5)
        #expect(spread.max <= 2)
    }
}

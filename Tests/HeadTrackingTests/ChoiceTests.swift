import Geometry
import HeadTracking
import IMU
import SeededRandom
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct ChoiceTests {
    private func bus(_ t: Double) -> Quaternion {
        Quaternion(yaw: 0.8 + 1.2 * turn(t, from: 4, over: 4), pitch: 0.05, roll: -0.03)
    }
    private func head(_ t: Double) -> Quaternion {
        bus(t) * Quaternion(yaw: 0.5 * turn(t, from: 1, over: 1), pitch: 0.1, roll: 0)
    }

    /// References device, head, static and device in turn: no step, the same front, and each with its own effect.
    @Test(arguments: [true, false]) func referencesChangeWithoutAJump(raw: Bool) {
        var ride = Ride()
        if raw {
            ride.add(isHead: true, .perfect, to: 20, seed: 1, bodyToWorld: head)
            ride.add(isHead: false, .perfect, to: 20, seed: 2, phase: 0.003, bodyToWorld: bus)
        } else {
            ride.addOrientations(isHead: true, noise: 0, to: 20, seed: 1, bodyToWorld: head)
            ride.addOrientations(isHead: false, noise: 0, to: 20, seed: 2, bodyToWorld: bus)
        }
        ride.tracker.options.choices.yawPull = 0
        var modes: [HeadTrackerStatus.Mode] = []
        for (time, choice) in [(3.0, "head"), (10, "static"), (12, "device"), (15, "head"), (17, "device")] {
            ride.events.append((time, { $0.options.choices.reference = .init(rawValue: choice)! }))
            ride.events.append((time + 0.9, { modes.append($0.status(at: time + 0.9).mode) }))
        }
        ride.events.sort { $0.time < $1.time }
        let heard = ride.run(to: 20)
        let yaw = { (time: Double) in (heard.first { $0.time >= time }?.pose.yaw ?? 0) / degree }
        #expect(Ride.largestStep(heard, after: 0.2) < 1)
        let before = yaw(2.9)
        // Relative to the earth: a turn of the bus turns the head's yaw.
        #expect(abs(yaw(3.9) - before) < 1)
        #expect(abs(yaw(9.5) - before - 1.2 / degree) < 1.5)
        #expect(abs(yaw(11.5)) < 1e-3)
        // Relative to the device again: the front is the former one.
        #expect(abs(yaw(14.5) - yaw(9.5)) < 1)
        #expect(abs(yaw(16.5) - yaw(14.5)) < 1)
        #expect(abs(yaw(19.5) - yaw(14.5)) < 1)
        #expect(modes == [.headOnly, .still, .relative, .headOnly, .relative])
    }

    @Test func weightsAreEasedAndWeighEachAxis() {
        var ride = Ride()
        let pose = Quaternion(yaw: 0.6, pitch: 0.3, roll: 0)
        ride.addOrientations(isHead: true, noise: 0, to: 10, seed: 1) { _ in pose }
        ride.events = [
            (2, { $0.options.choices.follow = SIMD3(1, 0, 0) }), (4, { $0.options.choices.follow = SIMD3(0, 1, 1) }),
            (6, { $0.options.choices.follow = SIMD3(0.5, 0.5, 0.5) }),
            (8, { $0.options.choices.follow = SIMD3(1, 1, 1) }),
        ]
        let heard = ride.run(to: 10)
        let at = { (time: Double) in heard.first { $0.time >= time }?.pose ?? .identity }
        #expect(Ride.largestStep(heard, after: 1) < 0.5)
        #expect(at(3.5).angle(to: Quaternion(yaw: 0.6, pitch: 0, roll: 0)) < 1e-3)
        #expect(at(5.5).angle(to: Quaternion(yaw: 0, pitch: 0.3, roll: 0)) < 1e-3)
        #expect(abs(at(7.5).yaw - 0.3) < 0.02 && abs(at(7.5).pitch - 0.15) < 0.01)
        #expect(at(9.5).angle(to: pose) < 1e-3)
    }

    @Test func aDiscontinuityDoesNotTurnTheStage() {
        for isHead in [true, false] {
            var ride = Ride()
            let jump = Quaternion(yaw: 1.3, pitch: 0, roll: 0)
            for who in [true, false] {
                ride.addOrientations(isHead: who, noise: 0, to: 8, seed: 1) { t in
                    let q = Quaternion(yaw: who ? 0.4 : 0, pitch: who ? 0.1 : 0, roll: 0)
                    return who == isHead && t >= 4 ? jump * q : q
                }
            }
            ride.samples.append((isHead, TrackerSample(time: 3.999, .discontinuity, arrival: 3.9995)))
            let heard = ride.run(to: 8).filter { $0.time > 3.5 }
            let moved = heard.map { $0.pose.angle(to: heard[0].pose) / degree }.max() ?? 90
            #expect(moved < 1, "head: \(isHead)")
        }
    }

    @Test func aButtonOnTheTrackerRecentres() {
        var ride = Ride()
        ride.add(isHead: true, .perfect, to: 4, seed: 1) {
            Quaternion(yaw: 0.7 * turn($0, from: 0.5, over: 1), pitch: 0, roll: 0)
        }
        ride.samples.append((true, TrackerSample(time: 2, .recentre(full: false))))
        let heard = ride.run(to: 4)
        #expect(abs((heard.first { $0.time >= 1.9 }?.pose.yaw ?? 0) - 0.7) < 0.01)
        #expect(abs(heard.last?.pose.yaw ?? 1) < 0.01)
    }

    /// Both streams stop and resume at random times, alone or together, for 20 ms to 7 s, while head and device turn.
    @Test(arguments: [true, false], [1, 2, 3, 4] as [UInt64]) func stallsNeverMakeAStep(raw: Bool, seed: UInt64) {
        var random = SplitMix(state: seed)
        func silences() -> [ClosedRange<Double>] {
            var result: [ClosedRange<Double>] = []
            var time = 2.0
            while time < 55 {
                let length =
                    Bool.random(using: &random)
                    ? Double.random(in: 0.02...0.3, using: &random)
                    : Bool.random(using: &random) ? Double.random(in: 0.3...1.5, using: &random) : 6.5
                result.append(time...(time + length))
                time += length + Double.random(in: 0.03...2.5, using: &random)
            }
            return result
        }
        let together = silences()
        var ride = Ride()
        func bus(_ t: Double) -> Quaternion { Quaternion(yaw: 1.5 * sin(0.5 * t), pitch: 0.02, roll: 0.01) }
        func head(_ t: Double) -> Quaternion {
            bus(t) * Quaternion(yaw: 1.0 * sin(1.4 * t), pitch: 0.2 * sin(0.9 * t), roll: 0.05)
        }
        let (onHead, onDevice) = (seed % 2 == 0 ? together : silences(), seed % 2 == 0 ? together : silences())
        if raw {
            ride.add(isHead: true, .mpu6050, to: 60, seed: seed, silences: onHead, bodyToWorld: head)
            ride.add(isHead: false, .mpu6050, to: 60, seed: seed + 9, silences: onDevice, bodyToWorld: bus)
        } else {
            ride.addOrientations(isHead: true, to: 60, seed: seed, silences: onHead, bodyToWorld: head)
            ride.addOrientations(isHead: false, to: 60, seed: seed + 9, silences: onDevice, bodyToWorld: bus)
        }
        let heard = ride.run(to: 60)
        let step = Ride.largestStep(heard)
        print("stalls at any time, raw \(raw), seed \(seed): largest step between slices \(rounded(step))°")
        #expect(step <= 1)
    }
}

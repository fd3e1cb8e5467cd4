import Geometry
import OSC
import Testing

@testable import IMU

@Suite struct TrackerReceiverTests {
    private func receiver(
        _ format: String, mounting: Rotation<Tracker, Body> = .identity, inversion: Inversion = [], latency: Double = 0,
        trustsSender: Bool = true
    ) throws -> TrackerReceiver {
        TrackerReceiver(
            try #require(TrackerFormat.named(format)).makeDecoder(.messages), mounting: mounting, inversion: inversion,
            latency: latency, trustsSender: trustsSender)
    }

    /// An IMU that stands upright measures gravity along its top. The samples have it in the head's axes.
    @Test(arguments: Mounting.Attitude.allCases) func whatItMeasuresIsTurnedIntoTheHeadsAxes(
        attitude: Mounting.Attitude
    ) throws {
        let mounting = Mounting.attitude(attitude).rotation
        let own = mounting.quaternion.conjugate
        let up = own.rotate(SIMD3(0, 0, 9.81))
        let turn = own.rotate(SIMD3(0, 0, 0.5))
        var receiver = try receiver("lines", mounting: mounting)
        let row = "imu,,,\(turn.x),\(turn.y),\(turn.z),\(up.x),\(up.y),\(up.z)\n"
        let samples = receiver.take(Array(row.utf8), arrival: 1).samples
        guard case .inertial(let sample) = try #require(samples.first).motion else {
            Issue.record("no measurement")
            return
        }
        #expect(near(sample.force, SIMD3(0, 0, 9.81), within: 1e-6))
        #expect(near(sample.rate, SIMD3(0, 0, 0.5), within: 1e-6))
    }

    /// With every mounting, if the head turns to the left by 30°, the reported orientation turns to the left by 30°.
    @Test(arguments: ["portrait", "landscape-left", "landscape-right", "upside-down", "90/0/0", "10/-20/170"])
    func aFusedOrientationIsThatOfTheHead(mount: String) throws {
        let mounting = try #require(Mounting(mount)).rotation
        var receiver = try receiver("osc", mounting: mounting)
        func head(_ yaw: Double, _ pitch: Double) throws -> Quaternion {
            let tracker = Quaternion(yaw: 0.7 + yaw, pitch: pitch, roll: 0) * mounting.quaternion
            let message = try #require(OrientationProfile.osc.first { $0.address == "/quaternion" })
                .message(saying: tracker)
            guard
                case .orientation(let rotation, _) = receiver.take(message.encoded(), arrival: 0).samples.first?.motion
            else { return .identity }
            return rotation.quaternion
        }
        let (front, left) = (try head(0, 0), try head(.pi / 6, 0.2))
        #expect((front.conjugate * left).angle(to: Quaternion(yaw: .pi / 6, pitch: 0.2, roll: 0)) < 1e-5)
    }

    @Test func anglesCanBeTurnedRound() throws {
        var receiver = try receiver("osc", inversion: [.yaw, .roll], latency: 0.025)
        let sample = try #require(receiver.take(Golden.ypr, arrival: 7).samples.first)
        guard case .orientation(let rotation, _) = sample.motion else { return }
        #expect(near(degrees(rotation), SIMD3(-30, -5, -2.5)))
        #expect(sample.time == 7 - 0.025)
        #expect(sample.arrival == 7)
    }

    @Test func sendersTimesAreUsedUnlessToldNot() throws {
        for trusts in [true, false] {
            var receiver = try receiver("lines", trustsSender: trusts)
            var times: [Double] = []
            for index in 0..<200 {
                // Every third comes 5 ms late.
                let arrival = 10 + Double(index) * 0.01 + (index % 3 == 2 ? 0.005 : 0)
                let row = "quat,\(index),\(index * 10_000_000),1,0,0,0\n"
                times += receiver.take(Array(row.utf8), arrival: arrival).samples.map(\.time)
            }
            let steps = zip(times, times.dropFirst()).suffix(100).map { $1 - $0 }
            #expect(times.count == 200)
            #expect(steps.allSatisfy { abs($0 - 0.01) < 1e-4 } == trusts)
            #expect(receiver.health.timing.lost == 0)
        }
    }

    @Test func healthCountsByCause() throws {
        var receiver = try receiver("opentrack")
        _ = receiver.take(Golden.opentrack, arrival: 1)
        _ = receiver.take([1, 2, 3], arrival: 1)
        receiver.note(.shed(7))
        receiver.note(.opened(place: "here"))
        receiver.note(.lost(reason: "it hung up"))
        receiver.note(.opened(place: "here"))
        let health = receiver.health
        #expect(health.received == 1 && health.dropped == [.malformed: 1] && health.shed == 7)
        #expect(health.droppedTotal == 8 && health.returns == 1 && health.identity == "here")
        #expect(health.connection == .open)
    }

    @Test func aTrackerThatIsPluggedInForAnotherHasItsOwnName() throws {
        var receiver = try receiver("lines")
        receiver.note(.opened(place: "usb-A"))
        #expect(receiver.health.identity == "usb-A")
        receiver.note(.lost(reason: "unplugged"))
        receiver.note(.opened(place: "usb-B"))
        #expect(receiver.health.identity == "usb-B")
        // A tracker that sends its name keeps this name at its old path and at another one.
        _ = receiver.take(Array("device,mine\n".utf8), arrival: 1)
        for place in ["usb-B", "/dev/ttyUSB1", "usb-B"] {
            receiver.note(.lost(reason: "unplugged"))
            receiver.note(.opened(place: place))
            #expect(receiver.health.identity == "mine")
        }
        receiver.note(.lost(reason: "unplugged"))
        receiver.note(.opened(place: "usb-A"))
        #expect(receiver.health.identity == "usb-A")
    }

    @Test func aSenderThatTakesOverHasNotTheNameOfTheFormer() throws {
        var receiver = try receiver("lines")
        let first = DatagramSender(address: [192, 168, 1, 7], port: 5000)
        let second = DatagramSender(address: [192, 168, 1, 8], port: 5000)
        let row = Array("quat,,,1,0,0,0\n".utf8)
        _ = receiver.take(Array("device,phoneA\n".utf8), arrival: 1, sender: first)
        #expect(receiver.take(row, arrival: 1.1, sender: first).samples.count == 1)
        #expect(receiver.take(row, arrival: 1.2, sender: second).samples.isEmpty)
        #expect(receiver.health.identity == "phoneA" && receiver.health.otherSender == second)
        #expect(receiver.take(row, arrival: 3.2, sender: second).samples.count == 1)
        #expect(receiver.health.identity == nil && receiver.health.sender == second)
        #expect(receiver.health.otherSender == nil && receiver.health.complaints.isEmpty)
        // The first sender has its name when it returns; another port of one address is the same tracker.
        #expect(receiver.take(row, arrival: 5.2, sender: first).samples.count == 1)
        #expect(receiver.health.identity == "phoneA")
        let port = DatagramSender(address: [192, 168, 1, 7], port: 5001)
        #expect(receiver.take(row, arrival: 7.2, sender: port).samples.count == 1)
        #expect(receiver.health.identity == "phoneA")
    }
}

import CDevices
import Foundation
import Geometry
import OSC
import Testing

@testable import IMU

@Suite(.timeLimit(.minutes(10))) struct UDPTests {
    /// An inlet that listens on a free port of this machine, what it gathers, and the port.
    private func listening(to format: String) async throws -> (TrackerInlet, Gathered, UInt16) {
        let gathered = Gathered()
        let inlet = TrackerInlet(
            TrackerSpecification(.udp(format: format, address: "127.0.0.1", port: 0)), clock: monotonicSeconds
        ) { gathered.add($0) }
        try await inlet.start()
        return (inlet, gathered, UInt16(try #require(inlet.localPort)))
    }

    /// A SlimeVR tracker says hello from a port of its own and is answered there.
    @Test func aHandshakeIsAnsweredToItsSender() async throws {
        let (inlet, _, port) = try await listening(to: "slimevr")
        let socket = pcd_udp_open("127.0.0.1", 0)
        defer { pcd_close(socket) }
        let hello: [UInt8] = [0, 0, 0, 3] + [UInt8](repeating: 0, count: 8)
        pcd_udp_send(socket, hello, UInt32(hello.count), "127.0.0.1", port)
        var buffer = [UInt8](repeating: 0, count: 256)
        var answer = pcd_datagram()
        #expect(try await eventually { pcd_udp_receive(socket, &buffer, 256, 1, &answer) == 1 })
        #expect(Array(buffer[0..<13]) == [3] + Array("Hey OVR =D 5".utf8))
        await inlet.stop()
    }

    /// A hundred thousand datagrams and more: memory is limited to the socket's buffer and the transport's 64 buffers,
    /// excess datagrams are counted, and at the end the newest one is in force.
    @Test func aFloodIsShed() async throws {
        let (inlet, gathered, port) = try await listening(to: "osc")
        let socket = pcd_udp_open("127.0.0.1", 0)
        defer { pcd_close(socket) }
        for _ in 0..<100_000 { pcd_udp_send(socket, Golden.ypr, UInt32(Golden.ypr.count), "127.0.0.1", port) }
        #expect(inlet.health.received <= gathered.all.count + 1)
        // Far fewer are read than arrived: a thousand at once, and four thousand a second.
        #expect(inlet.health.received < 100_000)
        let other = OrientationProfile.osc[0].message(saying: Quaternion(yaw: 1, pitch: 0, roll: 0)).encoded()
        let isHeard = try await eventually {
            pcd_udp_send(socket, other, UInt32(other.count), "127.0.0.1", port)
        } _: {
            gathered.lastIsNear((180 / .pi, 0, 0))
        }
        #expect(isHeard)
        await inlet.stop()
    }

    /// Two programs send to one port: the first is heard until it is silent, then the other, as after a restart.
    @Test func oneSenderAtATimeIsHeard() async throws {
        let (inlet, gathered, port) = try await listening(to: "osc")
        let sockets = (pcd_udp_open("127.0.0.1", 0), pcd_udp_open("127.0.0.1", 0))
        defer {
            pcd_close(sockets.0)
            pcd_close(sockets.1)
        }
        let other = OrientationProfile.osc[0].message(saying: Quaternion(yaw: 1, pitch: 0, roll: 0)).encoded()
        #expect(
            try await eventually {
                pcd_udp_send(sockets.0, Golden.ypr, UInt32(Golden.ypr.count), "127.0.0.1", port)
                pcd_udp_send(sockets.1, other, UInt32(other.count), "127.0.0.1", port)
            } _: {
                inlet.health.ignored > 20 && gathered.lastIsNear((30, -5, 2.5))
            })
        #expect(inlet.health.complaints.map(\.name) == ["secondSender"])
        let first = inlet.health.sender
        #expect(
            try await eventually {
                pcd_udp_send(sockets.1, other, UInt32(other.count), "127.0.0.1", port)
            } _: {
                gathered.lastIsNear((180 / .pi, 0, 0))
            })
        #expect(inlet.health.sender != first)
        await inlet.stop()
    }

    @Test func anAllowanceIsABurstAndARate() {
        var allowance = FloodAllowance(sustained: 4000, burst: 1000)
        #expect(allowance.take(64, at: 0) == 64)
        #expect(allowance.take(2000, at: 0) == 936)
        #expect(allowance.take(64, at: 0) == 0)
        #expect(allowance.take(64, at: 0.01) == 40)
        #expect(allowance.take(5000, at: 100) == 1000)
        // A clock that is set back adds no allowance.
        #expect(allowance.take(10, at: 50) == 0)
        var total = 0
        for step in 0..<10_000 { total += allowance.take(100, at: 200 + Double(step) / 1000) }
        #expect((40_000...41_000).contains(total))
    }
}

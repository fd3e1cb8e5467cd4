import CDevices
import Desk
import Foundation
import HeadTracking
import Loading
import OSC
import Stages
import Synchronization
import Testing
import Waiting

@testable import Control

/// Floods of commands: faster than the session carries them out, or more than the kernel's socket buffer holds.
@Suite struct ControlFloodTests {
    @Test func aFaderFasterThanTheSessionEndsAtItsLastValueAndNeverGoesBack() async throws {
        let heard = Mutex<[Double]>([])
        let isOpen = Mutex(false)
        let (server, queue, address) = try serve { command in
            // Commands wait until the test opens the gate, and are then slower than the sender.
            #expect(await comes { isOpen.withLock { $0 } })
            try? await Task.sleep(for: .microseconds(200))
            if case .set(let change) = command, case .numbers(let level) = change.value {
                heard.withLock { $0 += level }
            }
            return .done
        }
        let socket = pcd_udp_connect("127.0.0.1", UInt16(address.port))
        try #require(socket >= 0)
        defer { pcd_close(socket) }
        let count = 2000
        for step in 1...count {
            let bytes = OSCMessage("/proscenium/level", [.double(-Double(step) / 1000)]).encoded()
            // At most 50 commands wait in the kernel, which fit into any socket buffer.
            for _ in 0..<30_000 where queue.counts.received < step - 50 { try await Task.sleep(for: .milliseconds(1)) }
            try #require(pcd_write(socket, bytes, UInt32(bytes.count)) == Int32(bytes.count))
            if step == 200 { isOpen.withLock { $0 = true } }
        }
        for _ in 0..<3000 where queue.counts.received < count || !queue.isIdle {
            try await Task.sleep(for: .milliseconds(10))
        }
        let counts = queue.counts
        #expect(counts.received == count && counts.lost == 0 && counts.superseded > 0)
        #expect(counts.performed + counts.superseded + counts.refused == counts.received)
        let values = heard.withLock { $0 }
        #expect(values == values.sorted(by: >))
        #expect(values.last == -Double(count) / 1000)
        await server.stop()
    }

    @Test func aFloodOfQuestionsIsAnsweredOrCounted() async throws {
        let (server, queue, address) = try serve { _ in .refused("busy") }
        let socket = pcd_udp_connect("127.0.0.1", UInt16(address.port))
        try #require(socket >= 0)
        defer { pcd_close(socket) }
        let bytes = OSCMessage("/proscenium/status").encoded()
        var sent = 0
        func ask() { if pcd_write(socket, bytes, UInt32(bytes.count)) == Int32(bytes.count) { sent += 1 } }
        for _ in 0..<5000 { ask() }
        var counts = queue.counts
        for _ in 0..<3000 where counts.received + counts.lost < sent || !queue.isIdle {
            // The count of lost datagrams arrives with the next datagram that is read.
            if counts.received + counts.lost < sent { ask() }
            try await Task.sleep(for: .milliseconds(10))
            counts = queue.counts
        }
        #expect(sent >= 5000 && counts.received + counts.lost == sent)
        let answer = await #expect(throws: SessionError.self) {
            try await ControlClient.request(.status, at: address, timeout: .seconds(300))
        }
        #expect(answer?.description.contains("busy") == true)
        await server.stop()
    }

    /// The count of datagrams that the kernel drops arrives with a later datagram.
    @Test func whatTheKernelThrowsAwayIsCounted() throws {
        let socket = try ControlSocket(at: ControlAddress(port: 0))
        let sender = pcd_udp_connect("127.0.0.1", UInt16(socket.address.port))
        try #require(sender >= 0)
        defer { pcd_close(sender) }
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: ControlSocket.lot * ControlSocket.stride)
        defer { buffer.deallocate() }
        var datagrams = [pcd_datagram](repeating: pcd_datagram(), count: ControlSocket.lot)
        let bytes = [UInt8](repeating: 7, count: 16)
        var (received, lost) = (0, 0)
        func drain() {
            while true {
                let found = socket.receive(into: buffer, &datagrams) { _, _ in }
                guard found.count > 0 else { return }
                received += found.count
                lost = found.lost
            }
        }
        // Three times as many as the requested buffer holds: each occupies at least 768 bytes of it.
        for _ in 0..<60_000 { try #require(pcd_write(sender, bytes, UInt32(bytes.count)) == 16) }
        drain()
        try #require(pcd_write(sender, bytes, UInt32(bytes.count)) == 16)
        drain()
        #expect(lost > 0 && received + lost == 60_001, "\(received) received, \(lost) lost")
    }

    /// In an earlier version a command was counted after it was passed on, when its answer may already have been sent.
    @Test func aCommandIsCountedBeforeItIsCarriedOut() async throws {
        let queue = CommandQueue()
        let received = Mutex<[Int]>([])
        queue.serve { _ in
            received.withLock { $0.append(queue.counts.received) }
            return .done
        }
        let server = try ControlServer(at: ControlAddress(port: 0), desk: SessionDesk(commands: queue))
        for _ in 0..<200 {
            _ = try await ControlClient.request(.recentre(.yaw), at: server.address, timeout: .seconds(300))
        }
        #expect(received.withLock { $0 } == Array(1...200))
        await server.stop()
    }

    @Test func whoAsksOnceIsAnsweredBesideAFlood() async throws {
        let isOpen = Mutex(false)
        let (server, queue, address) = try serve { _ in
            #expect(await comes { isOpen.withLock { $0 } })
            return .refused("busy")
        }
        let flood = pcd_udp_connect("127.0.0.1", UInt16(address.port))
        let one = pcd_udp_connect("127.0.0.1", UInt16(address.port))
        try #require(flood >= 0 && one >= 0)
        defer { for socket in [flood, one] { pcd_close(socket) } }
        let bytes = OSCMessage("/proscenium/status").encoded()
        // The first command is carried out at once; the later ones wait, and share one answer.
        let count = 300
        for sent in 1...count {
            _ = pcd_write(flood, bytes, UInt32(bytes.count))
            // The socket holds 50 datagrams even while the server does not read.
            for _ in 0..<3000 where sent.isMultiple(of: 50) && queue.counts.received < sent {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        _ = pcd_write(one, bytes, UInt32(bytes.count))
        for _ in 0..<3000 where queue.counts.received <= count { try await Task.sleep(for: .milliseconds(10)) }
        isOpen.withLock { $0 = true }
        #expect(await comes { pcd_wait(one, -1, 0) & 1 != 0 })
        for _ in 0..<3000 where !queue.isIdle { try await Task.sleep(for: .milliseconds(10)) }
        let counts = queue.counts
        #expect(counts.performed + counts.shared == count + 1)
        await server.stop()
    }
}

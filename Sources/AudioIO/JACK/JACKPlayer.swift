import CJACK
import CRealtime
import Foundation
import Signal
import Synchronization

/// Plays a sound file as a JACK client of its own, its first frame at a given frame of the server's clock.
///
/// The whole file is held in memory, so that in freewheel too no frame is ever late; made for demonstrations and tests.
/// Invariant (why `@unchecked Sendable` holds): constants, and a context whose changing fields are atomic.
package final class JACKPlayer: @unchecked Sendable {
    /// What the audio thread plays from.
    private struct Context: ~Copyable {
        let client: OpaquePointer
        let ports: UnsafeMutablePointer<OpaquePointer>
        let channelCount: Int
        let programme: HeldProgramme
        /// Microseconds to sleep in every cycle, 0 for none.
        let pause = Atomic<UInt32>(0)
        let serverIsGone = Atomic<Bool>(false)

        /// One period: the part of the file that falls into it, silence around it. Audio thread.
        @_noLocks
        func process(_ frames: Int) {
            let rest = pause.load(ordering: .relaxed)
            if rest > 0 { prc_sleep_microseconds(rest) }
            let firstFrame = cjack_last_frame_time(client)
            for channel in 0..<channelCount {
                guard let buffer = cjack_port_get_buffer(ports[channel], UInt32(truncatingIfNeeded: frames)) else {
                    continue
                }
                programme.play(
                    channel, into: buffer.assumingMemoryBound(to: Float.self), frames: frames, firstFrame: firstFrame)
            }
        }
    }

    /// The name the server gave.
    package let name: String
    /// Channels of the file; the ports are `out_1`, `out_2`, …
    package let channelCount: Int
    /// The server's rate, which is the file's.
    package let sampleRate: SampleRate
    private let programme: PlanarBlock
    private let context: UnsafeMutablePointer<Context>

    /// Reads the file and opens the client; it plays silence until `play`.
    package init(path: String, name: String = "player") throws {
        // All that can fail of the file fails before there is a client.
        let reader = try SoundFileReader(path: path)
        let programme = PlanarBlock(channels: reader.channelCount, frames: reader.frameCount)
        _ = try reader.read(into: programme, frames: reader.frameCount)
        JACKMessages.divert()
        var status = jack_status_t(rawValue: 0)
        guard let client = cjack_client_open(name, JackNoStartServer, &status) else {
            throw JACKDiagnosis.error(status: status, name: name, limit: 63)
        }
        let rate = Double(jack_get_sample_rate(client))
        guard rate == reader.sampleRate.hertz else {
            jack_client_close(client)
            throw JACKError.wrongSampleRate(server: rate, wanted: reader.sampleRate.hertz)
        }
        self.name = String(cString: jack_get_client_name(client))
        channelCount = reader.channelCount
        sampleRate = reader.sampleRate
        let rows = programme.pointers
        self.programme = programme
        let ports = UnsafeMutablePointer<OpaquePointer>.allocate(capacity: channelCount)
        context = .allocate(capacity: 1)
        context.initialize(
            to: Context(
                client: client, ports: ports, channelCount: channelCount,
                programme: HeldProgramme(rows: rows, frameCount: reader.frameCount)))
        do throws(JACKError) {
            try JACKConnections.register(outputs: ports, count: channelCount, client: client)
            try Self.activate(client, context)
        } catch {
            jack_client_close(client)
            ports.deallocate()
            context.deinitialize(count: 1)
            context.deallocate()
            throw error
        }
    }

    private static func activate(
        _ client: OpaquePointer, _ context: UnsafeMutablePointer<Context>
    ) throws(JACKError) {
        jack_set_process_callback(
            client,
            { frames, argument in
                argument?.assumingMemoryBound(to: Context.self).pointee.process(Int(frames))
                return 0
            }, context)
        jack_on_shutdown(
            client,
            { argument in
                argument?.assumingMemoryBound(to: Context.self).pointee.serverIsGone.store(true, ordering: .relaxed)
            }, context)
        guard JACKActivation.activate(client) else {
            throw .notActivated(step: "activate the client", detail: JACKMessages.last)
        }
    }

    deinit {
        jack_client_close(context.pointee.client)
        context.pointee.ports.deallocate()
        context.deinitialize(count: 1)
        context.deallocate()
    }

    /// The server's frame clock now, estimated.
    package var frameTime: UInt32 { jack_frame_time(context.pointee.client) }

    /// Whether the server went away.
    package var serverIsGone: Bool { context.pointee.serverIsGone.load(ordering: .relaxed) }

    /// Connects the outputs in order to the audio inputs of another client, in their order, as far as both go.
    package func connect(to other: String) throws(JACKError) {
        try JACKConnections.join(
            (1...channelCount).map { "\(name):out_\($0)" }, to: other, client: context.pointee.client)
    }

    /// Sleeps so many microseconds in every cycle. In freewheel PipeWire does not wait for a client that is late: this
    /// gives the others time.
    package func pause(inEachCycle microseconds: UInt32) {
        context.pointee.pause.store(microseconds, ordering: .relaxed)
    }

    /// Lets the file begin again whenever it ends, for up to half a day.
    package func loop() { context.pointee.programme.loops.store(true, ordering: .relaxed) }

    /// Lets the file begin at a frame of the server's clock; silence until then.
    package func play(atFrame frame: UInt32) {
        context.pointee.programme.begin.store(1 << 63 | UInt64(frame), ordering: .releasing)
    }
}

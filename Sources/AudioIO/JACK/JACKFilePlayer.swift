import CJACK
import CRealtime
import Glibc
import Signal
import Synchronization

/// Plays sound files as a JACK client of its own, from disk, in constant memory, at the server's rate whatever theirs.
///
/// It seeks, pauses and changes its gain without clicks; frames that come too late live are silence, counted and told; in
/// freewheel they are waited for, so that the same samples come out as if there were all the time in the world.
/// Invariant (why `@unchecked Sendable` holds): constants, and a context whose changing fields are atomic or the audio
/// thread's alone. Calls may come from any thread but the audio thread.
package final class JACKFilePlayer: @unchecked Sendable {
    private struct Context: ~Copyable {
        let client: OpaquePointer
        let ports: UnsafeMutablePointer<OpaquePointer>
        let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        let channelCount: Int
        let queue: UnsafeMutablePointer<ProgrammeQueue>
        let isFreewheeling = Atomic<Bool>(false)
        let serverIsGone = Atomic<Bool>(false)
        /// The server's frame clock at the newest cycle's first frame.
        let cycleStart = Atomic<UInt32>(0)

        /// One period. Audio thread.
        @_noLocks
        func process(_ frames: Int) {
            for channel in 0..<channelCount {
                guard let buffer = cjack_port_get_buffer(ports[channel], UInt32(truncatingIfNeeded: frames)) else {
                    return
                }
                rows[channel] = buffer.assumingMemoryBound(to: Float.self)
            }
            let firstFrame = cjack_last_frame_time(client)
            cycleStart.store(firstFrame, ordering: .relaxed)
            queue.pointee.play(
                into: rows, frames: frames, firstFrame: firstFrame,
                live: !isFreewheeling.load(ordering: .relaxed))
        }
    }

    /// How it goes.
    package struct Status: Sendable, Equatable {
        /// The file that plays, by its place in the list.
        package var file: Int
        /// Seconds into it, and its length in seconds.
        package var seconds: Double, duration: Double
        /// Whether the user paused it.
        package var isPaused: Bool
        /// Whether the last file was played to its end.
        package var hasEnded: Bool
        /// Gain in dB.
        package var gain: Double
        /// Times that the file could not be read in time, and the frames of silence that made.
        package var underruns: Int, missedFrames: Int
        /// Samples that were not finite and were silenced.
        package var nonFiniteSamples: Int
    }

    /// The name the server gave.
    package let name: String
    /// Channels; the ports are `out_1`, `out_2`, …
    package let channelCount: Int
    /// The server's rate.
    package let sampleRate: SampleRate
    private let reader: PlaybackReader
    private let context: UnsafeMutablePointer<Context>

    /// Opens files with as many channels each, and the client; it plays silence until `play`, then from `seconds` into the
    /// file at `firstFile` on.
    package init(paths: [String], name: String, firstFile: Int = 0, seconds: Double = 0) throws {
        JACKMessages.divert()
        var status = jack_status_t(rawValue: 0)
        guard let client = cjack_client_open(name, JackNoStartServer, &status) else {
            throw JACKDiagnosis.error(status: status, name: name, limit: 63)
        }
        let hertz = Double(jack_get_sample_rate(client))
        let reader: PlaybackReader
        do {
            guard let rate = SampleRate(hertz: hertz) else {
                throw JACKError.wrongSampleRate(server: hertz, wanted: SampleRate.studio.hertz)
            }
            sampleRate = rate
            reader = try PlaybackReader(
                paths: paths, rate: rate, firstFile: firstFile, seconds: seconds)
        } catch {
            jack_client_close(client)
            throw error
        }
        self.reader = reader
        self.name = String(cString: jack_get_client_name(client))
        channelCount = reader.queue.pointee.channelCount
        let ports = UnsafeMutablePointer<OpaquePointer>.allocate(capacity: channelCount)
        let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channelCount)
        context = .allocate(capacity: 1)
        context.initialize(
            to: Context(client: client, ports: ports, rows: rows, channelCount: channelCount, queue: reader.queue))
        do throws(JACKError) { try Self.activate(client, ports, channelCount, context) } catch {
            reader.stop()
            jack_client_close(client)
            ports.deallocate()
            rows.deallocate()
            context.deinitialize(count: 1)
            context.deallocate()
            throw error
        }
    }

    private static func activate(
        _ client: OpaquePointer, _ ports: UnsafeMutablePointer<OpaquePointer>, _ channelCount: Int,
        _ context: UnsafeMutablePointer<Context>
    ) throws(JACKError) {
        try JACKConnections.register(outputs: ports, count: channelCount, client: client)
        jack_set_process_callback(
            client,
            { frames, argument in
                argument?.assumingMemoryBound(to: Context.self).pointee.process(Int(frames))
                return 0
            }, context)
        jack_set_freewheel_callback(
            client,
            { starting, argument in
                let context = argument?.assumingMemoryBound(to: Context.self)
                context?.pointee.isFreewheeling.store(starting != 0, ordering: .relaxed)
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
        reader.stop()
        jack_client_close(context.pointee.client)
        context.pointee.ports.deallocate()
        context.pointee.rows.deallocate()
        context.deinitialize(count: 1)
        context.deallocate()
    }

    /// The first frame of the cycle that begins at least so many seconds from now. What begins with a cycle is rendered in
    /// the same pieces live and offline.
    package func cycle(after seconds: Double) -> UInt32 {
        let period = max(1, jack_get_buffer_size(context.pointee.client))
        let ahead = UInt32((seconds * sampleRate.hertz).rounded(.up))
        return context.pointee.cycleStart.load(ordering: .relaxed) &+ (ahead + period - 1) / period * period
    }

    /// Whether the server went away.
    package var serverIsGone: Bool { context.pointee.serverIsGone.load(ordering: .relaxed) }

    /// Why reading ended early; nil while all is well.
    package var failure: SoundFileError? { reader.failure }

    /// Connects the outputs in order to the audio inputs of another client, in their order, as far as both go.
    package func connect(to other: String) throws(JACKError) {
        try JACKConnections.join(
            (1...channelCount).map { "\(name):out_\($0)" }, to: other, client: context.pointee.client)
    }

    /// Lets the first file begin at a frame of the server's clock; silence until then.
    package func play(atFrame frame: UInt32) {
        context.pointee.queue.pointee.begin.store(1 << 63 | UInt64(frame), ordering: .releasing)
    }

    /// Pauses or goes on, each with a fade of 10 ms.
    package func pause(_ isPaused: Bool) {
        context.pointee.queue.pointee.isPaused.store(isPaused, ordering: .relaxed)
    }

    /// Continues at a place: out and in with fades of 10 ms.
    package func jump(toFile file: Int, seconds: Double) {
        reader.jump(toFile: file, seconds: seconds)
    }

    /// Sets the gain in dB; it ramps over a period.
    package func setGain(_ gain: Decibels) { reader.setGain(gain) }

    /// Lets the list of files begin again when it ends, without a gap.
    package func setLoop(_ loops: Bool) { reader.loops = loops }

    /// Whether the list begins again.
    package var loops: Bool { reader.loops }

    /// How it goes now.
    package var status: Status { reader.status(at: sampleRate) }
}

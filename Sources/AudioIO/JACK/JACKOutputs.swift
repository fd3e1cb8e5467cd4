import CJACK
import CRealtime
import Foundation
import Signal
import Synchronization

/// Client of the JACK server that has only outputs, `out_1`, `out_2` and so on. It plays a sound.
///
/// The sound belongs to the audio thread until `close` has returned true. Calls may come from any thread except the
/// audio thread.
final class JACKOutputs: PlayerOutputs {
    /// Data of the audio thread.
    private struct Context: ~Copyable {
        let client: OpaquePointer
        let sound: PlayedSound
        let channelCount: Int
        let ports: UnsafeMutablePointer<OpaquePointer>
        let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        let server = JACKServerState.make()
        /// The server's frame clock at the newest cycle's first frame.
        let cycleStart = Atomic<UInt32>(0)
        /// Time to sleep in every cycle, microseconds; 0 for no sleep.
        let pause = Atomic<UInt32>(0)

        init(client: OpaquePointer, sound: PlayedSound, channelCount: Int) {
            self.client = client
            self.sound = sound
            self.channelCount = channelCount
            ports = .allocate(capacity: channelCount)
            rows = .allocate(capacity: channelCount)
        }

        deinit {
            ports.deallocate()
            rows.deallocate()
            JACKServerState.free(server)
        }

        /// Plays one period. Called on the audio thread.
        @_noLocks
        func process(_ frames: Int) {
            let rest = pause.load(ordering: .relaxed)
            if rest > 0 { prc_sleep_microseconds(rest) }
            for channel in 0..<channelCount {
                guard let buffer = cjack_port_get_buffer(ports[channel], UInt32(truncatingIfNeeded: frames)) else {
                    return
                }
                rows[channel] = buffer.assumingMemoryBound(to: Float.self)
            }
            let firstFrame = cjack_last_frame_time(client)
            cycleStart.store(firstFrame, ordering: .relaxed)
            sound.play(
                into: rows, frames: frames, firstFrame: firstFrame,
                live: !server.pointee.isFreewheeling.load(ordering: .relaxed))
        }
    }

    let name: String
    let hertz: Double
    private let handle: JACKHandle
    private var client: OpaquePointer { handle.pointer }
    /// Data of the audio thread; nil before `start`.
    private let started = Mutex<ThreadOwned<Context>?>(nil)
    private var context: ThreadOwned<Context>? { started.withLock(\.self) }
    private let isOpen = Atomic<Bool>(true)

    /// Opens the client, which has no ports yet.
    init(name: String) throws(JACKError) {
        JACKMessages.divert()
        let opened = try JACKOpening.open(name: name, exactName: false, limit: 63)
        handle = JACKHandle(opened.client)
        self.name = opened.name
        hertz = Double(jack_get_sample_rate(opened.client))
    }

    deinit { _ = close() }

    func start(_ sound: PlayedSound, channels: Int) throws(JACKError) {
        let context = ThreadOwned(Context(client: client, sound: sound, channelCount: channels))
        started.withLock { $0 = context }
        try JACKConnections.register(outputs: context.pointee.ports, count: channels, client: client)
        jack_set_process_callback(
            client,
            { frames, argument in
                argument?.assumingMemoryBound(to: Context.self).pointee.process(Int(frames))
                return 0
            }, context.pointer)
        JACKServerState.follow(client, in: context.pointee.server)
        guard JACKActivation.activate(client) else {
            throw .notActivated(step: "activate the client", detail: JACKMessages.last)
        }
    }

    func close() -> Bool {
        guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return true }
        return JACKRemains(client: handle, context: context).close(within: 3)
    }

    var serverIsGone: Bool { context?.pointee.server.pointee.isGone.load(ordering: .relaxed) ?? false }

    func connect(to other: String) throws(JACKError) {
        let count = context?.pointee.channelCount ?? 0
        try JACKConnections.join((0..<count).map { "\(name):out_\($0 + 1)" }, to: other, client: client)
    }

    func cycle(after seconds: Double) -> UInt32 {
        let period = max(1, jack_get_buffer_size(client))
        let ahead = UInt32((seconds * hertz).rounded(.up))
        let start = context?.pointee.cycleStart.load(ordering: .relaxed) ?? 0
        return start &+ (ahead + period - 1) / period * period
    }

    /// Estimate of the server's present frame clock.
    var frameTime: UInt32 { jack_frame_time(client) }

    /// Sets the time to sleep in every cycle from now on, microseconds.
    func pause(inEachCycle microseconds: UInt32) { context?.pointee.pause.store(microseconds, ordering: .relaxed) }
}

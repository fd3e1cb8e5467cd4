import CJACK
import CRealtime
import Foundation
import Signal
import Synchronization

/// A client of the JACK server with an output for each loudspeaker and an input for each ear.
///
/// The context belongs to the audio thread until `close` has returned.
package final class JACKExchange: SweepExchange {
    /// Data of the audio thread.
    private struct Context: ~Copyable {
        let client: OpaquePointer
        let count: Int
        let ports: UnsafeMutablePointer<OpaquePointer>
        let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        var sound: ExchangedSound
        let server = JACKServerState.make()

        init(client: OpaquePointer, loudspeakers: Int, frames: Int) {
            self.client = client
            count = loudspeakers
            ports = .allocate(capacity: loudspeakers + 2)
            rows = .allocate(capacity: loudspeakers + 2)
            sound = ExchangedSound(loudspeakers: loudspeakers, frames: frames)
        }

        deinit {
            ports.deallocate()
            rows.deallocate()
            JACKServerState.free(server)
        }

        /// Plays and records one period. Called on the audio thread.
        @_noLocks
        mutating func process(_ frames: Int) {
            for place in 0..<(count + 2) {
                guard let buffer = cjack_port_get_buffer(ports[place], UInt32(truncatingIfNeeded: frames)) else {
                    return
                }
                rows[place] = buffer.assumingMemoryBound(to: Float.self)
            }
            sound.process(rows, rows + count, frames: frames, clock: cjack_last_frame_time(client))
        }
    }

    /// Name that the server gave the client.
    package let name: String
    /// Sample rate of the server.
    package let sampleRate: SampleRate
    private let handle: JACKHandle
    private var client: OpaquePointer { handle.pointer }
    private let context: ThreadOwned<Context>
    /// Names of the outputs, in their order.
    package let loudspeakers: [String]
    /// Frames of the longest sound.
    private let longest: Int
    private let isOpen = Mutex(true)

    /// Names of the inputs.
    private static let ears = ["ear_left", "ear_right"]
    /// Time without a cycle after which the server counts as gone, seconds.
    private static let patience = 10.0

    /// Opens the client with an output for each loudspeaker, which has the loudspeaker's name, and an input for each
    /// ear.
    ///
    /// - Parameter longest: duration of the longest sound, seconds.
    /// - Throws: the errors of opening a client; `unsupportedSampleRate`, `serverGone`, `noMorePorts`, `notActivated`.
    package init(name: String, loudspeakers: [String], longest seconds: Double) throws(JACKError) {
        JACKMessages.divert()
        let opened = try JACKOpening.open(name: name, exactName: false, limit: 63)
        let client = opened.client
        handle = JACKHandle(client)
        self.name = opened.name
        self.loudspeakers = loudspeakers
        let hertz = Double(jack_get_sample_rate(client))
        guard let rate = SampleRate(hertz: hertz) else {
            JACKRequest.close(client)
            throw .unsupportedSampleRate(hertz)
        }
        sampleRate = rate
        longest = Int((seconds * hertz).rounded(.up))
        context = ThreadOwned(Context(client: client, loudspeakers: loudspeakers.count, frames: longest))
        do throws(JACKError) {
            for (place, symbol) in (loudspeakers + Self.ears).enumerated() {
                let kind: JACKPortKind = place < loudspeakers.count ? .output : .input
                guard let port = kind.register(symbol, of: client) else {
                    throw JACKPortKind.refusal(by: client, registered: place, wanted: loudspeakers.count + 2)
                }
                context.pointee.ports[place] = port
            }
            try start()
        } catch {
            _ = close()
            throw error
        }
    }

    deinit { _ = close() }

    private func start() throws(JACKError) {
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

    /// Connects the outputs, in order, to the ports that the pattern `loudspeakers` names. Connects the ports that the
    /// pattern `ears` names to the inputs of the ears. A nil pattern changes no connection.
    ///
    /// - Throws: `noSuchPort` for a pattern with too few ports, `notConnected`, `serverGone`.
    package func connect(loudspeakers pattern: String?, ears microphones: String?) throws(JACKError) {
        guard !isGone else { throw .serverGone }
        if let pattern {
            let outputs = loudspeakers.map { "\(name):\($0)" }
            let found = JACKConnections.ports(named: pattern, flag: JackPortIsInput, client: client)
            try join(zip(outputs, found), count: outputs.count, pattern, takesSound: true)
        }
        if let microphones {
            let found = JACKConnections.ports(named: microphones, flag: JackPortIsOutput, client: client)
            try join(zip(found, Self.ears.map { "\(name):\($0)" }), count: 2, microphones, takesSound: false)
        }
    }

    private func join(
        _ pairs: some Sequence<(String, String)>, count: Int, _ pattern: String, takesSound: Bool
    ) throws(JACKError) {
        let pairs = Array(pairs)
        guard pairs.count == count else {
            let flag = takesSound ? JackPortIsInput : JackPortIsOutput
            let others = JACKConnections.ports(of: client, matching: nil, flags: UInt32(flag.rawValue))
            throw .noSuchPort(
                pattern: pattern, takesSound: takesSound, available: others.filter { !$0.hasPrefix(name + ":") })
        }
        for (from, to) in pairs {
            let code = JACKRequest.connect(client, from, to)
            guard code == 0 || code == EEXIST else { throw .notConnected(from: from, to: to, code: code) }
        }
    }

    private var isGone: Bool {
        isOpen.withLock { !$0 || context.pointee.server.pointee.isGone.load(ordering: .relaxed) }
    }

    package func exchange(_ signals: [[Float]], goesOn: () -> Bool) async throws(JACKError) -> ExchangedTake? {
        let frames = signals.first?.count ?? 0
        precondition(signals.count == loudspeakers.count && frames <= longest)
        precondition(signals.allSatisfy { $0.count == frames })
        let sound = context.pointer
        for (channel, row) in signals.enumerated() {
            for (i, sample) in row.enumerated() { sound.pointee.sound.played[channel][i] = sample }
        }
        sound.pointee.sound.position.store(0, ordering: .relaxed)
        sound.pointee.sound.lostFrames.store(0, ordering: .relaxed)
        sound.pointee.sound.isEnding.store(false, ordering: .relaxed)
        sound.pointee.sound.length.store(frames, ordering: .relaxed)
        sound.pointee.sound.phase.store(.armed, ordering: .releasing)
        var (isEnding, reached, since) = (false, -1, prc_monotonic_nanoseconds())
        while sound.pointee.sound.phase.load(ordering: .acquiring) != .idle {
            guard !isGone else { throw .serverGone }
            let position = sound.pointee.sound.position.load(ordering: .relaxed)
            let now = prc_monotonic_nanoseconds()
            if position != reached { (reached, since) = (position, now) }
            guard Double(now - since) < Self.patience * 1e9 else { throw .serverGone }
            if !isEnding, !goesOn() {
                isEnding = true
                sound.pointee.sound.isEnding.store(true, ordering: .relaxed)
            }
            // In a cancelled task `Task.sleep` returns immediately. Without another pause the loop would use a whole
            // processor.
            do { try await Task.sleep(for: .milliseconds(40)) } catch { usleep(10_000) }
        }
        guard !isEnding else { return nil }
        let ears = (0..<2).map { ear in
            Array(UnsafeBufferPointer(start: sound.pointee.sound.recorded[ear], count: frames))
        }
        return ExchangedTake(
            left: ears[0], right: ears[1], lostFrames: sound.pointee.sound.lostFrames.load(ordering: .relaxed))
    }

    package func close() -> Bool {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return true }
        return JACKRemains(client: handle, context: context).close(within: 3)
    }
}

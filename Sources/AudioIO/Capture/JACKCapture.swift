import CJACK
import CRealtime
import Foundation
import Signal
import Synchronization

/// Client of the JACK server for a capture (a recording with a microphone array). It has only inputs.
///
/// The context belongs to the audio thread until `close` has returned. A lock protects the flag `isOpen`.
package final class JACKCapture: CaptureInputs {
    /// Data of the audio thread.
    private struct Context: ~Copyable {
        let client: OpaquePointer
        let count: Int
        let ports: UnsafeMutablePointer<OpaquePointer>
        let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        var tap: CaptureTap
        let server = JACKServerState.make()

        init(client: OpaquePointer, count: Int, hertz: Double) {
            self.client = client
            self.count = count
            ports = .allocate(capacity: count)
            rows = .allocate(capacity: count)
            // Five seconds are longer than the usual stalls of a disk.
            tap = CaptureTap(channels: count, seconds: 5, sampleRate: hertz)
        }

        deinit {
            ports.deallocate()
            rows.deallocate()
            JACKServerState.free(server)
        }

        /// Pushes one period into the tap. Called on the audio thread.
        @_noLocks
        mutating func process(_ frames: Int) {
            for channel in 0..<count {
                guard let buffer = cjack_port_get_buffer(ports[channel], UInt32(truncatingIfNeeded: frames)) else {
                    return
                }
                rows[channel] = buffer.assumingMemoryBound(to: Float.self)
            }
            tap.push(
                rows, frames: frames, clock: cjack_last_frame_time(client),
                live: !server.pointee.isFreewheeling.load(ordering: .relaxed))
        }
    }

    package let name: String
    package let sampleRate: SampleRate
    package let channelCount: Int
    private let handle: JACKHandle
    private var client: OpaquePointer { handle.pointer }
    private let context: ThreadOwned<Context>
    private let symbols: [String]
    private let isOpen = Mutex(true)

    /// Opens the client with an input `in_NAME` for each channel. With two banks, each channel also has an input
    /// `next_NAME`.
    ///
    /// - Throws: The errors of opening a client; `unsupportedSampleRate`, `serverGone`, `noMorePorts` or
    ///   `notActivated`.
    package init(name: String, channels: [String], banks: Int = 2) throws(JACKError) {
        JACKMessages.divert()
        let opened = try JACKOpening.open(name: name, exactName: false, limit: 63)
        let client = opened.client
        handle = JACKHandle(client)
        self.name = opened.name
        let hertz = Double(jack_get_sample_rate(client))
        guard let rate = SampleRate(hertz: hertz) else {
            JACKRequest.close(client)
            throw .unsupportedSampleRate(hertz)
        }
        sampleRate = rate
        channelCount = channels.count
        symbols = channels.map { "in_" + $0 } + (banks > 1 ? channels.map { "next_" + $0 } : [])
        context = ThreadOwned(Context(client: client, count: symbols.count, hertz: hertz))
        do throws(JACKError) {
            for (place, symbol) in symbols.enumerated() {
                guard let port = JACKPortKind.input.register(symbol, of: client) else {
                    throw JACKPortKind.refusal(by: client, registered: place, wanted: symbols.count)
                }
                context.pointee.ports[place] = port
                let isNext = place >= channels.count
                JACKMetadata.describe(
                    port, of: client, prettyName: channels[place % channels.count] + (isNext ? " (next)" : ""),
                    group: isNext ? "Next" : "Array", order: place)
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

    package func close() -> Bool {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return true }
        context.pointee.tap.isAbandoned.store(true, ordering: .relaxed)
        return JACKRemains(client: handle, context: context).close(within: 3)
    }

    /// Runs `body` with the context while the client is open. Returns `otherwise` if it is closed.
    private func open<Result: Sendable>(
        _ otherwise: Result, _ body: (ThreadOwned<Context>) -> Result
    ) -> Result {
        isOpen.withLock { $0 ? body(context) : otherwise }
    }

    package var lostFrames: Int { open(0) { $0.pointee.tap.lostFrames.load(ordering: .relaxed) } }

    package var serverIsGone: Bool { open(true) { $0.pointee.server.pointee.isGone.load(ordering: .relaxed) } }

    package var waitingFrames: Int { open(0) { $0.pointee.tap.waiting } }

    package func take(into block: borrowing PlanarBlock, limit: Int) -> Int {
        isOpen.withLock { isOpen in isOpen ? context.pointee.tap.take(into: block, limit: limit) : 0 }
    }

    package func frame(at seconds: Double) -> Int? {
        open(nil) { context in
            let newest = context.pointee.tap.newest()
            guard newest.frame >= 0 else { return nil }
            var range = jack_latency_range_t()
            jack_port_get_latency_range(context.pointee.ports[0], JackCaptureLatency, &range)
            let ahead = (seconds - Double(newest.nanoseconds) * 1e-9) * sampleRate.hertz
            // Sound arrives in the callback after the port's capture latency, which for a sound card includes one
            // period.
            return newest.frame + Int((ahead + Double(range.max)).rounded())
        }
    }
}

/// Sources and connections of the capture.
extension JACKCapture {
    private static let prettyKey = "http://jackaudio.org/metadata/pretty-name"
    private static let groupKey = "http://jackaudio.org/metadata/port-group"

    package func sources() -> [CaptureSource] {
        guard !serverIsGone else { return [] }
        let names = JACKConnections.ports(of: client, matching: nil, flags: UInt32(JackPortIsOutput.rawValue))
        return names.compactMap { port in
            guard let handle = jack_port_by_name(client, port) else { return nil }
            let subject = jack_port_uuid(handle)
            let owner = String(port[..<(port.firstIndex(of: ":") ?? port.endIndex)])
            let group = JACKMetadata.value(subject, Self.groupKey)
            return CaptureSource(
                port: port, prettyName: JACKMetadata.value(subject, Self.prettyKey),
                group: group.map { "\(owner): \($0)" } ?? owner,
                isPhysical: jack_port_flags(handle) & Int32(JackPortIsPhysical.rawValue) != 0)
        }
    }

    package func sources(named pattern: String) -> [String] {
        serverIsGone ? [] : JACKConnections.ports(named: pattern, flag: JackPortIsOutput, client: client)
    }

    package func connect(bank: Int, input: Int, to source: String?) throws(JACKError) {
        guard !serverIsGone else { throw .serverGone }
        let place = bank * channelCount + input
        let port = "\(name):\(symbols[place])"
        if let source {
            let code = JACKRequest.connect(client, source, port)
            // PipeWire 0.3.65 reports errors as positive numbers.
            guard code == 0 || code == EEXIST else { throw .notConnected(from: source, to: port, code: code) }
        }
        for peer in JACKConnections.peers(of: context.pointee.ports[place], client: client) where peer != source {
            JACKRequest.disconnect(client, peer, port)
        }
    }

    package func isConnected(bank: Int, input: Int, to source: String?) -> Bool {
        guard !serverIsGone else { return false }
        let port = context.pointee.ports[bank * channelCount + input]
        return source.map { jack_port_connected_to(port, $0) != 0 } ?? (jack_port_connected(port) > 0)
    }
}

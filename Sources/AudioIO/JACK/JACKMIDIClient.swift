import CJACK
import CRealtime
import Foundation
import Glibc
import Signal
import Synchronization

/// MIDI to and from one device through JACK, by a separate client with the ports `in` and `out`.
///
/// The client connects itself to the port whose name contains a pattern, and again whenever such a port reappears.
/// After the end of the server the client is opened again when a server runs. The audio thread wakes a worker, which
/// passes messages on. Between messages the worker checks the ports four times a second.
package final class JACKMIDIClient: Sendable {
    /// Events of the client.
    package enum Event: Sendable {
        /// The client is connected to the port of this name.
        case connected(port: String)
        /// A message, with its time of arrival at the machine, seconds of the host's monotonic clock.
        case message([UInt8], arrival: Double)
        /// The port or the server is gone, for this reason. The client waits for its return.
        case disconnected(reason: String)
    }

    private let pattern: String
    private let requestedName: String
    private let hasStarted = Atomic<Bool>(false)
    private let end = ThreadEnd()
    private let outgoing = Mutex<[[UInt8]]>([])
    /// Semaphore that wakes the worker for received messages, for messages to send, or for its end. It is never freed,
    /// because the audio thread of a server that hangs may still use it.
    private let bell = SharedPlace(sem_t())
    /// Number of times the worker woke.
    private let wakings = Atomic<Int>(0)
    /// Seconds between two checks of the ports.
    private static let interval = 0.25

    /// A connection to the server. The opening thread passes it to the worker, which then owns it.
    private struct Link: Sendable {
        let context: ThreadOwned<JACKMIDIContext>
        let name: String
        let clockOffset: Double
        let sampleRate: Double
    }

    /// Makes a client that is not open yet. `pattern` is part of a port's name or alias, regardless of case.
    package init(pattern: String, name: String = "proscenium-midi") {
        self.pattern = pattern
        requestedName = name
        sem_init(bell.pointer, 0, 0)
    }

    /// Opens the client and connects it. Throws if the client cannot be opened, no sending port's name or alias
    /// contains the pattern, or the system provides no thread.
    package func start(receive: @escaping @Sendable (Event) -> Void) throws(JACKError) {
        let link = try open()
        guard !ports(link, UInt32(JackPortIsOutput.rawValue)).isEmpty else {
            let all = JACKConnections.ports(
                of: link.context.pointee.client, matching: nil, flags: UInt32(JackPortIsOutput.rawValue),
                type: Self.midi)
            close(link)
            throw .noSuchMIDIPort(pattern: pattern, available: all.filter { !$0.hasPrefix(link.name + ":") })
        }
        hasStarted.store(true, ordering: .releasing)
        do throws(WorkerError) {
            try Worker.detach("jack midi") { [self] in
                work(link, receive)
                end.arrive()
            }
        } catch {
            hasStarted.store(false, ordering: .releasing)
            close(link)
            throw .noThread(error)
        }
    }

    /// Returns the names of the MIDI ports on the server that send; nil if no client can be opened.
    package static func sources() -> [String]? {
        JACKMessages.divert()
        var status = jack_status_t(rawValue: 0)
        guard let client = cjack_client_open("proscenium-list", JackNoStartServer, &status) else { return nil }
        defer { JACKRequest.close(client) }
        return JACKConnections.ports(
            of: client, matching: nil, flags: UInt32(JackPortIsOutput.rawValue), type: midi)
    }

    /// Sends messages to the device, in order. They are dropped while the device is not connected. If more than 64
    /// messages wait, the oldest are dropped. Empty messages, and messages of more than 56 bytes, which trackers do not
    /// accept, are not sent.
    package func send(_ messages: [[UInt8]]) {
        outgoing.withLock {
            $0 += messages.filter { (1...56).contains($0.count) }
            if $0.count > 64 { $0.removeFirst($0.count - 64) }
        }
        cjack_ring(bell.pointer)
    }

    /// Closes the client. Waits for at most three seconds, even if the server hangs. `receive` is not called after the
    /// worker has ended. May be called on any thread except the worker.
    package func stop() {
        end.request()
        guard hasStarted.exchange(false, ordering: .acquiringAndReleasing) else { return }
        cjack_ring(bell.pointer)
        end.wait(atMost: 3)
    }

    private static let midi = "8 bit raw midi"

    private func open() throws(JACKError) -> Link {
        JACKMessages.divert()
        JACKMessages.clear()
        var status = jack_status_t(rawValue: 0)
        guard let client = cjack_client_open(requestedName, JackNoStartServer, &status) else {
            throw JACKDiagnosis.error(status: status, name: requestedName, limit: 63)
        }
        let flags = [("in", JackPortIsInput), ("out", JackPortIsOutput)]
        let own = flags.compactMap { JACKRequest.registerPort(client, $0.0, Self.midi, UInt($0.1.rawValue)) }
        guard own.count == 2 else {
            let refusal = JACKPortKind.refusal(by: client, registered: own.count, wanted: 2)
            JACKRequest.close(client)
            throw refusal
        }
        let context = ThreadOwned(
            JACKMIDIContext(client: client, input: own[0], output: own[1], bell: bell.pointer))
        jack_set_process_callback(client, { jackMIDIProcess($0, $1) }, context.pointer)
        JACKServerState.follow(client, in: context.pointee.server)
        let now = Double(prc_monotonic_nanoseconds()) * 1e-9
        let offset = now - Double(jack_get_time()) * 1e-6
        let link = Link(
            context: context, name: String(cString: jack_get_client_name(client)),
            clockOffset: abs(offset) < 1e-3 ? 0 : offset, sampleRate: Double(jack_get_sample_rate(client)))
        guard JACKActivation.activate(client, unless: { end.isRequested }) else {
            close(link)
            throw .notActivated(step: "activate the MIDI client", detail: JACKMessages.last)
        }
        return link
    }

    /// After the server's death libjack can hang while closing a client. A separate thread therefore closes it.
    private func close(_ link: Link) {
        _ = JACKRemains(client: JACKHandle(link.context.pointee.client), context: link.context).close(within: 2)
    }

    private func work(_ first: Link, _ receive: (Event) -> Void) {
        var link: Link? = first
        var connected: String?
        var nextLook = 0.0
        while !end.isRequested {
            let now = Self.now
            let looks = now >= nextLook
            if looks { nextLook = now + Self.interval }
            if link == nil, looks { link = try? open() }
            if end.isRequested { break }
            guard let open = link else {
                rest(until: nextLook)
                continue
            }
            if open.context.pointee.server.pointee.isGone.load(ordering: .relaxed) {
                if connected != nil { receive(.disconnected(reason: "the JACK server is gone")) }
                connected = nil
                close(open)
                link = nil
                continue
            }
            if looks { follow(open, &connected, receive) }
            while let message = open.context.pointee.exchange.received.pop() {
                guard connected != nil, !end.isRequested else { continue }
                receive(.message(message.content, arrival: arrival(of: message, open)))
            }
            let messages = outgoing.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for bytes in messages where connected != nil {
                _ = open.context.pointee.exchange.outgoing.push(cjack_midi_message(bytes))
            }
            rest(until: nextLook)
        }
        if let link { close(link) }
    }

    /// Checks whether the port still exists or has reappeared.
    private func follow(_ link: Link, _ connected: inout String?, _ receive: (Event) -> Void) {
        let peers = JACKConnections.peers(of: link.context.pointee.input, client: link.context.pointee.client)
        if let port = connected, !peers.contains(port) {
            connected = nil
            receive(.disconnected(reason: "\(port) is gone"))
        }
        if connected == nil, let port = peers.first ?? connect(link) {
            connected = port
            receive(.connected(port: port))
        }
    }

    /// Waits for the semaphore, but no longer than until a time of the monotonic clock, seconds.
    private func rest(until moment: Double) {
        cjack_await(bell.pointer, Int64(moment * 1e9))
        wakings.wrappingAdd(1, ordering: .relaxed)
    }

    /// Number of times the worker woke since its start.
    package var wakingCount: Int { wakings.load(ordering: .relaxed) }

    private static var now: Double { Double(prc_monotonic_nanoseconds()) * 1e-9 }

    /// Connects both ports to the ports that the pattern names. Returns the name of the sending port; nil if there is
    /// none, or if the server refuses the connection.
    private func connect(_ link: Link) -> String? {
        guard let source = ports(link, UInt32(JackPortIsOutput.rawValue)).first,
            case let code = JACKRequest.connect(link.context.pointee.client, source, "\(link.name):in"),
            code == 0 || code == EEXIST
        else { return nil }
        // A device that only sends has no input.
        if let target = ports(link, UInt32(JackPortIsInput.rawValue)).first {
            JACKRequest.connect(link.context.pointee.client, "\(link.name):out", target)
        }
        return source
    }

    /// Returns other clients' MIDI ports whose name or alias contains the pattern.
    private func ports(_ link: Link, _ flags: UInt32) -> [String] {
        let client = link.context.pointee.client
        let wanted = pattern.lowercased()
        return JACKConnections.ports(of: client, matching: nil, flags: flags, type: Self.midi).filter { name in
            guard !name.hasPrefix(link.name + ":") else { return false }
            return ([name] + aliases(name, client)).contains { $0.lowercased().contains(wanted) }
        }
    }

    private func aliases(_ name: String, _ client: OpaquePointer) -> [String] {
        guard let port = jack_port_by_name(client, name) else { return [] }
        let size = Int(jack_port_name_size())
        let both = UnsafeMutablePointer<CChar>.allocate(capacity: 2 * size)
        defer { both.deallocate() }
        both.initialize(repeating: 0, count: 2 * size)
        let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 2)
        defer { list.deallocate() }
        list.initialize(to: both)
        (list + 1).initialize(to: both + size)
        let count = Int(jack_port_get_aliases(port, list))
        return (0..<max(0, count)).map { String(cString: both + $0 * size) }
    }

    /// Returns the time at which a message arrived at the machine. JACK delivers a message in the cycle after its
    /// arrival. The delay is the port's latency, or one period if the port reports none.
    private func arrival(of message: cjack_midi_message, _ link: Link) -> Double {
        var range = jack_latency_range_t()
        jack_port_get_latency_range(link.context.pointee.input, JackCaptureLatency, &range)
        let client = link.context.pointee.client
        let delay = Double(range.max > 0 ? range.max : jack_get_buffer_size(client)) / link.sampleRate
        let seen = Double(jack_frames_to_time(client, message.frame)) * 1e-6 + link.clockOffset
        return min(seen - delay, Double(prc_monotonic_nanoseconds()) * 1e-9)
    }
}

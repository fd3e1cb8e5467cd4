import Desk
import HeadTracking
import Stages
import Synchronization

/// Control interface for a control surface. It converts MIDI bytes to commands, and present values to MIDI bytes.
///
/// All functions may be called on any thread. Messages are processed in the order of arrival. Messages to the device
/// also keep their order. They are sent under the lock, so `send` must return quickly.
package final class SurfaceDoor: Sendable {
    /// Sends messages to the device.
    package typealias Send = @Sendable ([[UInt8]]) -> Void

    private struct Content {
        var surface: ControlSurface
        /// Task for the next delayed message, and its time.
        var waking: (task: Task<Void, Never>, at: Double)?
        var isClosed = false
        /// Functions that end the subscription to present values.
        var endings: [@Sendable () -> Void] = []
    }

    /// Changes that arrive before the first state is complete; the entry of a removed value is nil. The whole table is
    /// nil afterwards.
    private final class Early: Sendable {
        let values = Mutex<[String: ParameterValue?]?>([:])
    }

    private let content: Mutex<Content>
    private let queue: CommandQueue
    private let send: Send
    private let learnt: @Sendable (SurfaceMap) -> Void
    private let start = ContinuousClock.now

    /// Creates the interface.
    ///
    /// - Parameters:
    ///   - map: map of the device's controls.
    ///   - table: scales of the session's addresses.
    ///   - queue: queue of the commands.
    ///   - send: sends messages to the device.
    ///   - learnt: called with the map when a control has been learnt.
    package init(
        _ map: SurfaceMap, table: @escaping SurfaceTable = SurfaceScale.table, queue: CommandQueue,
        send: @escaping Send,
        learnt: @escaping @Sendable (SurfaceMap) -> Void = { _ in }
    ) {
        content = Mutex(Content(surface: ControlSurface(map, table: table)))
        (self.queue, self.send, self.learnt) = (queue, send, learnt)
    }

    /// Faults of the map, one sentence each. The faulty entries have no effect.
    package var faults: [String] { content.withLock { $0.surface.faults } }

    /// Map with all learnt bindings.
    package var map: SurfaceMap { content.withLock { $0.surface.map } }

    /// Processes a message of the device. Malformed messages and those of unbound controls are ignored.
    package func receive(_ bytes: [UInt8]) {
        guard let message = MIDIMessage(bytes) else { return }
        for request in act({ $0.receive(message, at: $1) }).requests { carryOut(request) }
    }

    /// Sends present values to the device from now on.
    package func follow(_ book: StateBook) {
        let early = Early()
        let (state, end) = book.hear { [weak self] change in
            let values = change.values
            early.values.withLock { waiting in
                if waiting == nil { self?.hear(values) } else { waiting?.merge(values) { $1 } }
            }
        }
        // Changes that arrived meanwhile are newer than the state that was read above.
        early.values.withLock { waiting in
            var values: [String: ParameterValue?] = [:]
            for (address, value) in state.values { values.updateValue(value, forKey: address) }
            hear(values.merging(waiting ?? [:]) { $1 })
            waiting = nil
        }
        let isClosed = content.withLock { content in
            content.endings.append(end)
            return content.isClosed
        }
        if isClosed { end() }
    }

    /// Processes values that have changed in the session; nil for removed ones.
    func hear(_ values: [String: ParameterValue?]) {
        var changes: [(address: String, value: ParameterValue)] = []
        var removed: [String] = []
        for (address, value) in values {
            if let value { changes.append((address: address, value: value)) } else { removed.append(address) }
        }
        _ = act { surface, now in
            let messages = surface.forget(removed, at: now)
            return SurfaceOutput(messages: messages + surface.hear(changes, at: now))
        }
    }

    /// Sends all values again, for a device that may have just been connected.
    package func refresh() { _ = act { SurfaceOutput(messages: $0.refresh(at: $1)) } }

    /// Binds the next control that is moved to an address; nil cancels. Returns false if the session has no such
    /// address.
    package func learn(_ address: String?) -> Bool {
        content.withLock { $0.surface.learn(address) }
    }

    /// Ends all messages to the device. Its later messages have no effect.
    package func close() {
        let endings = content.withLock { content in
            content.isClosed = true
            content.waking?.task.cancel()
            defer { (content.waking, content.endings) = (nil, []) }
            return content.endings
        }
        for end in endings { end() }
    }

    private var now: Double { (ContinuousClock.now - start) / .seconds(1) }

    /// Calls the surface, sends its messages, and schedules the delayed ones.
    private func act(_ body: (inout ControlSurface, Double) -> SurfaceOutput) -> SurfaceOutput {
        let (output, map) = content.withLock { content -> (SurfaceOutput, SurfaceMap?) in
            guard !content.isClosed else { return (SurfaceOutput(), nil) }
            let wasLearning = content.surface.learning != nil
            let output = body(&content.surface, now)
            if !output.messages.isEmpty { send(output.messages.map(\.bytes)) }
            schedule(&content)
            return (output, wasLearning && content.surface.learning == nil ? content.surface.map : nil)
        }
        if let map { learnt(map) }
        return output
    }

    private func schedule(_ content: inout Content) {
        guard let next = content.surface.next else { return }
        if let waking = content.waking {
            guard next < waking.at else { return }
            waking.task.cancel()
        }
        let seconds = max(0.001, next - now)
        content.waking = (
            Task { [weak self] in
                do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
                self?.wake()
            }, next
        )
    }

    private func wake() {
        content.withLock { $0.waking = nil }
        _ = act { SurfaceOutput(messages: $0.settle(at: $1)) }
    }

    /// Queues a request. A refusal resets the device to the present value.
    private func carryOut(_ request: SurfaceRequest) {
        let address = request.address
        let refuse: @Sendable () -> Void = { [weak self] in
            _ = self?.act { SurfaceOutput(messages: $0.refused(address, at: $1)) }
        }
        guard let command = request.command else { return refuse() }
        queue.submit(command) { reply in if case .refused = reply { refuse() } }
    }
}

extension SurfaceRequest {
    /// Command for the request; nil if there is none.
    var command: SessionCommand? {
        if let value { return try? StateAddress(address).command(value) }
        return SurfaceDeeds.command(address)
    }
}

import Desk
import HeadTracking
import Stages
import Synchronization

/// A door for a control surface: bytes of MIDI in, commands into the queue; values in force in, bytes of MIDI out.
///
/// Any thread. Messages are carried out in the order in which they come; what the device is told keeps its order too,
/// and is sent under the lock: `send` must be soon over.
package final class SurfaceDoor: Sendable {
    /// Sends messages to the device.
    package typealias Send = @Sendable ([[UInt8]]) -> Void

    private struct Content {
        var surface: ControlSurface
        /// What will wake up next, and when.
        var waking: (task: Task<Void, Never>, at: Double)?
        var isClosed = false
        /// Ends hearing of what is in force.
        var endings: [@Sendable () -> Void] = []
    }

    /// What changes before all that is in force was told; nil: it was told.
    private final class Early: Sendable {
        let values = Mutex<[String: ParameterValue]?>([:])
    }

    private let content: Mutex<Content>
    private let queue: CommandQueue
    private let send: Send
    private let learnt: @Sendable (SurfaceMap) -> Void
    private let start = ContinuousClock.now

    /// A door.
    ///
    /// - Parameters:
    ///   - map: what the device's controls move.
    ///   - table: what the addresses of the session take.
    ///   - queue: what carries the commands out.
    ///   - send: sends messages to the device.
    ///   - learnt: hears of the map where a control was learnt.
    package init(
        _ map: SurfaceMap, table: @escaping SurfaceTable = SurfaceScale.table, queue: CommandQueue,
        send: @escaping Send,
        learnt: @escaping @Sendable (SurfaceMap) -> Void = { _ in }
    ) {
        content = Mutex(Content(surface: ControlSurface(map, table: table)))
        (self.queue, self.send, self.learnt) = (queue, send, learnt)
    }

    /// What is wrong with the map, a sentence each; what it concerns does nothing.
    package var faults: [String] { content.withLock { $0.surface.faults } }

    /// The map with all that was learnt.
    package var map: SurfaceMap { content.withLock { $0.surface.map } }

    /// The device sent a message; what is none, or of no control, is passed over.
    package func receive(_ bytes: [UInt8]) {
        guard let message = MIDIMessage(bytes) else { return }
        for request in act({ $0.receive(message, at: $1) }).requests { carryOut(request) }
    }

    /// Tells the device what is in force, from now on.
    package func follow(_ book: StateBook) {
        let early = Early()
        let (state, end) = book.hear { [weak self] change in
            let values = change.values.compactMapValues(\.self)
            early.values.withLock { waiting in
                if waiting == nil { self?.hear(values) } else { waiting?.merge(values) { $1 } }
            }
        }
        // What changed since is newer than what was in force then.
        early.values.withLock { waiting in
            hear(state.values.merging(waiting ?? [:]) { $1 })
            waiting = nil
        }
        let isClosed = content.withLock { content in
            content.endings.append(end)
            return content.isClosed
        }
        if isClosed { end() }
    }

    /// These came into force, by whichever door they were set.
    func hear(_ values: [String: ParameterValue]) {
        let changes = values.map { (address: $0.key, value: $0.value) }
        _ = act { SurfaceOutput(messages: $0.hear(changes, at: $1)) }
    }

    /// A device may have been connected that knows nothing yet.
    package func refresh() { _ = act { SurfaceOutput(messages: $0.refresh(at: $1)) } }

    /// Binds the next control that is moved to an address; nil: none after all. False: the address is none.
    package func learn(_ address: String?) -> Bool {
        content.withLock { $0.surface.learn(address) }
    }

    /// Says no more.
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

    /// Does something with the surface, sends what it says, and sees to what it has to say later.
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

    /// Puts a request into the queue; what is refused is taken back on the device.
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
    /// The command that does it; nil where there is none.
    var command: SessionCommand? {
        if let value { return try? StateAddress.command(address, value) }
        return SurfaceDeeds.command(address)
    }
}

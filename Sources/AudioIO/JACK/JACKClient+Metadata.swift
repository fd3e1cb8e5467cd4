import CJACK
import Rendering
import Signal
import Synchronization

/// Metadata of the ports and of the client, for patchbays.
extension JACKClient {
    /// Metadata of one port.
    private struct Description {
        let port: OpaquePointer
        let client: OpaquePointer
        let shown: StagePort
        let order: Int

        /// Sets the metadata. Returns whether the server accepted them.
        @discardableResult
        func set() -> Bool {
            JACKMetadata.describe(port, of: client, prettyName: shown.prettyName, group: shown.group, order: order)
        }
    }

    /// Order number of the first input of the monitor section in patchbays. It is greater than that of all other ports.
    private static let behindAll = 1000

    /// Sets the metadata of all ports. The caller must ensure that no port is removed meanwhile.
    func describePorts() {
        let all = state.withLock { state -> [Description] in descriptions(in: state) }
        for description in all { description.set() }
        guard let context = state.withLock({ $0.context }), let events = context.pointee.events else { return }
        JACKMetadata.describe(events, of: client, after: state.withLock { $0.parts.ports.count } + 2)
    }

    /// Sets one port's metadata, and returns whether the server accepted them. Only for PipeWire, where the call does
    /// not wait for the server.
    func acceptsMetadata() -> Bool {
        state.withLock { state in
            guard !state.isClosed, let description = descriptions(in: state).first else { return false }
            return description.set()
        }
    }

    /// Sets the metadata of all ports and of the client again. No port can be removed meanwhile. Only for PipeWire,
    /// where the call does not wait for the server.
    func describeAgain() {
        state.withLock { state in
            guard !state.isClosed else { return }
            for description in descriptions(in: state) { description.set() }
            if let events = state.context?.pointee.events {
                JACKMetadata.describe(events, of: client, after: state.parts.ports.count + 2)
            }
            if let text = state.published { JACKMetadata.publish(state: text, of: client, name: name) }
        }
    }

    /// The descriptions of all audio ports: ears, inputs, print bus, monitor section.
    private func descriptions(in state: borrowing State) -> [Description] {
        guard let context = state.context else { return [] }
        let inputs = state.parts.ports
        var found: [Description] = []
        func add(_ shown: [StagePort], _ ports: [OpaquePointer], after first: Int) {
            for (place, (port, shown)) in zip(ports, shown).enumerated() {
                found.append(Description(port: port, client: client, shown: shown, order: first + place))
            }
        }
        add(Self.ears, (0..<2).map { context.pointee.outputPorts[$0] }, after: inputs.count)
        for (order, shown) in inputs.enumerated() {
            guard let input = state.inputs[shown.symbol] else { continue }
            found.append(Description(port: input.port, client: input.client, shown: shown, order: order))
        }
        if state.parts.havePrint {
            add(Self.printBus, context.pointee.withPorts { $0.printPorts }, after: inputs.count + 4)
        }
        add(state.monitorInputs.ports, context.pointee.monitorPorts.all, after: Self.behindAll)
        return found
    }
}

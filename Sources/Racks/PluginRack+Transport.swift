import AudioIO
import Inserts
import PluginHost
import Synchronization

extension PluginRack {
    /// Informs the plugins of the position of a server's transport; see `follow(_:isNews:)`.
    package func follow(_ transport: ServerTransport, isNews: Bool) {
        follow(TransportPosition(transport), isNews: isNews)
    }

    /// Informs all plugins that the transport rolls from frame 0, as at the beginning of a file.
    package func rollFromStart() { follow(TransportPosition(frame: 0, speed: 1), isNews: true) }

    /// Sends the transport position to all plugins if `isNews` is true, otherwise to those that never received one. A
    /// plugin applies the position from its next run on.
    package func follow(_ transport: TransportPosition, isNews: Bool) {
        let untold = state.withLock { state in
            state.chains.joined().filter { insert in
                let learns = insert.learnsOfTransport()
                return isNews || learns
            }
        }
        for insert in untold {
            try? insert.linked { instance throws(PluginError) in instance.transport(transport) }
        }
    }
}

extension TransportPosition {
    /// Converts the position of a server's transport.
    package init(_ transport: ServerTransport) {
        self.init(
            frame: transport.frame, speed: transport.isRolling ? 1 : 0, beatsPerMinute: transport.beatsPerMinute)
    }
}

extension PluginRack {
    /// Names of the plugins and their latency, in one line; nil without plugins.
    package var summary: String? {
        let status = status
        guard !status.isEmpty else { return nil }
        let words = status.map { "\($0.place): \($0.name) (\($0.title))" }.joined(separator: ", ")
        return "plugins: \(words); \(chains.latency.total) frames of latency"
    }
}

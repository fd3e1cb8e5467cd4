import AudioIO
import PluginHost
import Synchronization

extension PluginRack {
    /// As `follow(_:isNews:)`, where a server's transport is.
    package func follow(_ transport: ServerTransport, isNews: Bool) {
        follow(TransportPosition(transport), isNews: isNews)
    }

    /// Tells plugins where the transport is: all of them where that is `news`, else those that were not told yet. It
    /// reaches them with their next run.
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
    /// Where a server's transport is.
    package init(_ transport: ServerTransport) {
        self.init(
            frame: transport.frame, speed: transport.isRolling ? 1 : 0, beatsPerMinute: transport.beatsPerMinute)
    }
}

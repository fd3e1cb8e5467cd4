import CJACK
import Rendering
import Signal
import Synchronization

/// What others are told of the client's latency.
extension JACKClient {
    /// Has the server ask anew how late the ears are: the renderer's plugins have changed that.
    package func latencyChanged() {
        let isActive = state.withLock { state -> Bool in
            guard let context = state.context, !state.parts.isEmpty else { return false }
            let latency = state.parts[state.heard].renderer.insertLatency
            context.pointee.insertLatency.store(UInt32(latency), ordering: .relaxed)
            return true
        }
        guard isActive, !hasLostServer else { return }
        ifOpen(()) { _ = jack_recompute_total_latencies($0) }
    }
}

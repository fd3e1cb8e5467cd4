import CJACK
import Rendering
import Signal
import Synchronization

/// Latency that is reported to other clients.
extension JACKClient {
    /// Reports a changed latency of the renderer's plugins. Then the server recomputes all latencies.
    package func latencyChanged() {
        let isActive = state.withLock { state -> Bool in
            guard let context = state.context, !state.parts.isEmpty else { return false }
            let latency = state.parts[state.heard].renderer.insertLatency
            context.pointee.insertLatency.store(UInt32(latency), ordering: .relaxed)
            return true
        }
        guard isActive, !hasLostServer else { return }
        ifOpen(()) { JACKRequest.recomputeLatencies($0) }
    }
}

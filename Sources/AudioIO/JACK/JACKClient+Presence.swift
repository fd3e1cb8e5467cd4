import CJACK
import Signal
import Synchronization

/// Existence of clients and ports, and the published state of this client.
extension JACKClient {
    /// Returns whether a client of this name exists.
    package func clientExists(_ name: String) -> Bool {
        guard !hasLostServer else { return false }
        return ifOpen(false) { client in
            guard let uuid = JACKRequest.identifier(client, ofClient: name) else { return false }
            jack_free(uuid)
            return true
        }
    }

    /// Returns whether a port of this name exists.
    package func portExists(_ name: String) -> Bool {
        guard !hasLostServer else { return false }
        let port = serverName(name)
        return ifOpen(false) { jack_port_by_name($0, port) != nil }
    }

    /// Publishes the session's state as metadata of this client, in JSON. A server without metadata is no error.
    package func publish(state: String) {
        self.state.withLock { $0.published = state }
        guard !hasLostServer else { return }
        ifOpen(()) { JACKMetadata.publish(state: state, of: $0, name: name) }
    }

    /// Returns the time at which a frame of the server's clock is heard, seconds of the host's monotonic clock. It is
    /// the time of the frame plus the playback latency of the outputs, but at least one period, as on the audio thread.
    /// The time of a future frame is extrapolated.
    package func heardAt(frame: UInt32) -> Double {
        let time = Double(ifOpen(0) { jack_frames_to_time($0, frame) }) * 1e-6 + clockOffset
        return time + sampleRate.seconds(frames: max(playbackLatency, periodFrames))
    }
}

import CJACK
import Signal

/// Which clients are there, and what they may know of this client.
extension JACKClient {
    /// Whether a client of this name is there.
    package func clientExists(_ name: String) -> Bool {
        guard !hasLostServer else { return false }
        return ifOpen(false) { client in
            guard let uuid = jack_get_uuid_for_client_name(client, name) else { return false }
            jack_free(uuid)
            return true
        }
    }

    /// Whether a port of this name is there.
    package func portExists(_ name: String) -> Bool {
        guard !hasLostServer else { return false }
        let port = serverName(name)
        return ifOpen(false) { jack_port_by_name($0, port) != nil }
    }

    /// Lets others read the state of the session as this client's metadata, JSON. A server that keeps none is no error.
    package func publish(state: String) {
        guard !hasLostServer else { return }
        ifOpen(()) { JACKMetadata.publish(state: state, of: $0, name: name) }
    }

    /// When a frame of the server's clock is heard, seconds of the host's monotonic clock: its cycle's time and the
    /// outputs' playback latency, as the audio thread reckons. Extrapolated where the frame is still to come.
    package func heardAt(frame: UInt32) -> Double {
        let time = Double(ifOpen(0) { jack_frames_to_time($0, frame) }) * 1e-6 + clockOffset
        return time + sampleRate.seconds(frames: max(playbackLatency, periodFrames))
    }
}

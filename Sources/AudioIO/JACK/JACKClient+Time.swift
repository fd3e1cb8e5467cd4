import CJACK
import Signal

extension JACKClient {
    /// When a frame of the server's clock is heard, seconds of the host's monotonic clock: its cycle's time and the
    /// outputs' playback latency, as the audio thread reckons. Extrapolated where the frame is still to come.
    package func heardAt(frame: UInt32) -> Double {
        let time = Double(ifOpen(0) { jack_frames_to_time($0, frame) }) * 1e-6 + clockOffset
        return time + sampleRate.seconds(frames: max(playbackLatency, periodFrames))
    }
}

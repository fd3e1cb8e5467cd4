import Convolution
import Signal

/// Test noise on the audio thread: added to one virtual loudspeaker's feed, after all gains.
///
/// It fades in and out within 20 ms, and is silent between two loudspeakers. Used by the audio thread alone.
struct NoiseStage: ~Copyable {
    private var gain: SmoothGain
    /// Source that plays the noise.
    private var source = -1
    private var samples: UnsafePointer<Float>?
    private var count = 0
    private var place = 0

    /// Makes a silent stage.
    init(sampleRate: Double) { gain = SmoothGain(0, sampleRate: sampleRate) }

    /// Sets the source of the noise, or −1 for none: `count` samples at `address`; at the beginning of a slice.
    @_noLocks
    mutating func aim(_ wanted: Int, address: UInt, count: Int) {
        guard gain.rests else { return }
        if wanted == source { return gain.aim(at: wanted < 0 ? 0 : 1) }
        if gain.target != 0 { return gain.aim(at: 0) }
        source = wanted
        samples = UnsafePointer(bitPattern: address)
        self.count = count
        place = 0
        if wanted >= 0 { gain.aim(at: 1) }
    }

    /// Adds the noise to the slice's newest `frames`, from `position` on. Cost: none without noise.
    @_noLocks
    mutating func add(to history: borrowing SourceHistory, at position: Int, count frames: Int) {
        guard let samples, source >= 0, !gain.rests(at: 0) else { return }
        let row = history.samples(ofSource: source) + position
        for i in 0..<frames {
            row[i] += gain.value(ahead: i) * samples[place]
            place = place + 1 == count ? 0 : place + 1
        }
        gain.advance(frames)
    }
}

import Convolution
import Signal

/// Test noise on the audio thread. It is added to one virtual loudspeaker's feed after all gains.
///
/// The noise fades in and out within 20 ms. To change to another loudspeaker, it fades out first. Only the audio thread
/// uses the stage.
struct NoiseStage: ~Copyable {
    private var gain: SmoothGain
    /// Index of the source that plays the noise; −1 for none.
    private var source = -1
    private var samples: UnsafePointer<Float>?
    private var count = 0
    private var place = 0

    /// Makes a silent stage.
    init(sampleRate: Double) { gain = SmoothGain(0, sampleRate: sampleRate) }

    /// Sets the source of the noise, or −1 for none. The noise has `count` samples at `address`. Call at the beginning
    /// of every slice: during a fade a call has no effect, and before another source plays, the noise fades out.
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

    /// Adds the noise to the slice's newest `frames` frames, from frame `position` on. Cost: none without noise.
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

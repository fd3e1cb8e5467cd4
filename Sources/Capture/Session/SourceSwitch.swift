import AudioIO
import Signal

/// Which sources the inputs hear, and the way from one set of them to another without a gap: the new ones come into the
/// second bank, which is faded to; then the first bank takes them over unheard and is faded back to. One thread.
struct SourceSwitch: ~Copyable {
    /// What it is at.
    private enum Stage {
        case steady
        /// The second bank hears the new sources; a fade to it begins after so many frames.
        case arriving(framesLeft: Int)
        /// Frames of the fade to the second bank that are over.
        case fadingOver(Int)
        /// The first bank hears them too; a fade back begins after so many frames.
        case settling(framesLeft: Int)
        case fadingBack(Int)
    }

    /// Sources of the inputs, in order; nil for none.
    private(set) var wanted: [String?]
    private var next: [String]?
    private var stage = Stage.steady
    /// Sources that are gone, and of those that went with them, the ones that are there again.
    private var lost: Set<String> = []
    private var returned: [String] = []
    private let channels: Int
    /// Frames of a fade: 20 ms.
    private let fade: Int
    /// Frames a connection has to come into force: 200 ms, more than two of the longest periods.
    private let patience: Int
    /// Share of the second bank at the last frame.
    private var share: Float = 0

    init(channels: Int, sampleRate: SampleRate) {
        self.channels = channels
        wanted = [String?](repeating: nil, count: channels)
        fade = Int(0.02 * sampleRate.hertz)
        patience = max(16_384, Int(0.2 * sampleRate.hertz))
    }

    /// Whether a change goes on.
    var isSteady: Bool { if case .steady = stage { true } else { false } }

    /// Connects the first bank, before anything is heard.
    mutating func begin(_ sources: [String], _ inputs: any CaptureInputs) throws(JACKError) {
        for (input, source) in sources.enumerated() {
            try inputs.connect(bank: 0, input: input, to: source)
            wanted[input] = source
        }
    }

    /// Begins to turn to other sources, one for each input; nothing changes where one refuses.
    mutating func turn(to sources: [String], _ inputs: any CaptureInputs) throws(JACKError) {
        do throws(JACKError) {
            for (input, source) in sources.enumerated() { try inputs.connect(bank: 1, input: input, to: source) }
        } catch {
            for input in 0..<channels { try? inputs.connect(bank: 1, input: input, to: nil) }
            throw error
        }
        next = sources
        (lost, returned) = ([], [])
        // What waits was heard before.
        stage = .arriving(framesLeft: patience + inputs.waitingFrames)
    }

    /// Makes one bank of two: `frames` frames of `raw` (both banks) to `block`, and goes on with a change.
    mutating func mix(
        _ raw: borrowing PlanarBlock, to block: borrowing PlanarBlock, frames: Int, _ inputs: any CaptureInputs
    ) {
        let from = share
        let to = advance(frames, inputs)
        for channel in 0..<channels {
            let (first, second, target) = (raw[channel], raw[channels + channel], block[channel])
            if from == 0, to == 0 {
                Samples.copy(first, to: target, count: frames)
                continue
            }
            // The fade's own length, wherever in the block it begins: 20 ms or the block, whichever is longer.
            for i in 0..<frames {
                let s = from + (to - from) * Float(i) / Float(frames)
                target[i] = first[i] + s * (second[i] - first[i])
            }
        }
        share = to
    }

    /// The second bank's share after so many more frames.
    private mutating func advance(_ frames: Int, _ inputs: any CaptureInputs) -> Float {
        switch stage {
        case .steady: return 0
        case .arriving(let left):
            stage = left > frames ? .arriving(framesLeft: left - frames) : .fadingOver(0)
            return 0
        case .fadingOver(let done):
            guard done + frames >= fade else {
                stage = .fadingOver(done + frames)
                return Float(done + frames) / Float(fade)
            }
            for (input, source) in (next ?? []).enumerated() {
                try? inputs.connect(bank: 0, input: input, to: source)
                wanted[input] = source
            }
            next = nil
            stage = .settling(framesLeft: patience + inputs.waitingFrames)
            return 1
        case .settling(let left):
            stage = left > frames ? .settling(framesLeft: left - frames) : .fadingBack(0)
            return 1
        case .fadingBack(let done):
            guard done + frames >= fade else {
                stage = .fadingBack(done + frames)
                return 1 - Float(done + frames) / Float(fade)
            }
            for input in 0..<channels { try? inputs.connect(bank: 1, input: input, to: nil) }
            stage = .steady
            return 0
        }
    }

    /// Connects again what was lost and is there again; sources that went since the last look, and, once all are there
    /// again, those that came back.
    mutating func look(_ inputs: any CaptureInputs) -> (gone: [String], back: [String]) {
        guard isSteady else { return ([], []) }
        let there = Set(inputs.sources().map(\.port))
        var gone: [String] = []
        for (input, source) in wanted.enumerated() {
            guard let source else { continue }
            if there.contains(source), !inputs.isConnected(bank: 0, input: input, to: source) {
                try? inputs.connect(bank: 0, input: input, to: source)
            }
            let isHeard = inputs.isConnected(bank: 0, input: input, to: source)
            if isHeard, lost.remove(source) != nil { returned.append(source) }
            if !isHeard, lost.insert(source).inserted { gone.append(source) }
        }
        guard lost.isEmpty else { return (gone, []) }
        defer { returned = [] }
        return (gone, returned)
    }
}

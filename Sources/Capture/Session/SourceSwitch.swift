import AudioIO
import Signal

/// Connections of sources to the inputs, and the change from one set of sources to another without a gap. The new
/// sources are connected to the second bank of inputs, and the output crossfades to it. Then the first bank, which is
/// not audible, is connected to the new sources too, and the output crossfades back to it. Must be used by one thread
/// at a time.
struct SourceSwitch: ~Copyable {
    /// Stages of a change.
    private enum Stage {
        case steady
        /// The second bank is connected to the new sources. The crossfade to it begins after `framesLeft`.
        case arriving(framesLeft: Int)
        /// Crossfade to the second bank, with the number of its frames so far.
        case fadingOver(Int)
        /// The first bank is connected to the new sources too. The crossfade back begins after `framesLeft`.
        case settling(framesLeft: Int)
        case fadingBack(Int)
    }

    /// Sources of the inputs, in order; nil for an input without a source.
    private(set) var wanted: [String?]
    private var next: [String]?
    private var stage = Stage.steady
    /// Sources that are gone, and sources that are back while other sources are still gone.
    private var lost: Set<String> = []
    private var returned: [String] = []
    private let channels: Int
    /// Frames of both banks that were read last.
    private let raw: PlanarBlock
    /// Duration of a crossfade, 20 ms in frames.
    private let fade: Int
    /// Frames allowed until a connection takes effect: 200 ms, but at least 16 384.
    private let patience: Int
    /// Gain of the second bank in the output at the last frame.
    private var share: Float = 0

    init(channels: Int, sampleRate: SampleRate) {
        self.channels = channels
        raw = PlanarBlock(channels: 2 * channels, frames: CaptureChain.mostFrames)
        wanted = [String?](repeating: nil, count: channels)
        fade = Int(0.02 * sampleRate.hertz)
        patience = max(16_384, Int(0.2 * sampleRate.hertz))
    }

    /// Whether no change of sources is in progress.
    var isSteady: Bool { if case .steady = stage { true } else { false } }

    /// Connects the first bank before the capture begins.
    mutating func begin(_ sources: [String], _ inputs: any CaptureInputs) throws(JACKError) {
        for (input, source) in sources.enumerated() {
            try inputs.connect(bank: 0, input: input, to: source)
            wanted[input] = source
        }
    }

    /// Begins the change to other sources, one for each input. If a connection fails, nothing changes.
    mutating func turn(to sources: [String], _ inputs: any CaptureInputs) throws(JACKError) {
        do throws(JACKError) {
            for (input, source) in sources.enumerated() { try inputs.connect(bank: 1, input: input, to: source) }
        } catch {
            for input in 0..<channels { try? inputs.connect(bank: 1, input: input, to: nil) }
            throw error
        }
        next = sources
        (lost, returned) = ([], [])
        // Frames that are waiting at the inputs are older than the connection.
        stage = .arriving(framesLeft: patience + inputs.waitingFrames)
    }

    /// Drops waiting frames, at most `CaptureChain.mostFrames`. Returns their number.
    func drop(_ inputs: any CaptureInputs) -> Int { inputs.take(into: raw, limit: CaptureChain.mostFrames) }

    /// Reads waiting frames, at most `CaptureChain.mostFrames`, mixes both banks to `block`, and advances a change.
    /// Returns the number of frames.
    mutating func read(_ inputs: any CaptureInputs, to block: borrowing PlanarBlock) -> Int {
        let frames = inputs.take(into: raw, limit: CaptureChain.mostFrames)
        if frames > 0 { mix(to: block, frames: frames, inputs) }
        return frames
    }

    /// Mixes `frames` frames of both banks in `raw` to `block`, and advances a change.
    private mutating func mix(to block: borrowing PlanarBlock, frames: Int, _ inputs: any CaptureInputs) {
        let from = share
        let to = advance(frames, inputs)
        for channel in 0..<channels {
            let (first, second, target) = (raw[channel], raw[channels + channel], block[channel])
            if from == 0, to == 0 {
                Samples.copy(first, to: target, count: frames)
                continue
            }
            // The ramp spans whole blocks. It lasts about 20 ms, or one block if that is longer.
            for i in 0..<frames {
                let s = from + (to - from) * Float(i) / Float(frames)
                target[i] = first[i] + s * (second[i] - first[i])
            }
        }
        share = to
    }

    /// Advances a change by `frames`. Returns the gain of the second bank after these frames.
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

    /// Reconnects sources that are back. Returns the sources that are gone since the last call. If no source is gone
    /// any more, also returns the sources that have come back. Does nothing during a change.
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

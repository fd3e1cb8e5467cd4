import AudioIO
import AudioMix
import Signal
import Soundstage
import Stages

/// A new mix of a sound field, made from the field's speech and ambience; or the speech and the ambience themselves
/// (stems). It is time-aligned with the source and of the same length.
final class MixedProgramme: ProgrammeFrames {
    /// Kinds of output.
    enum Product {
        /// The mix in the field's channels. If `voices` is an Ambisonic order, the placed voices follow as channels of
        /// this order.
        case mix(voices: Int?)
        /// The channels of the speech, then those of the ambience.
        case stems
    }

    let channelCount: Int
    let frameCount: Int
    var position: Int { blocks.position }
    private var silenced = 0
    var refused: Int { silenced + source.refused }
    /// Latency of a live mix with these settings, frames; removed here.
    let latencyFrames: Int

    private let source: any ProgrammeFrames
    private let product: Product
    private let controls: AudioMixControls
    private var mix: FieldMix
    private let incoming: PlanarBlock
    /// The omnidirectional channel, and the largest samples in it and in the others.
    private let omni: Int
    private var peaks: (omni: Float, others: Float) = (0, 0)
    private var blocks: MadeBlocks

    /// Creates the mix of a sound field that `source` reads.
    init(
        _ source: any ProgrammeFrames, _ format: AmbisonicFormat, sampleRate: SampleRate, _ latency: AudioMixLatency,
        _ controls: AudioMixControls, camera: CameraPath? = nil, makes product: Product = .mix(voices: nil)
    ) {
        (self.source, self.product, self.controls) = (source, product, controls)
        var voices = PlacedVoices.mixed
        if case .mix(let order?) = product { voices = .order(order) }
        mix = FieldMix(format, latency, sampleRate: sampleRate, controls: controls, camera: camera, voices: voices)
        latencyFrames = mix.latencyFrames
        frameCount = source.frameCount
        switch product {
        case .mix: channelCount = source.channelCount + mix.placedCount
        case .stems: channelCount = 2 * source.channelCount
        }
        omni = (0..<format.channelCount).first { format.place(ofChannel: $0).acn == 0 } ?? 0
        incoming = PlanarBlock(channels: source.channelCount, frames: ProgrammeSlice.longest)
        blocks = MadeBlocks(channels: channelCount, frames: ProgrammeSlice.longest, latency: latencyFrames)
    }

    func read(into block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int {
        try blocks.read(into: block, frames: frames, of: frameCount, make: make)
    }

    func rewind() throws(SoundFileError) {
        try source.rewind()
        mix.restart(controls)
        silenced = 0
        blocks.rewind(latency: latencyFrames)
    }

    /// Remark on the sound field, complete after the field has been read; nil without one.
    var remark: String? {
        guard peaks.others > 0, peaks.omni < 1e-3 * peaks.others else { return nil }
        return
            "channel W of the sound field (number \(omni + 1)) is silent, and the Audio Mix finds voices by it: no voice was "
            + "brought forward; are the channels in another order (--order)?"
    }

    /// Produces the next block. After the end of the source, silence is mixed.
    private func make(_ block: borrowing PlanarBlock) throws(SoundFileError) -> Int {
        let length = ProgrammeSlice.longest
        let count = try source.read(into: incoming, frames: length)
        for channel in 0..<source.channelCount {
            silenced += Samples.cleanse(incoming[channel], to: incoming[channel], count: count)
            Samples.clear(incoming[channel] + count, count: length - count)
            let peak = Samples.peak(incoming[channel], count: count)
            if channel == omni { peaks.omni = max(peaks.omni, peak) } else { peaks.others = max(peaks.others, peak) }
        }
        let rows = UnsafeRawPointer(incoming.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        switch product {
        case .mix:
            mix.process(
                rows, frames: length, controls: controls, feeds: UnsafePointer(block.pointers),
                placed: UnsafePointer(block.pointers + source.channelCount))
        case .stems:
            mix.part(
                rows, frames: length, controls: controls, speech: UnsafePointer(block.pointers),
                ambience: UnsafePointer(block.pointers + source.channelCount))
        }
        return length
    }
}

extension ProgrammeSettings {
    /// Controls of an Audio Mix, from the parameter changes.
    var mixControls: AudioMixControls {
        let programme = Programme(layout: Layout(name: "none", loudspeakers: []))
        var controls = ProgrammeControls(programme)
        for change in changes where change.parameter.group == .mix {
            if case .controls(let set) = change.parameter.effect { set(&controls, change.value, programme) }
        }
        return controls.mix
    }

    /// Description of the mix of a file; nil without one.
    var mixSummary: String? {
        guard let mix else { return nil }
        let controls = mixControls
        return "Audio Mix: \(controls.style.rawValue), intensity \(controls.intensity), \(mix.rawValue)"
            + (camera?.words ?? "")
    }
}

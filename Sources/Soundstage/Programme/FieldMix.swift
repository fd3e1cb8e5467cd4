import AudioMix
import CRealtime
import Signal

/// Ways in which the voices of an Audio Mix are output in addition to the mix. An Audio Mix remixes the speech and the
/// ambience of a sound field, and gives each voice a direction. The mix contains the voices in every case.
package enum PlacedVoices: Hashable, Sendable {
    /// The voices are not output in addition.
    case mixed
    /// As one sound field of this order.
    case order(Int)
    /// Each voice in mono, with its direction. The sum of the voices is also output in the field's channels, so that it
    /// can be subtracted from the mix.
    case apart
}

/// The Audio Mix of a sound field, for any convention of the field's channels.
///
/// `process`, `part` and `restart` are safe on the audio thread. The initialiser is not: it allocates, and takes some
/// milliseconds.
package struct FieldMix: ~Copyable {
    /// Latency of all outputs, frames.
    package let latencyFrames: Int
    /// Number of input channels, which is also the number of output channels.
    package let channelCount: Int
    /// Number of rows of the placed voices (ACN, SN3D) in the case `PlacedVoices.order`; 0 in the other cases.
    package let placedCount: Int
    private var mixer: AudioMixer
    /// `[channel]`: its ACN index, and the gain that scales it to SN3D.
    private let places: UnsafeMutablePointer<(acn: Int, gain: Float)>
    /// `[channel]`: ring of the newest input, before scaling. It is empty if no channel has to be scaled.
    private let raw: PlanarBlock
    /// Mask of the index into the ring.
    private let mask: Int
    /// Number of input frames so far.
    private var heard = 0
    /// `[ACN]`: the input field, the mix, its speech and its ambience.
    private let incoming: PlanarBlock, mixed: PlanarBlock, speech: PlanarBlock, ambience: PlanarBlock

    /// Makes a mix at rest. `camera` is the heading and field of view of a camera over the time of the input; nil uses
    /// the camera of the controls. `voices` selects how the placed voices are output in addition.
    package init(
        _ format: AmbisonicFormat, _ latency: AudioMixLatency, sampleRate: SampleRate, controls: AudioMixControls,
        camera: CameraPath? = nil, voices: PlacedVoices = .mixed
    ) {
        let count = format.channelCount
        let order: Int? =
            switch voices {
            case .mixed: nil
            case .order(let order): order
            case .apart: format.order
            }
        channelCount = count
        do throws(AudioMixError) {
            mixer = try AudioMixer(
                sampleRate: sampleRate, channels: count, latency: latency, controls: controls, camera: camera,
                placed: order)
        } catch {
            preconditionFailure("a sound field has the channels of an order: \(error)")
        }
        latencyFrames = mixer.latency
        placedCount = if case .order = voices { mixer.placedCount } else { 0 }
        places = .allocate(capacity: count)
        for channel in 0..<count {
            let place = format.place(ofChannel: channel)
            (places + channel).initialize(to: (place.acn, Float(place.gain)))
        }
        let isScaled = (0..<count).contains { format.place(ofChannel: $0).gain != 1 }
        let ring = 1 << (Int.bitWidth - (mixer.latency + ProgrammeSlice.longest).leadingZeroBitCount)
        mask = ring - 1
        raw = PlanarBlock(channels: isScaled ? count : 0, frames: isScaled ? ring : 0)
        incoming = PlanarBlock(channels: count, frames: ProgrammeSlice.longest)
        mixed = PlanarBlock(channels: count, frames: ProgrammeSlice.longest)
        speech = PlanarBlock(channels: count, frames: ProgrammeSlice.longest)
        ambience = PlanarBlock(channels: count, frames: ProgrammeSlice.longest)
    }

    deinit { places.deallocate() }

    /// The talkers that are heard, each with direction and likelihood of speech; nil where there is no talker.
    package var talkers: (TalkerState?, TalkerState?) {
        @_noLocks get { (mixer.heardTalker(0), mixer.heardTalker(1)) }
    }

    /// Largest number of voices that are heard at the same time. Each voice has one row of objects.
    package static var objectCount: Int { AudioMixer.talkerCount }

    /// Returns the direction of a voice `frames` frames after the last output: a unit vector, x to the front, y to the
    /// left.
    @_noLocks
    package func place(ofObject index: Int, ahead frames: Int) -> SIMD3<Double> {
        let place = mixer.place(index, ahead: frames)
        return SIMD3(Double(place.x), Double(place.y), Double(place.z))
    }

    /// Restarts with silence. `controls` are in force immediately.
    @_noLocks
    package mutating func restart(_ controls: AudioMixControls) {
        mixer.controls = controls
        mixer.reset()
        for channel in 0..<raw.channelCount { Samples.clear(raw[channel], count: mask + 1) }
        heard = 0
    }

    /// Processes the next `frames` ≤ `ProgrammeSlice.longest` frames of all channels. Writes the mix of the frames
    /// `latencyFrames` earlier to `feeds`, and the placed voices that it contains to `placed` (see
    /// `AudioMixer.Outputs.placed`); nil leaves them out. No output row may be an input row. Cost: that of
    /// `AudioMixer.process`.
    @_noLocks
    package mutating func process(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, frames: Int, controls: AudioMixControls,
        feeds: UnsafePointer<UnsafeMutablePointer<Float>>, placed: UnsafePointer<UnsafeMutablePointer<Float>>? = nil
    ) {
        hear(
            inputs, frames: frames, controls: controls,
            AudioMixer.Outputs(mix: UnsafePointer(mixed.pointers), placed: placed))
        giveMix(frames: frames, to: feeds)
    }

    /// Processes the next `frames` frames with separate voices (`PlacedVoices.apart`). Writes the mix to `feeds`, the
    /// voices' share of the mix in the field's channels to `share`, and each voice in mono to `objects` (`objectCount`
    /// rows). Each voice can then be rendered from its direction instead.
    @_noLocks
    package mutating func process(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, frames: Int, controls: AudioMixControls,
        feeds: UnsafePointer<UnsafeMutablePointer<Float>>, share: UnsafePointer<UnsafeMutablePointer<Float>>,
        objects: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
        hear(
            inputs, frames: frames, controls: controls,
            AudioMixer.Outputs(
                mix: UnsafePointer(mixed.pointers), placed: UnsafePointer(speech.pointers), objects: objects))
        giveMix(frames: frames, to: feeds)
        give(speech, frames: frames, to: share)
    }

    /// Processes the next `frames` frames and writes the two parts of the mix, speech and ambience. Their sum is the
    /// input, `latencyFrames` later.
    @_noLocks
    package mutating func part(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, frames: Int, controls: AudioMixControls,
        speech speechRows: UnsafePointer<UnsafeMutablePointer<Float>>,
        ambience ambienceRows: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
        hear(
            inputs, frames: frames, controls: controls,
            AudioMixer.Outputs(
                mix: UnsafePointer(mixed.pointers), speech: UnsafePointer(speech.pointers),
                ambience: UnsafePointer(ambience.pointers)))
        give(speech, frames: frames, to: speechRows)
        give(ambience, frames: frames, to: ambienceRows)
    }

    @_noLocks
    private mutating func hear(
        _ inputs: UnsafePointer<UnsafePointer<Float>>, frames: Int, controls: AudioMixControls,
        _ outputs: AudioMixer.Outputs
    ) {
        mixer.controls = controls
        for channel in 0..<channelCount {
            let (acn, gain) = places[channel]
            Samples.copy(inputs[channel], to: incoming[acn], count: frames)
            guard gain != 1 else { continue }
            Samples.scale(incoming[acn], by: gain, count: frames)
            let line = raw[channel]
            for i in 0..<frames { line[(heard + i) & mask] = inputs[channel][i] }
        }
        heard += frames
        let rows = UnsafeRawPointer(incoming.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        mixer.process(frames: frames, rows, into: outputs)
    }

    /// Writes the mix in the channels' own scale. Samples that the mix did not change are copied from the input,
    /// because scaling to SN3D and back may change the last bit.
    @_noLocks
    private func giveMix(frames: Int, to rows: UnsafePointer<UnsafeMutablePointer<Float>>) {
        give(mixed, frames: frames, to: rows)
        for channel in 0..<channelCount where places[channel].gain != 1 {
            let (acn, gain) = places[channel]
            let (line, row, made) = (raw[channel], rows[channel], mixed[acn])
            let first = heard - frames - latencyFrames
            for i in 0..<frames {
                let came = line[(first + i) & mask]
                if came * gain == made[i] { row[i] = came }
            }
        }
    }

    @_noLocks
    private func give(
        _ field: borrowing PlanarBlock, frames: Int, to rows: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
        for channel in 0..<channelCount {
            let (acn, gain) = places[channel]
            Samples.copy(field[acn], to: rows[channel], count: frames)
            if gain != 1 { Samples.scale(rows[channel], by: 1 / gain, count: frames) }
        }
    }
}

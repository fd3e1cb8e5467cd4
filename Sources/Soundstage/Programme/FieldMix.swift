import AudioMix
import CRealtime
import Signal

/// In which form the voices that an Audio Mix has placed are given beside the mix, which holds them in any case.
package enum PlacedVoices: Hashable, Sendable {
    /// Not at all.
    case mixed
    /// As a sound field of this order.
    case order(Int)
    /// Each in mono, with its place; and together in the field's channels, so that they can be taken out of it.
    case apart
}

/// The Audio Mix of a sound field, in whatever convention its channels are delivered.
///
/// Made off the audio thread, some milliseconds; `process` and `restart` are safe on it.
package struct FieldMix: ~Copyable {
    /// Frames by which all that comes out is later than what went in.
    package let latencyFrames: Int
    /// Channels in and out.
    package let channelCount: Int
    /// Rows of the placed voices at an order of their own, ACN and SN3D; 0 where none is asked for.
    package let placedCount: Int
    private var mixer: AudioMixer
    /// `[channel]`: its place in the order of ACN and what scales it to SN3D.
    private let places: UnsafeMutablePointer<(acn: Int, gain: Float)>
    /// `[channel]`: what came in, as a ring of so many frames, of channels that are scaled; and frames that came in.
    private let raw: PlanarBlock
    private let mask: Int
    private var heard = 0
    /// `[ACN]`: the field as it comes in, as it is mixed, its speech and its ambience.
    private let incoming: PlanarBlock, mixed: PlanarBlock, speech: PlanarBlock, ambience: PlanarBlock

    /// A mix at rest; `camera`: where it looks over the time of what comes in; `voices`: in which form the placed
    /// voices are given besides.
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

    /// The talkers that are heard: where, and how likely each is speech; nil in a free place.
    package var talkers: (TalkerState?, TalkerState?) {
        @_noLocks get { (mixer.heardTalker(0), mixer.heardTalker(1)) }
    }

    /// Voices that may be heard at once, each a row of objects.
    package static var objectCount: Int { AudioMixer.talkerCount }

    /// Where a voice of the objects is to stand `frames` after those last given: a unit vector, x to the front,
    /// y to the left.
    @_noLocks
    package func place(ofObject index: Int, ahead frames: Int) -> SIMD3<Double> {
        let place = mixer.place(index, ahead: frames)
        return SIMD3(Double(place.x), Double(place.y), Double(place.z))
    }

    /// Begins anew with silence and with what is asked for in force.
    @_noLocks
    package mutating func restart(_ controls: AudioMixControls) {
        mixer.controls = controls
        mixer.reset()
        for channel in 0..<raw.channelCount { Samples.clear(raw[channel], count: mask + 1) }
        heard = 0
    }

    /// Takes the next `frames` ≤ `ProgrammeSlice.longest` frames of all channels and writes what the mix makes of those
    /// `latencyFrames` before, and the placed voices that are part of it (`AudioMixer.Outputs.placed`; nil leaves them
    /// out); no row may be one of the inputs. What `AudioMixer.process` costs.
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

    /// The same with the placed voices apart (`PlacedVoices.apart`): what of the mix they are, in the field's channels,
    /// and each of them in mono, `objectCount` rows, to be heard at its place instead.
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

    /// The same for the two that the mix is made of: together they are what went in.
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

    /// Gives the mix in the channels' own scale; where it is what came in, to the bit:
    /// scaling there and back may miss that by one.
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

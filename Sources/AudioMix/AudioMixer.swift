import CRealtime
import Convolution
import Geometry
import Signal

/// Mixes a sound field anew from its speech and its ambience.
///
/// The ambience is the input minus the encoded speech, sample by sample. The sum of speech and ambience is therefore
/// the input, even if the separation is poor. At intensity 0 the output is the input, delayed by `latency` frames. Do
/// not create the mixer on the audio thread. `process` never fails and accepts any number of frames; its output does
/// not depend on the division into calls, bit for bit. Sound fields of any order are analysed by their first four
/// channels and mixed in all channels. Method and figures: `Documentation/explanation/audio-mix.md`.
package struct AudioMixer: ~Copyable {
    /// Latency of the mix and of all stems, frames.
    package let latency: Int
    /// Number of channels of the sound field, at the input and in the mix. They are in ACN order and SN3D scale.
    package let channelCount: Int
    /// Number of channels of the placed voices, in ACN order and SN3D scale; 0 if they were not requested.
    package let placedCount: Int
    /// Largest number of talkers that are separated at the same time. Each has a row of `Outputs.voices`.
    package static var talkerCount: Int { TalkerTracks.limit }
    /// Controls of the mix. They may change between calls of `process`. A change of intensity takes up to 50 ms.
    package var controls: AudioMixControls

    let tuning: AudioMixTuning
    var separator: SpeechSeparator
    private let ceiling: VoiceCeiling
    var history: SourceHistory
    var keeper: LoudnessKeeper
    private var course: CameraCourse
    /// Highest order to which voices are encoded: the order of the field or of the placed voices.
    private let order: Int
    /// `[channel][frame]` of the output hop: the mix, the encoded speech, the ambience, and the change d (see
    /// `render`).
    let mix: PlanarBlock, speech: PlanarBlock, ambience: PlanarBlock, change: PlanarBlock
    /// Voices as placed by the style, encoded to the requested order; and each talker's part of them in mono.
    let image: PlanarBlock, objects: PlanarBlock
    /// `[talker]`: directions of the placed voice at the beginning and at the end of the output hop.
    let origins: Row<SIMD3<Float>>, aims: Row<SIMD3<Float>>
    /// Spherical harmonics of the direction that was encoded last.
    let harmonics: Row<Double>
    /// Gains at the end of the last hop: those of the encoded speech, `[talker][channel]`, and those of the styled
    /// voices, `[plain, dry][talker][channel]`.
    let encoded: Row<Float>, gains: Row<Float>
    /// Gain of the ambience, intensity, and loudness gain, all at the end of the last hop.
    var field: Float = 1, intensity: Float = 0, level: Float = 1
    /// Frames of the present hop that are already read, and number of complete hops.
    private var filled = 0, hops = 0

    /// Creates a mixer without past sound. This takes some milliseconds. With look-ahead the mixer occupies about 15 MB
    /// at order 1. The times of a `camera` path count from the first input frame. `placed` is the order of
    /// `Outputs.placed`, 1…7; nil omits the placed voices.
    ///
    /// - Throws: `noSoundField` if `channels` is not (order + 1)² for an order from 1 to 7.
    package init(
        sampleRate: SampleRate, channels: Int, latency: AudioMixLatency = .player,
        controls: AudioMixControls = AudioMixControls(), camera: CameraPath? = nil, placed: Int? = nil
    ) throws(AudioMixError) {
        var order = 1
        while SphericalHarmonics.count(order: order) < channels { order += 1 }
        guard SphericalHarmonics.count(order: order) == channels, order <= SphericalHarmonics.maximumOrder else {
            throw .noSoundField(channels: channels)
        }
        let tuning = AudioMixTuning(latency, sampleRate: sampleRate)
        self.tuning = tuning
        self.order = max(order, placed ?? 0)
        placedCount = placed.map { SphericalHarmonics.count(order: $0) } ?? 0
        let wide = max(channels, placedCount)
        self.latency = tuning.latency
        self.controls = controls
        channelCount = channels
        separator = SpeechSeparator(tuning)
        ceiling = VoiceCeiling(tuning, voices: 2 * TalkerTracks.limit)
        history = SourceHistory(
            sourceCount: channels, slice: tuning.hop, kept: max(tuning.field, tuning.latency))
        keeper = LoudnessKeeper(sampleRate: sampleRate.hertz, hop: tuning.hop)
        course = CameraCourse(camera)
        mix = PlanarBlock(channels: channels, frames: tuning.hop)
        speech = PlanarBlock(channels: channels, frames: tuning.hop)
        ambience = PlanarBlock(channels: channels, frames: tuning.hop)
        change = PlanarBlock(channels: channels, frames: tuning.hop)
        image = PlanarBlock(channels: placedCount, frames: tuning.hop)
        objects = PlanarBlock(channels: TalkerTracks.limit, frames: tuning.hop)
        origins = Row(TalkerTracks.limit, Self.front)
        aims = Row(TalkerTracks.limit, Self.front)
        harmonics = Row(wide, 0)
        encoded = Row(TalkerTracks.limit * channels, 0)
        gains = Row(2 * TalkerTracks.limit * wide, 0)
        intensity = controls.aim
    }

    /// Clears all past sound. The next input frame is at 0 s again.
    @_noLocks
    package mutating func reset() {
        history.reset()
        separator.reset()
        ceiling.reset()
        keeper.reset()
        course.reset()
        for i in 0..<encoded.count { encoded.base[i] = 0 }
        for i in 0..<gains.count { gains.base[i] = 0 }
        for channel in 0..<channelCount {
            Samples.clear(mix[channel], count: tuning.hop)
            Samples.clear(speech[channel], count: tuning.hop)
            Samples.clear(ambience[channel], count: tuning.hop)
        }
        for channel in 0..<placedCount { Samples.clear(image[channel], count: tuning.hop) }
        for talker in 0..<TalkerTracks.limit {
            Samples.clear(objects[talker], count: tuning.hop)
            (origins.base[talker], aims.base[talker]) = (Self.front, Self.front)
        }
        intensity = controls.aim
        (field, level, filled, hops) = (1, 1, 0, 0)
    }

    /// Returns the state of a talker in the newest input, which is output `latency` frames later. `index` is below
    /// `talkerCount`. Returns nil if no talker has this index.
    @_noLocks
    package func talker(_ index: Int) -> TalkerState? { separator.talker(index) }

    /// Returns the state of a talker, with the direction of the voice in the present output.
    @_noLocks
    package func heardTalker(_ index: Int) -> TalkerState? {
        var talker = separator.talker(index)
        talker?.direction = index == 0 ? separator.directions.0 : separator.directions.1
        return talker
    }

    /// Returns the direction in which the style places a talker's voice (`Outputs.objects`), as a unit vector. `frames`
    /// counts from the last output frame. Times after the end of the hop give the direction at the end of the hop.
    @_noLocks
    package func place(_ talker: Int, ahead frames: Int) -> SIMD3<Float> {
        let (from, to) = (origins.base[talker], aims.base[talker])
        let way = from + (to - from) * min(1, Float(filled + frames) / Float(tuning.hop))
        let length = prc_sqrtf((way * way).sum())
        return length > 1e-3 ? way / length : to
    }

    /// Directness of the field, 0…1. A diffuse field has 0, and a single plane wave has 1.
    package var directness: Float { @_noLocks get { separator.directness } }

    /// Output rows of `process`. Each row has space for the frames of the call.
    package struct Outputs: BitwiseCopyable {
        /// The mix, one row per channel.
        package var mix: UnsafePointer<UnsafeMutablePointer<Float>>
        /// The encoded speech and the ambience, one row per channel. Nil omits the stem.
        package var speech: UnsafePointer<UnsafeMutablePointer<Float>>?,
            ambience: UnsafePointer<UnsafeMutablePointer<Float>>?
        /// Each talker's voice in mono, `talkerCount` rows. Nil omits the voices.
        package var voices: UnsafePointer<UnsafeMutablePointer<Float>>?
        /// The voices as placed by the style, at the requested order, `placedCount` rows. The mix contains these voices
        /// up to the order of the field. At intensity 0 the rows are silent. Nil omits them.
        package var placed: UnsafePointer<UnsafeMutablePointer<Float>>?
        /// Each talker's part of `placed` in mono, `talkerCount` rows. A row, encoded in the direction that `place`
        /// returns, is the talker's part of `placed`. Nil omits these rows.
        package var objects: UnsafePointer<UnsafeMutablePointer<Float>>?

        /// Creates the outputs from the rows of the mix and optional rows.
        @_noLocks
        package init(
            mix: UnsafePointer<UnsafeMutablePointer<Float>>, speech: UnsafePointer<UnsafeMutablePointer<Float>>? = nil,
            ambience: UnsafePointer<UnsafeMutablePointer<Float>>? = nil,
            voices: UnsafePointer<UnsafeMutablePointer<Float>>? = nil,
            placed: UnsafePointer<UnsafeMutablePointer<Float>>? = nil,
            objects: UnsafePointer<UnsafeMutablePointer<Float>>? = nil
        ) {
            (self.mix, self.speech, self.ambience) = (mix, speech, ambience)
            (self.voices, self.placed, self.objects) = (voices, placed, objects)
        }
    }

    /// Mixes the next `frames` frames of a field, one row per channel. The input rows must not overlap the outputs.
    /// Samples that are not finite are replaced by 0. Suitable for the audio thread. Most of the cost occurs once per
    /// hop; see `Documentation/explanation/audio-mix.md`.
    @_noLocks
    package mutating func process(
        frames: Int, _ rows: UnsafePointer<UnsafePointer<Float>>, into outputs: Outputs
    ) {
        var done = 0
        while done < frames {
            let count = min(frames - done, tuning.hop - filled)
            for channel in 0..<channelCount {
                _ = Samples.cleanse(rows[channel] + done, to: history.samples(ofSource: channel) + filled, count: count)
                Samples.copy(mix[channel] + filled, to: outputs.mix[channel] + done, count: count)
                if let target = outputs.speech {
                    Samples.copy(speech[channel] + filled, to: target[channel] + done, count: count)
                }
                if let target = outputs.ambience {
                    Samples.copy(ambience[channel] + filled, to: target[channel] + done, count: count)
                }
            }
            if let target = outputs.voices {
                for talker in 0..<TalkerTracks.limit {
                    Samples.copy(separator.voices[talker] + filled, to: target[talker] + done, count: count)
                }
            }
            if let target = outputs.placed {
                for channel in 0..<placedCount {
                    Samples.copy(image[channel] + filled, to: target[channel] + done, count: count)
                }
            }
            if let target = outputs.objects {
                for talker in 0..<TalkerTracks.limit {
                    Samples.copy(objects[talker] + filled, to: target[talker] + done, count: count)
                }
            }
            done += count
            filled += count
            guard filled == tuning.hop else { continue }
            filled = 0
            hear()
        }
    }

    /// Processes one full hop: separation, camera, limit of the voices, and mix.
    @_noLocks
    private mutating func hear() {
        hops += 1
        separator.hear(history, isField: hops % tuning.fieldHops == 0)
        // Time of the end of the output hop, for the camera's view.
        let heard = hops * tuning.hop - tuning.latency + tuning.hop
        if let view = course.view(at: Double(heard) / tuning.rate) { controls.view = view }
        ceiling.lower(separator.voices, history.window(tuning.latency), frames: tuning.hop)
        render(history.window(tuning.latency))
        history.advance()
    }

    /// Direction of the front.
    static var front: SIMD3<Float> { @_noLocks get { SIMD3(1, 0, 0) } }

    /// Writes the spherical harmonics of a direction to `harmonics`.
    @_noLocks
    func encode(_ direction: SIMD3<Float>) {
        SphericalHarmonics.write(
            order: order, x: Double(direction.x), y: Double(direction.y), z: Double(direction.z), to: harmonics.base)
    }
}

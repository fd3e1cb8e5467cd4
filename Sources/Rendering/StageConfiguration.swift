import AudioMix
import Geometry
import Headphones
import Signal
import Soundstage

/// One programme of a stage, with its initial controls.
package struct StageProgramme: Sendable {
    /// The programme.
    package var programme: Programme
    /// Initial controls of the programme.
    package var controls: ProgrammeControls
    /// Sends to this programme, if it is an effect; empty for other programmes.
    package var sends: [ProgrammeSend]
    /// Index of the HRTF set's shell (a measured distance) whose filters the voices of a sound field's mix use.
    package var voiceShell = 0
    /// Number of voices of the sound field's mix; 0 without a mix.
    var voiceCount: Int { programme.mix == nil ? 0 : FieldMix.objectCount }

    /// Makes a programme of a stage with its initial controls and the sends to it.
    package init(_ programme: Programme, controls: ProgrammeControls, sends: [ProgrammeSend] = []) {
        self.programme = programme
        self.controls = controls
        self.sends = sends
    }

    /// Makes a sound field. If `controls` is nil, the controls are neutral. `mix` is the latency of an Audio Mix of the
    /// field; if it is nil, the field has no Audio Mix.
    package init(_ format: AmbisonicFormat, controls: ProgrammeControls? = nil, mix: AudioMixLatency? = nil) {
        var programme = Programme(layout: Layout(format))
        programme.mix = mix
        self.init(programme, controls: controls ?? ProgrammeControls(programme))
    }
}

/// Parameters of a stage. They are fixed for a renderer's life.
package struct StageConfiguration: Sendable {
    /// Sample rate of inputs, filters and outputs.
    package var sampleRate: SampleRate
    /// Frames of a slice, the grid on which filters are applied and poses are sampled: 64, 128 or 256.
    package var slice: Int
    /// Virtual sources, in order. Without programmes there is one per input channel; otherwise one per loudspeaker of
    /// each programme.
    package var sources: [SourcePlacement]
    /// Programmes that feed the sources. Without programmes each source plays its input channel unchanged.
    package var programmes: [StageProgramme]
    /// Gain of the sum of all sources.
    package var trim: Decibels
    /// Output limiter that keeps the output within full scale.
    package var outputGuard: OutputGuard
    /// Initial headphone equalisation of both ears, at the stage's sample rate; nil without an equalisation.
    package var headphones: HeadphoneFilter?
    /// Frames of a crossfade from the filters of one pose to the filters of the next. It is also the interval at which
    /// filters are updated. Allowed: the slice, half a slice, or two slices; at most 256.
    package var fadeFrames: Int
    /// Whether the times of a pose log refer to the sound of the programme `lead`, as in a file. Otherwise they refer
    /// to the stream; the sound is then later by the programme's latency.
    package var posesFollowSound = false
    /// Largest number of taps of an HRTF set that replaces the first set later. The limit is higher if the first set
    /// has more taps.
    static let usualTaps = 4096

    /// Most taps of filters in any stage. Room responses are longer; `RoomStage` renders them.
    package static let mostTaps = 65_536

    /// Most input channels of one stage, and most sources including the voices.
    package static let maximumSources = 64

    /// Makes a configuration with the given sources. `fadeFrames` defaults to 128. This is the longest fade with which
    /// the sound of a turning head stays within both limits of `MotionTests`: the modulation of a tone, and the
    /// deviation from filters that follow every sample.
    package init(
        sampleRate: SampleRate, slice: Int = 64, sources: [SourcePlacement],
        programmes: [StageProgramme] = [], trim: Decibels = Decibels(-6), outputGuard: OutputGuard = .instant,
        fadeFrames: Int? = nil
    ) {
        self.sampleRate = sampleRate
        self.slice = slice
        self.sources = sources
        self.programmes = programmes
        self.trim = trim
        self.outputGuard = outputGuard
        self.fadeFrames = fadeFrames ?? 128
    }

    /// Number of input channels: one per source or, with programmes, the inputs of all programmes.
    package var inputCount: Int {
        programmes.isEmpty ? sources.count : programmes.reduce(0) { $0 + $1.programme.inputCount }
    }

    /// Index of the programme whose stage the room follows: the first sound field, or the first programme if there is
    /// no sound field.
    var lead: Int { programmes.firstIndex { $0.programme.field != nil } ?? 0 }

    /// Indices of the sources that can have width, grouped by programme. Programmes without such sources are left out.
    /// Without programmes, only sources with an initial width can have width. The voices of sound fields come last.
    var wideSources: [(programme: Int, sources: [Int])] {
        let places = sources.indices.filter { index in
            if case .direct = sources[index].motion { return false }
            return !programmes.isEmpty || sources[index].width > 0
        }
        let wide = Set(places.map { sources[$0].programme }).sorted().map { programme in
            (programme: programme, sources: places.filter { sources[$0].programme == programme })
        }
        let voices = voices
        let mixed = programmes.indices.filter { programmes[$0].voiceCount > 0 }
        return wide
            + mixed.map { programme in
                (programme, voices.indices.filter { voices[$0].programme == programme }.map { sources.count + $0 })
            }
    }

    /// Voices of the sound fields' mixes. They are numbered after the sources. Each mix sets the directions of its
    /// voices on the stage of the mixed field. The voices of one mix cost as much as two sources, even while they are
    /// silent.
    package var voices: [SourcePlacement] {
        let front = Direction<Stage>(azimuthDegrees: 0, elevationDegrees: 0)
        return programmes.enumerated().flatMap { number, stage in
            let voice = SourcePlacement(direction: front, programme: number, shell: stage.voiceShell)
            return [SourcePlacement](repeating: voice, count: stage.voiceCount)
        }
    }

    /// All sources that have filters: the sources, then the voices.
    var played: [SourcePlacement] { sources + voices }

    /// Number of fades per slice. It is also 1 if one fade spans two slices.
    var fadesPerSlice: Int { max(1, slice / fadeFrames) }

    /// Traps unless a send leads from a programme of loudspeakers to an effect, and its matrix has the channels of both
    /// layouts.
    private func check(_ send: ProgrammeSend, to target: Programme) {
        precondition(programmes.indices.contains(send.programme), "a send is of a programme")
        let source = programmes[send.programme].programme
        precondition(target.isEffect && !source.isEffect, "programmes are sent to effects, not effects")
        precondition(source.field == nil, "loudspeakers' programmes are sent to effects, not sound fields")
        precondition(
            send.matrix.inputCount == source.layout.channelCount
                && send.matrix.outputCount == target.layout.channelCount, "a send has the channels of both layouts")
    }

    /// Throws if this stage cannot be rendered.
    func validate() throws(RenderingError) {
        guard [64, 128, 256].contains(slice) else { throw .unsupportedSlice(slice) }
        guard fadeFrames == slice || 2 * fadeFrames == slice || fadeFrames == 2 * slice, fadeFrames <= 256 else {
            throw .unsupportedFade(frames: fadeFrames, slice: slice)
        }
        guard max(inputCount, played.count) <= StageConfiguration.maximumSources else {
            throw .tooManySources(max(inputCount, played.count), most: StageConfiguration.maximumSources)
        }
        let fields = programmes.count { $0.programme.field != nil }
        guard programmes.count - fields <= Programme.most else {
            throw .tooManyProgrammes(programmes.count - fields, most: Programme.most)
        }
        let feeds = programmes.enumerated().flatMap { index, stage in
            repeatElement(index, count: stage.programme.loudspeakerCount)
        }
        precondition(programmes.isEmpty || feeds == sources.map(\.programme), "sources are those of the programmes")
        for stage in programmes { for send in stage.sends { check(send, to: stage.programme) } }
        guard trim.amplitude.isFinite else { throw .unusableTrim(trim) }
        for (index, source) in sources.enumerated() {
            let length = (source.direction.unit * source.direction.unit).sum()
            guard source.gain.isFinite, abs(length - 1) < 1e-6, (0...Double.pi).contains(source.width) else {
                throw .unusableSource(index: index)
            }
            if case .direct(let left, let right) = source.motion {
                guard left.isFinite, right.isFinite else { throw .unusableSource(index: index) }
            }
        }
    }
}

/// Kinds of output limiters, which keep the output within full scale.
package enum OutputGuard: String, Sendable, Hashable, CaseIterable {
    /// No limiter. Samples may exceed full scale, which a floating-point output can carry.
    case off
    /// Limiting without latency; see `InstantGuard`.
    case instant
    /// True-peak limiting with 1.5 ms of look-ahead; see `LookaheadGuard`.
    case lookahead
}

import AudioMix
import Geometry
import Headphones
import Signal
import Soundstage

/// A programme of a stage, and what is asked of it at first.
package struct StageProgramme: Sendable {
    /// What is delivered.
    package var programme: Programme
    /// What is in force from its first frame.
    package var controls: ProgrammeControls
    /// What an effect is fed with; empty for all others.
    package var sends: [ProgrammeSend]
    /// Which of the set's shells the voices of a sound field's mix are heard through, counted from 0: the one for their
    /// distance.
    package var voiceShell = 0

    /// A programme and its first controls, and what is sent to it.
    package init(_ programme: Programme, controls: ProgrammeControls, sends: [ProgrammeSend] = []) {
        self.programme = programme
        self.controls = controls
        self.sends = sends
    }

    /// A sound field, which an Audio Mix of this latency mixes anew; nil: nothing does. `controls`: nil asks nothing.
    package init(_ format: AmbisonicFormat, controls: ProgrammeControls? = nil, mix: AudioMixLatency? = nil) {
        var programme = Programme(layout: Layout(format))
        programme.mix = mix
        self.init(programme, controls: controls ?? ProgrammeControls(programme, policy: .everything))
    }
}

/// What a stage is made of, fixed for a renderer's life.
package struct StageConfiguration: Sendable {
    /// Samples per second of inputs, filters and outputs.
    package var sampleRate: SampleRate
    /// Frames of the grid on which filters are applied and poses are sampled: 64, 128 or 256.
    package var slice: Int
    /// The virtual sources, in order: one per input channel or, where there are programmes, one per loudspeaker of
    /// each.
    package var sources: [SourcePlacement]
    /// What comes before the sources, and a sound field behind them; empty: each source plays its input channel as it
    /// is.
    package var programmes: [StageProgramme]
    /// Gain of the sum of all sources.
    package var trim: Decibels
    /// What keeps the output within full scale.
    package var outputGuard: OutputGuard
    /// What is done to both ears for the listener's headphones at first, at the stage's rate; nil: nothing.
    package var headphones: HeadphoneFilter?
    /// Frames over which filters fade from one pose to the next, which is how often they are made anew: the slice, half
    /// of it or two of them; 256 at most.
    package var fadeFrames: Int
    /// Whether the moments of a pose log are those of the main programme's sound, as in a file, and not those of the
    /// stream, which the programme's latency sets apart.
    package var posesFollowSound = false
    /// The longest filters, in taps, that a set published later may have.
    package var maximumTaps: Int

    /// The longest filters that any stage takes: what a room needs beyond that, `RoomStage` renders.
    package static let mostTaps = 65_536

    /// Most input channels of one stage.
    package static let maximumSources = 64

    /// A stage with the given sources; `fadeFrames` defaults to 128, the longest that keeps both measures of motion.
    package init(
        sampleRate: SampleRate, slice: Int = 64, sources: [SourcePlacement],
        programmes: [StageProgramme] = [], trim: Decibels = Decibels(-6), outputGuard: OutputGuard = .instant,
        fadeFrames: Int? = nil, maximumTaps: Int = 4096
    ) {
        self.sampleRate = sampleRate
        self.slice = slice
        self.sources = sources
        self.programmes = programmes
        self.trim = trim
        self.outputGuard = outputGuard
        self.fadeFrames = fadeFrames ?? 128
        self.maximumTaps = maximumTaps
    }

    /// Input channels: one per source, or those of all programmes.
    package var inputCount: Int {
        programmes.isEmpty ? sources.count : programmes.reduce(0) { $0 + $1.programme.inputCount }
    }

    /// The number of the sound field among the programmes, the last; nil without one.
    package var fieldNumber: Int? { programmes.firstIndex { $0.programme.field != nil } }

    /// The programme whose stage the room follows: the sound field where there is one, else the first.
    var lead: Int { fieldNumber ?? 0 }

    /// The sources that can have width, by their numbers: those of each programme together, programmes without any left
    /// out. Where there are no programmes, only sources that have width from the start. The voices of a sound field
    /// come last.
    var wideSources: [(programme: Int, sources: [Int])] {
        let places = sources.indices.filter { index in
            if case .direct = sources[index].motion { return false }
            return !programmes.isEmpty || sources[index].width > 0
        }
        let wide = Set(places.map { sources[$0].programme }).sorted().map { programme in
            (programme: programme, sources: places.filter { sources[$0].programme == programme })
        }
        guard let fieldNumber, !voices.isEmpty else { return wide }
        return wide + [(fieldNumber, Array(sources.count..<played.count))]
    }

    /// The voices of the field's mix, sources behind the others: they stand where the mix has them, on the field's own
    /// stage. They cost what two sources do, heard or not.
    package var voices: [SourcePlacement] {
        guard let fieldNumber, programmes[fieldNumber].programme.mix != nil else { return [] }
        let front = Direction<Stage>(azimuthDegrees: 0, elevationDegrees: 0)
        let voice = SourcePlacement(
            direction: front, programme: fieldNumber, shell: programmes[fieldNumber].voiceShell)
        return [SourcePlacement](repeating: voice, count: FieldMix.objectCount)
    }

    /// All that the filters are for: the sources, then the voices.
    var played: [SourcePlacement] { sources + voices }

    /// Fades that begin in one slice: one where a fade spans two slices.
    var fadesPerSlice: Int { max(1, slice / fadeFrames) }

    /// Whether a send leads from a programme that is none to an effect, channel by channel.
    private func check(_ send: ProgrammeSend, to target: Programme) {
        precondition(programmes.indices.contains(send.programme), "a send is of a programme")
        let source = programmes[send.programme].programme
        precondition(target.isEffect && !source.isEffect, "programmes are sent to effects, not effects")
        precondition(source.field == nil, "loudspeakers' programmes are sent to effects, not sound fields")
        precondition(
            send.matrix.inputCount == source.layout.channelCount
                && send.matrix.outputCount == target.layout.channelCount, "a send has the channels of both layouts")
    }

    /// Throws what makes this stage impossible to render.
    func validate() throws(RenderingError) {
        guard [64, 128, 256].contains(slice) else { throw .unsupportedSlice(slice) }
        guard fadeFrames == slice || 2 * fadeFrames == slice || fadeFrames == 2 * slice, fadeFrames <= 256 else {
            throw .unsupportedFade(frames: fadeFrames, slice: slice)
        }
        guard max(inputCount, played.count) <= StageConfiguration.maximumSources else {
            throw .tooManySources(max(inputCount, played.count), most: StageConfiguration.maximumSources)
        }
        let fields = programmes.count { $0.programme.field != nil }
        precondition(fields == 0 || fields == 1 && lead == programmes.count - 1, "a sound field is behind all others")
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

/// What keeps the output within full scale.
package enum OutputGuard: String, Sendable, Hashable, CaseIterable {
    /// Nothing: samples may exceed full scale (a floating-point output carries them).
    case off
    /// Without latency: gain drops within the sample, see `InstantGuard`.
    case instant
    /// True-peak limiting 1.5 ms ahead, see `LookaheadGuard`.
    case lookahead
}

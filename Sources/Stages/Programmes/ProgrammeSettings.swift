import AudioMix
import Capture
import Soundstage

/// What is played on the stage and how it meets the listener.
package struct ProgrammeSettings: Sendable {
    /// What is said of the main programme by the table of parameters, for inputs' own groups; the mode is that of all
    /// inputs.
    package var changes: [ParameterChange]
    /// What kind of programme is played; nil: by its metadata, else `av`.
    package var content: ProgrammeContent?
    /// How loud the main programme is made, and how its dynamics are compressed.
    package var dynamics: DynamicsSettings
    /// Inputs beside the main one.
    package var inputs: [InputSettings]
    /// Shared effects, which inputs are sent to.
    package var effects: [EffectSettings] = []
    /// Two renditions of the main programme, and the look-ahead over all.
    package var renditions: RenditionSettings
    /// How stereo is upmixed into the stage.
    package var upmix = UpmixChoices()
    /// How far an Audio Mix of a sound field looks ahead; nil: none is made.
    package var mix: AudioMixLatency?
    /// What the sound field of a file holds to, by the turns of the device that recorded it, which are beside it; nil:
    /// it is left as it is.
    package var steady: SteadyMode?
    /// Where that mix's camera looks over the time of a file; nil: where the table of parameters says.
    package var camera: CameraPath?

    /// All choices.
    package init(
        changes: [ParameterChange] = [], content: ProgrammeContent? = nil,
        dynamics: DynamicsSettings = DynamicsSettings(), inputs: [InputSettings] = [],
        renditions: RenditionSettings = RenditionSettings()
    ) {
        self.changes = changes
        self.content = content
        self.dynamics = dynamics
        self.inputs = inputs
        self.renditions = renditions
    }

    /// All that is beside the main programme: inputs, then effects.
    package var others: [InputSettings] { inputs + effects.map(\.input) }

    /// How the stage meets the head.
    package var mode: StageMode { changes["mode"].flatMap { StageMode(word: $0.word) } ?? .tracked }
}

/// How stereo is upmixed into the stage of a session.
package struct UpmixChoices: Sendable, Hashable {
    /// Which law is kept, see `Documentation/upmix.md`; nil: stereo is upmixed only where the main programme has two
    /// renditions.
    package var mode: UpmixMode?
    /// Whether a file's metadata may say that it is to be decoded.
    package var followsMetadata = false
    /// No upmix, even of a stereo rendition.
    package var isOff = false
    /// The layout stereo is upmixed to, where the session's is not wider.
    package var layout = "5.1"
    /// How far the upmix may look ahead.
    package var latency = UpmixLatency.live
    /// What becomes of a programme in one channel.
    package var mono = MonoPlacement.centre
    /// How far it goes.
    package var amounts = UpmixControls()

    /// As usual.
    package init() {}

    /// The law kept where there is an upmix: `identity` unless chosen.
    package var law: UpmixMode { mode ?? .identity }

    /// The same, as the engine takes it.
    package var plan: UpmixPlan { UpmixPlan(mode: law, latency: latency, mono: mono) }

    /// Decodes what a file's metadata call Lt/Rt, where that was left to them.
    ///
    /// - Returns: remarks about it.
    package mutating func follow(_ metadata: ProgrammeMetadata?) -> String? {
        guard metadata?.encoding == .ltrt, mode != nil else { return nil }
        guard followsMetadata else {
            return mode == .matrix
                ? nil : "its metadata call it Lt/Rt: --upmix matrix decodes it, auto does so by itself"
        }
        mode = .matrix
        return "decoded as Lt/Rt by its metadata"
    }

    /// Takes what is said of the amounts by the table of parameters; all else is left.
    package mutating func take(_ changes: [ParameterChange]) {
        for change in changes {
            if case .upmix(let set) = change.parameter.effect { set(&amounts, change.value) }
        }
    }
}

/// Two renditions of the main programme and the look-ahead over all inputs, in the words of the command line.
package struct RenditionSettings: Sendable, Hashable {
    /// Whether two more ports take the main programme in stereo.
    package var hasStereo: Bool
    /// Seconds of look-ahead in which sound that breaks off is faded before its end.
    package var hold: Double
    /// Seconds in reserve to meet a stereo rendition that comes later; counts only with two renditions.
    package var alignment: Double

    /// Seconds in reserve unless chosen otherwise.
    package static let usualAlignment = 0.02

    /// All choices.
    package init(hasStereo: Bool = false, hold: Double = 0, alignment: Double = RenditionSettings.usualAlignment) {
        self.hasStereo = hasStereo
        self.hold = hold
        self.alignment = alignment
    }

    /// The latency every programme is given, so that all keep time with each other.
    package var handOver: HandOver { HandOver(hold: hold, alignment: hasStereo ? alignment : 0) }

    /// Whether anything was asked for.
    package var isPlain: Bool { !hasStereo && hold == 0 }

    /// Reads a duration: `20ms`, `0.02s`, or a number of milliseconds; nil unless 0 to 500 ms.
    package static func seconds(parsing text: String) -> Double? {
        var (number, unit) = (text[...], 1e-3)
        if text.hasSuffix("ms") {
            number = text.dropLast(2)
        } else if text.hasSuffix("s") {
            (number, unit) = (text.dropLast(), 1)
        }
        guard let value = Double(number), (0...HandOver.most).contains(value * unit) else { return nil }
        return value * unit
    }
}

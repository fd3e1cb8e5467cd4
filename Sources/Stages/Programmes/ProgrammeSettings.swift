import AudioMix
import Soundstage

/// Settings of the programmes of a session.
package struct ProgrammeSettings: Sendable {
    /// Changes of the main programme's parameters. The mode applies to all inputs.
    package var changes: [ParameterChange]
    /// Kind of the main programme's content; nil for that of the metadata or, without one, `av`.
    package var content: ProgrammeContent?
    /// Loudness normalisation and compression of the main programme.
    package var dynamics: DynamicsSettings
    /// Inputs beside the main one.
    package var inputs: [InputSettings]
    /// Shared effects to which inputs are sent.
    package var effects: [EffectSettings] = []
    /// Two renditions of the main programme, and the look-ahead of all inputs.
    package var renditions: RenditionSettings
    /// Settings of the stereo upmix.
    package var upmix = UpmixChoices()
    /// Look-ahead of an Audio Mix of a sound field; nil without a mix.
    package var mix: AudioMixLatency?
    /// Stabilisation of a file's sound field against turns of the recording device, by the orientation file beside it;
    /// nil without one.
    package var steady: SteadyMode?
    /// Direction of the camera of the Audio Mix over the duration of a file; nil if it is set by the parameters
    /// `camera-heading` and `camera-field`.
    package var camera: CameraPath?

    /// Creates settings; see the properties.
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

    /// All inputs except the main programme: inputs, then effects.
    package var others: [InputSettings] { inputs + effects.map(\.input) }

    /// Mode of the stage.
    package var mode: StageMode { changes["mode"].flatMap { StageMode(word: $0.word) } ?? .tracked }
}

/// Settings of the stereo upmix of a session.
package struct UpmixChoices: Sendable, Hashable {
    /// Law of the upmix, see `Documentation/explanation/upmix.md`; nil if stereo is upmixed only in a main programme
    /// with two renditions.
    package var mode: UpmixMode?
    /// Whether a file's metadata may request matrix decoding.
    package var followsMetadata = false
    /// Whether nothing is upmixed, not even a stereo rendition.
    package var isOff = false
    /// Layout to which a stereo main programme is upmixed. A stereo rendition is upmixed to the main layout instead.
    package var layout = "5.1"
    /// Look-ahead of the upmix.
    package var latency = UpmixLatency.live
    /// Placement of a mono programme.
    package var mono = MonoPlacement.centre
    /// Amounts of the upmix.
    package var amounts = UpmixControls()

    /// Creates default settings.
    package init() {}

    /// Law of an upmix: `identity` unless chosen.
    package var law: UpmixMode { mode ?? .identity }

    /// The settings in the form that the renderer uses.
    package var plan: UpmixPlan { UpmixPlan(mode: law, latency: latency, mono: mono) }

    /// Selects matrix decoding for a file whose metadata declare Lt/Rt, if the metadata may select it.
    ///
    /// - Returns: a remark on the decoding; nil without Lt/Rt, without an upmix, and if the user has selected matrix
    ///   decoding.
    package mutating func follow(_ metadata: ProgrammeMetadata?) -> String? {
        guard metadata?.encoding == .ltrt, mode != nil else { return nil }
        guard followsMetadata else {
            return mode == .matrix
                ? nil : "its metadata declare Lt/Rt: --upmix matrix decodes it, auto does so by itself"
        }
        mode = .matrix
        return "decoded as Lt/Rt by its metadata"
    }

    /// Applies the changes of upmix amounts; ignores all others.
    package mutating func take(_ changes: [ParameterChange]) {
        for change in changes {
            if case .upmix(let set) = change.parameter.effect { set(&amounts, change.value) }
        }
    }
}

/// Two renditions of the main programme and the look-ahead of all inputs, as on the command line.
package struct RenditionSettings: Sendable, Hashable {
    /// Whether two more ports receive the main programme in stereo.
    package var hasStereo: Bool
    /// Seconds of look-ahead, within which sound that breaks off is faded before its end.
    package var hold: Double
    /// Latency in reserve to align a later stereo rendition, seconds; used only with two renditions.
    package var alignment: Double

    /// Default of `alignment`, seconds.
    package static let usualAlignment = 0.02

    /// Creates settings; see the properties.
    package init(hasStereo: Bool = false, hold: Double = 0, alignment: Double = RenditionSettings.usualAlignment) {
        self.hasStereo = hasStereo
        self.hold = hold
        self.alignment = alignment
    }

    /// Latency of every programme except effects; it keeps them synchronous.
    package var handOver: HandOver { HandOver(hold: hold, alignment: hasStereo ? alignment : 0) }

    /// Whether there is neither a stereo rendition nor a hold.
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

import AudioMix
import Gate
import Geometry
import Soundstage

/// Controls of an input in a line of a motion log: those that differ from `neutral`, by the names of the properties of
/// `ProgrammeControls`. Their numbers are read back exactly.
///
/// The controls contain the linear values of the audio thread. The values in the table of parameters are rounded, and
/// would not give the same samples.
struct RecordedControls: Codable {
    /// The controls, as `ProgrammeControls.recorded` returns them.
    let controls: ProgrammeControls

    /// The controls that a line without entries stands for. They belong to the format and must stay the same in all
    /// versions; a test reads such a line.
    static let neutral = ProgrammeControls(Programme(layout: Layout(name: "none", loudspeakers: [])))

    /// Entries of `neutral`. Finite numbers and words can always be encoded.
    private static let neutralEntries = try? JSONValue(encoding: neutral)

    /// Takes the controls that a log contains; see `ProgrammeControls.recorded`.
    init(_ controls: ProgrammeControls) { self.controls = controls.recorded }

    /// Reads the entries. Absent entries have the value of `neutral`; unknown ones are ignored.
    init(from decoder: any Decoder) throws {
        let entries = JSONValue.object(try [String: JSONValue](from: decoder))
        controls = try entries.filled(from: Self.neutralEntries).decoded(as: ProgrammeControls.self).recorded
    }

    /// Writes the entries that differ from `neutral`.
    func encode(to encoder: any Encoder) throws {
        let entries = try JSONValue(encoding: controls).difference(from: Self.neutralEntries)
        try (entries ?? .object([:])).encode(to: encoder)
    }
}

/// Controls of an input in a line of a motion log of an earlier version.
struct FormerControls: Decodable {
    /// Controls of an Audio Mix; angles in radians.
    struct Mix: Decodable {
        let style: AudioMixStyle
        let intensity: Float
        let keepsSpeech: Bool
        let heading: Float, field: Float
    }

    let level: Float, duck: Float
    /// Nil in the oldest logs, which also lack `mix` and `passGain`.
    let mute: Bool?, inverted: Bool?
    let mode: StageMode
    let spatialize: SpatializationPolicy
    /// Quaternion of the place: w, x, y, z.
    let place: [Double]
    /// Width of the image, radians.
    let width: Double
    let upmix: Bool
    /// Amounts of the upmix: centre, width and ambience.
    let amounts: [Float]
    /// Nil if the log has no entry; the mix then plays as recorded.
    let mix: Mix?
    let rendition: RenditionChoice
    let passGain: Float?
    let normalisation: Float
    let drc: CompressionProfile
    let cut: Float, boost: Float, reference: Float

    /// The controls; nil if `place` does not have four numbers, or `amounts` three.
    var controls: ProgrammeControls? {
        guard place.count == 4, amounts.count == 3 else { return nil }
        var controls = RecordedControls.neutral
        (controls.level, controls.duck, controls.width) = (level, duck, width)
        (controls.isMuted, controls.isInverted) = (mute ?? false, inverted ?? false)
        controls.gainPastStage = passGain ?? 1
        (controls.mode, controls.policy) = (mode, spatialize)
        controls.place = Quaternion(w: place[0], x: place[1], y: place[2], z: place[3])
        controls.upmix.isOn = upmix
        controls.upmix.amounts.centre = amounts[0]
        controls.upmix.amounts.width = amounts[1]
        controls.upmix.amounts.ambience = amounts[2]
        if let mix {
            (controls.mix.style, controls.mix.intensity) = (mix.style, mix.intensity)
            (controls.mix.keepsSpeech, controls.mix.cameraHeading) = (mix.keepsSpeech, mix.heading)
            controls.mix.fieldOfView = mix.field
        }
        controls.renditions.choice = rendition
        controls.dynamics = DynamicsControls(
            normalisation: normalisation, profile: drc, cutScale: cut, boostScale: boost, reference: reference)
        return controls.recorded
    }
}

import ArgumentParser
import Session

/// Options that decide the sound, shared by `run` and `render`.
struct StageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Layout: a name (\(StageSettings.layoutNames)) or a JSON file of loudspeakers.", valueName: "layout"))
    var layout: String?

    @Option(help: "Loudspeaker angles where the two differ: itu (BS.2051) or dolby.")
    var angles: StageSettings.Angles = .itu

    @Option(help: "Channels of ambi1 to ambi7: sn3d (AmbiX), n3d (both in ACN order) or fuma (order 3 at most).")
    var ambisonics: StageSettings.Ambisonics = .sn3d

    @Option(
        help: ArgumentHelp(
            "HRTF set: kemar, generated, or a SOFA file. 'hrtf list' shows what is there.", valueName: "set"))
    var hrtf: String?

    @Option(
        help: ArgumentHelp(
            "Room: \(RoomSettings.names), a SOFA or WAV file, or a folder of WAV files by head yaw. 'room info' measures it.",
            valueName: "room"))
    var room: String?

    @OptionGroup var roomChoices: RoomChoices

    @OptionGroup var programmes: ProgrammeOptions

    @Option(
        help: "auto equalises, extends and levels the set where it needs it; none plays it as measured, without trim.")
    var processing: StageSettings.Processing = .auto

    @Option(
        help: ArgumentHelp("Frames per slice, the grid on which filters move: 64, 128 or 256.", valueName: "frames"))
    var slice: Int = 64

    @Option(
        help: ArgumentHelp(
            "Gain in dB on top of the default trim (-6 dB; 0 dB with --processing none).", valueName: "dB"))
    var gain: Double = 0

    @Option(
        name: .customLong("lfe-gain"),
        help: ArgumentHelp("In-band gain of the LFE channel against the others, dB (BS.775: +10).", valueName: "dB"))
    var lfeGain: Double = 10

    @Option(help: "Output guard: instant (no latency), lookahead (true peak, 1.5 ms, reported) or off.")
    var limiter: StageSettings.Limiter = .instant

    /// Checks ranges that the types do not.
    func validate() throws {
        guard [64, 128, 256].contains(slice) else {
            throw ValidationError("--slice must be 64, 128 or 256, not \(slice)")
        }
        guard gain.isFinite, (-120...40).contains(gain) else {
            throw ValidationError("--gain must lie between -120 and 40 dB, not \(gain)")
        }
        guard lfeGain.isFinite, (-120...40).contains(lfeGain) else {
            throw ValidationError("--lfe-gain must lie between -120 and 40 dB, not \(lfeGain)")
        }
    }

    /// The same, as Session takes it; dry unless a room is named.
    var settings: StageSettings { settings(room: "none") }

    /// The same, with the room that stands where none is named.
    func settings(room fallback: String) -> StageSettings {
        StageSettings(
            layout: layout, angles: angles, ambisonics: ambisonics, hrtf: hrtf, processing: processing, slice: slice,
            gain: gain,
            lfeGain: lfeGain,
            limiter: limiter, room: roomChoices.settings(room ?? fallback), programmes: programmes.settings())
    }
}

extension StageSettings.Angles: ExpressibleByArgument {}
extension StageSettings.Ambisonics: ExpressibleByArgument {}
extension StageSettings.Processing: ExpressibleByArgument {}
extension StageSettings.Limiter: ExpressibleByArgument {}

import ArgumentParser
import Capture
import Takes

/// Options of the microphone array.
struct CaptureArrayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The microphone array, or a JSON file.", valueName: "array"),
        completion: .custom { _, _, typed in MicrophoneArray.names + FilesHere.offered(typed, [".json"]) })
    var array: String = "tetrahedral"
    @Option(help: ArgumentHelp("Radius of a built-in array (1 to 100; default 10).", valueName: "mm")) var radius:
        Double?
    @Option(help: ArgumentHelp("Measured responses of the capsules (JSON).", valueName: "file"), completion: .file())
    var calibration: String?
    @Option(
        help: ArgumentHelp(
            "JACK ports to record, one for each input in order: 'physical', a list or a pattern, in quotes ('system:capture_{1,2}', 'recorder:out_*').",
            valueName: "ports"),
        completion: .list(["physical"]))
    var source: String?
    @Option(
        help: "How the device is held: portrait, landscape-left (its top to the left), landscape-right, upside-down.")
    var orientation: InputOrientation = .portrait

    /// The microphone array.
    var microphones: MicrophoneArray {
        get throws { try MicrophoneArray(array, radius: radius.map { $0 / 1000 }) }
    }
}

/// Options of the stereo rendition.
struct CaptureStereoOptions: ParsableArguments {
    @Option(
        help: "The stereo rendition: omni, cardioid, subcardioid, figure8 (to the front), xy, ms, ortf or binaural.")
    var stereo: StereoRendition = .xy
    @Option(
        help: ArgumentHelp("HRTF set of --stereo binaural; 'hrtf list' shows the installed sets.", valueName: "set"),
        completion: .sets)
    var hrtf: String?
}

/// Options of a take.
struct CaptureTakeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Upper limit of the gain of sound field and stereo; only peaks lower the gain.", valueName: "dB"))
    var gain: Double = 0
    @Option(
        help: ArgumentHelp("High-pass against wind and handling: 20 to 400, or off.", valueName: "hz"))
    var highPass: String = "80"
    @Option(
        help: ArgumentHelp("Pre-roll: seconds before 'record' that the take contains (0 to 60).", valueName: "s"))
    var preRoll: Double = 10
    @Option(help: ArgumentHelp("Megabytes (1 to 4294) after which the next part begins.", valueName: "MB"))
    var split: Int = 4294
    @Option(help: ArgumentHelp("End after this time.", valueName: "s")) var seconds: Double?
    @Flag(help: "Wait for 'record' on standard input.") var wait = false
    @Flag(help: "Do not record OUT-safety.") var noSafety = false
    @OptionGroup var former: OverwriteOption

    /// Cut-off of the high-pass, hertz; nil for `off` and for text that is not a number.
    var highPassHertz: Double? { highPass == "off" ? nil : Double(highPass) }

    /// Throws for a value out of range.
    func check() throws {
        guard gain.isFinite, (-60...60).contains(gain) else {
            throw ValidationError("--gain must lie between -60 and 60 dB, not \(gain)")
        }
        guard highPass == "off" || highPassHertz.map(WindFilter.frequencies.contains) ?? false else {
            throw ValidationError("--high-pass must be off or lie between 20 and 400 Hz, not \(highPass)")
        }
        guard preRoll.isFinite, (0...60).contains(preRoll) else {
            throw ValidationError("--pre-roll must lie between 0 and 60 s, not \(preRoll)")
        }
        guard (1...4294).contains(split) else {
            throw ValidationError("--split must lie between 1 and 4294 MB, not \(split)")
        }
        guard seconds.map({ $0.isFinite && $0 > 0 && $0 < 1e9 }) ?? true else {
            throw ValidationError("--seconds must be above 0")
        }
    }

    /// Returns the take's settings; `replacement` decides which existing files are replaced.
    func settings(_ path: String, replacing replacement: Replacement) -> CaptureTake.Settings {
        CaptureTake.Settings(
            path: path, partBytes: split * 1_000_000, hasSafety: !noSafety, replacement: replacement)
    }
}

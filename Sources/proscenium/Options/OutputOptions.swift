import ArgumentParser
import AudioIO
import Offline
import Session

/// Format of output sound files, shared by the offline commands.
struct OutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Container of the output (default: by its extension): \(SoundFileFormat.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "format"))
    var format: SoundFileFormat?

    @Option(
        help: ArgumentHelp(
            "Sample format of the output: 8, 16, 24, 32 (whole numbers), 32f, 64f (default: 32f, in FLAC 24).",
            valueName: "bits"))
    var bits: SampleEncoding?

    @Option(
        help: ArgumentHelp(
            "Conversion to 8, 16 or 24 bits: none (nearest step; default), tpdf (triangular dither) or shaped (tpdf with its noise where hearing is least sensitive; 44.1 and 48 kHz).",
            valueName: "dither"))
    var dither: Dither?

    @OptionGroup var former: OverwriteOption

    /// The options as Session's choice.
    var choice: OutputChoice {
        OutputChoice(format: format, bits: bits, dither: dither ?? .none, decide: former.decision)
    }
}

extension SoundFileFormat: ExpressibleByArgument {}
extension SampleEncoding: ExpressibleByArgument {}
extension Dither: ExpressibleByArgument {}

import ArgumentParser
import Session

/// Options that say how a sound file is written, shared by all commands that write one.
struct OutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Container of the output (default: by its extension): \(OutputChoice.Format.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "format"))
    var format: OutputChoice.Format?

    @Option(
        help: ArgumentHelp(
            "Sample format of the output: 8, 16, 24, 32 (whole numbers), 32f, 64f (default: 32f, in FLAC 24).",
            valueName: "bits"))
    var bits: OutputChoice.Bits?

    /// The same, as Session takes it.
    var choice: OutputChoice { OutputChoice(format: format, bits: bits) }
}

extension OutputChoice.Format: ExpressibleByArgument {}
extension OutputChoice.Bits: ExpressibleByArgument {}

import ArgumentParser
import AudioIO
import Offline
import Session
import Signal

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

    @Option(
        help: ArgumentHelp(
            "Sample rate of the output, 8000 to 768000 Hz (default: the file's). The file is converted first, as 'preview' does.",
            valueName: "hertz"))
    var rate: OutputRate?

    @OptionGroup var former: OverwriteOption

    /// The options as Session's choice.
    var choice: OutputChoice {
        OutputChoice(format: format, bits: bits, dither: dither ?? .none, decide: former.decision)
    }
}

/// A rate that files can have: whole hertz, also as `48k`.
struct OutputRate: ExpressibleByArgument {
    static let defaultCompletionKind = CompletionKind.rates
    let rate: SampleRate

    init?(argument: String) {
        let text = argument.lowercased().hasSuffix("hz") ? String(argument.dropLast(2)) : argument
        let isKilo = text.lowercased().hasSuffix("k")
        guard let number = Double(isKilo ? String(text.dropLast()) : text), number.isFinite else { return nil }
        let hertz = isKilo ? (number * 1e6).rounded() / 1e3 : number
        guard hertz == hertz.rounded(), let rate = SampleRate(hertz: hertz) else { return nil }
        self.rate = rate
    }
}

extension SoundFileFormat: ExpressibleByArgument {}
extension SampleEncoding: ExpressibleByArgument {}
extension Dither: ExpressibleByArgument {}

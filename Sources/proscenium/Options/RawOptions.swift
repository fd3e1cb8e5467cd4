import ArgumentParser
import AudioIO
import Offline
import Signal

/// Description of an input without a header.
struct RawOptions: CheckedOptions {
    @Option(
        help: ArgumentHelp(
            "Sample rate of an input without a header; needs --input-channels. The input may be standard input, '-'.",
            valueName: "hertz"))
    var inputRate: OutputRate?
    @Option(help: ArgumentHelp("Number of interleaved channels of an input without a header.", valueName: "count"))
    var inputChannels: Int?
    @Option(
        help: ArgumentHelp(
            "Samples of an input without a header: 8 (unsigned), 16, 24, 32, 32f (default) or 64f.",
            valueName: "bits"))
    var inputBits: SampleEncoding?
    @Option(help: "Byte order of an input without a header: little (default) or big.") var inputEndian: Endianness?

    /// Value of `--input-endian`.
    enum Endianness: String, ExpressibleByArgument, CaseIterable { case little, big }

    func check() throws {
        let isPart = inputRate != nil || inputChannels != nil || inputBits != nil || inputEndian != nil
        guard !isPart || (inputRate != nil && inputChannels != nil) else {
            throw ValidationError("an input without a header needs both --input-rate and --input-channels")
        }
        guard (1...1024).contains(inputChannels ?? 1) else {
            throw ValidationError("--input-channels must lie between 1 and 1024, not \(inputChannels ?? 0)")
        }
    }

    /// Returns how the file is read, and the output's rate.
    func reading(rate: OutputRate? = nil) -> ReadingChoice {
        guard let inputRate, let inputChannels else { return ReadingChoice(rate: rate?.rate) }
        return ReadingChoice(
            raw: RawSound(
                sampleRate: inputRate.rate, channels: inputChannels, encoding: inputBits ?? .float32,
                isBigEndian: inputEndian == .big), rate: rate?.rate)
    }
}

/// Throws if sound and JSON would share standard output.
func refuseMixture(_ output: String, json: Bool) throws {
    guard output == StandardStream.name, json else { return }
    throw Failure(.usage, "standard output would hold the sound and the JSON: leave out --json, or name a file")
}

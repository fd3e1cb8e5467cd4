import AudioIO
import Glibc
import Loading
import Signal
import Soundstage
import Takes

/// Decides which of a command's outputs may replace files of the same names. Called once, with all outputs, before the
/// work begins; throws if the user refuses.
package typealias ReplacementDecision = @Sendable (_ outputs: [String]) throws(SessionError) -> Replacement

/// Format of a sound file to write.
package struct OutputChoice: Sendable {
    /// Container; nil: by the file name's extension.
    package var format: SoundFileFormat?
    /// Sample format; nil: 32-bit float, in FLAC 24 bits.
    package var bits: SampleEncoding?
    /// Dither for the conversion to integers.
    package var dither: Dither
    /// Decision on existing files; by default none is replaced.
    package var decide: ReplacementDecision

    /// Decision that replaces no file.
    package static let nothing: ReplacementDecision = { (_) throws(SessionError) in .nothing }

    /// Sets all fields.
    package init(
        format: SoundFileFormat? = nil, bits: SampleEncoding? = nil, dither: Dither = .none,
        decide: @escaping ReplacementDecision = Self.nothing
    ) {
        self.decide = decide
        self.format = format
        self.bits = bits
        self.dither = dither
    }

    /// Returns whether samples beyond full scale are clipped, as in integer formats.
    package func clips(_ writer: SoundFileWriter) -> Bool {
        bits?.isWhole ?? (writer.format == .flac)
    }

    /// Returns the description with which a written file is read; nil for a file with a header.
    func raw(_ writer: SoundFileWriter, sampleRate: SampleRate) -> RawSound? {
        guard writer.format == .raw else { return nil }
        return RawSound(sampleRate: sampleRate, channels: writer.channelCount, encoding: bits ?? .float32)
    }

    /// Returns which of a command's outputs may replace files, before its work begins.
    ///
    /// - Parameters:
    ///   - inputs: files that are read. No output may be one of them.
    ///   - mayStream: whether one output may be `-` (standard output, which must not be a terminal).
    /// - Throws: `SessionError` for `-` that is not permitted, for an output that is an input, and for an existing file
    ///   that may not be replaced.
    package func settle(
        _ outputs: [String], keeping inputs: [String?], mayStream: Bool = false
    ) throws(SessionError) -> Replacement {
        let streams = outputs.count { $0 == StandardStream.name }
        if streams > (mayStream ? 1 : 0) { throw SessionError(TakeError.standardStream) }
        if streams > 0, isatty(1) == 1 {
            throw SessionError(
                .usage, "standard output is a terminal, which shows no sound; send it into a pipe or a file")
        }
        let outputs = outputs.filter { $0 != StandardStream.name }
        for output in outputs {
            for input in inputs.compactMap(\.self) { try Self.refuse(output, as: input) }
        }
        let replacement = try decide(outputs)
        do throws(TakeError) { try replacement.check(outputs) } catch { throw SessionError(error) }
        return replacement
    }

    /// Opens a file for a layout's channels.
    ///
    /// - Parameters:
    ///   - layout: nil for the two ears or any other sound without loudspeakers.
    ///   - replacement: permission to replace existing files.
    /// - Throws: `SessionError`, also for a layout that the format cannot declare (FLAC, Vorbis, Opus, MP3).
    package func open(
        _ path: String, layout: Layout? = nil, channels: Int, sampleRate: SampleRate, metadata: SoundFileMetadata,
        replacing replacement: Replacement
    ) throws(SessionError) -> SoundFileWriter {
        let format = format ?? SoundFileFormat(path: path)
        if let format, let layout, let held = format.layouts, !held.contains(layout.name) {
            let name =
                ["flac": "FLAC", "ogg": "Vorbis", "opus": "Opus", "mp3": "MP3"][format.rawValue] ?? format.rawValue
            throw SessionError(
                .usage,
                "\(name) holds \(held.dropLast().joined(separator: ", ")) and \(held.last ?? "") and cannot say that its "
                    + "channels are \(layout.name); write .wav or .caf",
                remedy: self.format == nil
                    ? Remedy(replacing: path, by: SoundFileError.stem(of: path) + ".wav") : Remedy("--format", "wav"))
        }
        if format == .amb { try refuseOther(than: layout, in: path) }
        if dither != .none {
            let written = bits ?? (format == .flac ? .pcm24 : .float32)
            guard let depth = written.bits, depth <= 24 else {
                throw SessionError(
                    .usage, "--dither \(dither.rawValue) is for 8, 16 and 24 bits, not \(written.rawValue): give --bits"
                )
            }
            guard dither.suits(sampleRate) else {
                throw SessionError(
                    .usage, "--dither shaped is made for 44.1 and 48 kHz, not \(sampleRate); take --dither tpdf")
            }
        }
        do throws(SoundFileError) {
            // Only a field in SN3D is declared: a field without a named convention is played as SN3D.
            let field = layout?.ambisonics.flatMap { $0.convention == .sn3d ? $0.order : nil }
            return try SoundFileWriter(
                path: path, channels: channels, sampleRate: sampleRate, encoding: bits, dither: dither,
                channelPositions: layout.flatMap(Self.positions), fieldOrder: field,
                isBFormat: layout?.ambisonics?.convention == .fuma, format: format, metadata: metadata,
                replaces: replacement.covers(path))
        } catch {
            var failure = SessionError(error)
            if case .unsupportedEncoding = error { failure.remedy = remedy(for: format) }
            throw failure
        }
    }

    /// Returns a layout in the channel order of a file of this name. This is the order of a channel mask if the file's
    /// format or the layout's name identifies the loudspeakers. Otherwise the present order is kept, because only this
    /// order, for example that of a layout file, identifies the loudspeakers.
    func ordered(_ layout: Layout, in path: String) -> Layout {
        let declares = (format ?? SoundFileFormat(path: path))?.declaresPositions ?? false
        return declares || (try? Layout.named(layout.name)) != nil ? layout.inMaskOrder : layout
    }

    /// Returns whether a file of this name becomes B-format.
    package func isBFormat(_ path: String) -> Bool { (format ?? SoundFileFormat(path: path)) == .amb }

    /// Throws unless a layout can be stored in B-format: it must be a sound field of order 1 to 3 in Furse-Malham's
    /// order and scale.
    private func refuseOther(than layout: Layout?, in path: String) throws(SessionError) {
        let plain =
            format == nil
            ? Remedy(replacing: path, by: SoundFileError.stem(of: path) + ".wav") : Remedy("--format", "wav")
        guard let layout, let field = layout.ambisonics else {
            throw SessionError(
                .usage,
                "\(path): B-format (.amb) holds sound fields only, not \(layout.map(\.name) ?? "the two ears"); 'process --to "
                    + "ambi1' makes a field, or write .wav", remedy: plain)
        }
        guard field.order <= BFormat.highestOrder else {
            throw SessionError(
                .usage,
                "\(path): B-format (.amb) holds sound fields up to order \(BFormat.highestOrder), not \(layout.name); lower the "
                    + "order with --to, or write .wav", remedy: Remedy("--to", "ambi\(BFormat.highestOrder)"))
        }
        guard field.convention == .fuma else {
            throw SessionError(
                .usage,
                "\(path): B-format (.amb) has Furse-Malham's order and scale, not \(field.convention.rawValue); write .wav",
                remedy: plain)
        }
    }

    /// Returns the change of the options after which a format can store the sound: the sample format is left to the
    /// file format, or a sample rate is given that the format has. Nil if there is no such change.
    private func remedy(for format: SoundFileFormat?) -> Remedy? {
        if bits != nil { return Remedy("--bits", nil) }
        return switch format {
        case .opus: Remedy("--rate", "48000")
        case .mp3: Remedy("--rate", "44100")
        default: nil
        }
    }

    /// Returns the WAVE mask bits of a layout's channels; nil if one has none, and for a single channel.
    private static func positions(_ layout: Layout) -> [UInt32]? {
        let positions = layout.loudspeakers.compactMap(\.waveMask)
        return positions.count == layout.channelCount && positions.count > 1 ? positions : nil
    }

    /// Throws a usage error if the output is the input file.
    package static func refuse(_ output: String, as input: String) throws(SessionError) {
        guard ![input, output].contains(StandardStream.name), isSameFile(input, output) else { return }
        throw SessionError(
            .usage,
            "\(output) is the input itself\(input == output ? "" : ", \(input)"); give the output another name",
            remedy: Remedy(replacing: output, by: Self.beside(output)))
    }

    /// Returns the path of another file in the same folder: `film-2.wav`.
    static func beside(_ path: String) -> String {
        let stem = SoundFileError.stem(of: path)
        return stem + "-2" + path.dropFirst(stem.count)
    }

    /// Returns whether two paths are the same regular file.
    private static func isSameFile(_ a: String, _ b: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(a, &first) == 0, stat(b, &second) == 0, first.st_mode & S_IFMT == S_IFREG else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }
}

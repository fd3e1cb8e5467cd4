import AudioIO
import Loading
import Soundstage
import Stages

/// Interpretation of a file's channels: by the user's layout, otherwise by the file's definitions or header.
struct ProgrammeChannels {
    /// Layout, in the order of the channels read.
    package let layout: Layout
    /// File channels that are read, counted from 0, in the order of reading; nil: all in file order.
    package let selection: [Int]?
    /// Remarks on the interpretation, a line each.
    package let remarks: [String]

    /// Determines the layout of a file's channels.
    ///
    /// Definitions (`DefinedProgramme`) take precedence over a B-format header, and the header over a channel mask. A
    /// named layout takes precedence over all of these if its channel count is that of the file or of its definitions;
    /// a remark reports a contradiction.
    ///
    /// - Parameter order: channel order if the file does not define one; nil: that of a layout file, otherwise as in
    ///   WAVE.
    /// - Throws: an input error for definitions that are not supported, if no layout is named; the errors of
    ///   `Layout.forFile`; an input error for a named layout with another number of channels.
    package init(of reader: SoundFileReader, _ stage: StageSettings, order: ChannelOrder?) throws(SessionError) {
        var named: Layout?
        var ownOrder: ChannelOrder? = .wave
        if let name = stage.layout {
            named = try stage.layout(named: name)
            if MakingName.layout.isFile(name) { ownOrder = nil }
        }
        let order = order ?? ownOrder
        let defined = DefinedProgramme(of: reader, angles: stage.angles)
        switch (named, defined) {
        case (nil, nil) where reader.header.isBFormat:
            layout = Layout(try Self.bFormat(reader))
            (selection, remarks) = (nil, [])
        case (nil, nil):
            do throws(SoundstageError) {
                layout = try Layout.forFile(
                    channelPositions: reader.header.channelPositions, channelCount: reader.channelCount,
                    order: order ?? .wave, angles: stage.angles)
            } catch {
                throw SessionError(error)
            }
            (selection, remarks) = (nil, [])
        case (nil, let defined?):
            self = try Self(defined, of: reader)
        case (let named?, nil):
            layout = try Self.layout(named, of: reader, order: order)
            let isOther = reader.header.isBFormat && named.ambisonics?.convention != .fuma
            (selection, remarks) = (
                nil,
                isOther
                    ? [
                        "\(reader.path) is played as \(named.nameWithConvention), as asked; its header says B-format (fuma)"
                    ] : []
            )
        case (let named?, let defined?):
            self = try Self(named, in: order, over: defined, of: reader)
        }
    }

    /// Returns the sound field of a file with a B-format header.
    ///
    /// - Throws: an input error unless the number of channels is that of a whole field of order 1, 2 or 3.
    static func bFormat(_ reader: SoundFileReader) throws(SessionError) -> AmbisonicFormat {
        let order = [4: 1, 9: 2, 16: 3][reader.channelCount]
        guard let order, let format = try? AmbisonicFormat(order: order, convention: .fuma) else {
            throw refusal(ofBFormat: reader.path, channels: reader.channelCount)
        }
        return format
    }

    /// Returns the error for B-format whose channels are no whole field. The remedy for a field without height or of
    /// mixed order is to fill it up with silence. For other counts the header is wrong, and the remedy is a layout of
    /// that count.
    private static func refusal(ofBFormat path: String, channels: Int) -> SessionError {
        if let places = BFormat.places(ofMixed: channels) {
            let whole = SoundFileError.stem(of: path) + ".whole.wav"
            let sources = places.enumerated().filter { $1 > 0 }.map { "c\($0)=c\($1 - 1)" }
            let filter = (["pan=\(places.count)c"] + sources).joined(separator: "|")
            let fill = ShellLine(["ffmpeg", "-i", path, "-af", filter, "-c:a", "pcm_f32le", whole]).text
            let order = places.count == 4 ? 1 : 3
            let play = ["render", whole, SoundFileError.stem(of: path) + ".ears.wav"]
            let line = ShellLine(["proscenium"] + play + ["--layout", "ambi\(order)", "--ambisonics", "fuma"]).text
            return SessionError(
                .input,
                "\(path) is B-format of \(channels) channels, a sound field without height or of mixed order; those of 4, 9 and "
                    + "16 channels are played. Fill it up with silence: \(fill) && \(line)")
        }
        let layout = Layout.names(withChannels: channels).first
        return SessionError(
            .input,
            "\(path) says B-format, and no such sound field has \(channels) channels: its header is wrong. "
                + (layout == nil
                    ? "No layout has so many channels either: describe its loudspeakers in a JSON file, --layout FILE"
                    : "Name what it holds with --layout, which takes its channels as loudspeakers or as AmbiX"),
            remedy: layout.map { Remedy("--layout", $0) })
    }

    /// Interprets a file by its own definitions, without a named layout.
    ///
    /// - Throws: an input error for definitions that are not supported.
    package init?(definedBy reader: SoundFileReader) throws(SessionError) {
        guard let defined = DefinedProgramme(of: reader, angles: .itu) else { return nil }
        self = try Self(defined, of: reader, isNameable: false)
    }

    private init(
        _ defined: DefinedProgramme, of reader: SoundFileReader, isNameable: Bool = true
    ) throws(SessionError) {
        switch defined.outcome {
        case .layout(let layout, let channels):
            self.init(layout, channels, of: reader, defined.remarks.map { "\(reader.path): \($0)" })
        case .refused(let what, let advice):
            let naming = ", or name the layout yourself with --layout to play its tracks as loudspeakers"
            let layout = isNameable ? Layout.names(withChannels: reader.channelCount).first : nil
            throw SessionError(
                .input, "\(reader.path) \(what); \(advice)" + (isNameable ? naming : ""),
                remedy: layout.map { Remedy("--layout", $0) })
        }
    }

    private init(_ layout: Layout, _ channels: [Int]?, of reader: SoundFileReader, _ remarks: [String]) {
        self.layout = layout
        selection = channels == Array(0..<reader.channelCount) ? nil : channels
        self.remarks = remarks
    }

    private init(
        _ named: Layout, in order: ChannelOrder?, over defined: DefinedProgramme, of reader: SoundFileReader
    ) throws(SessionError) {
        var says = ""
        switch defined.outcome {
        case .layout(let own, let channels):
            if let found = Self.channels(of: named, by: own, channels) {
                self.init(named, found, of: reader, [])
                return
            }
            says = "its ADM definitions say \(own.nameWithConvention)"
        case .refused(let what, _): says = "it " + what
        }
        let isWhole = named.channelCount == reader.channelCount
        let layout: Layout
        if !isWhole, named.channelCount == defined.used.count {
            layout = named.isInFileOrder ? named : order.map(named.ordered) ?? named
        } else {
            layout = try Self.layout(named, of: reader, order: order)
        }
        self.init(
            layout, isWhole ? nil : defined.used, of: reader,
            ["\(reader.path) is played as \(named.nameWithConvention), as asked; \(says)"])
    }

    /// Returns the file's channel for each channel of a named layout, by the file's definitions. Returns nil if the
    /// layout has other channels than the definitions, or if its channels must be in the file's order and are not.
    private static func channels(of named: Layout, by own: Layout, _ channels: [Int]) -> [Int]? {
        guard named.ambisonics == nil, own.ambisonics == nil else {
            return named.ambisonics == own.ambisonics ? channels : nil
        }
        let bySymbol = Dictionary(uniqueKeysWithValues: zip(own.loudspeakers.map(\.symbol), channels))
        let found = named.loudspeakers.compactMap { bySymbol[$0.symbol] }
        guard found.count == named.channelCount, found.count == channels.count else { return nil }
        return named.isInFileOrder && found != found.sorted() ? nil : found
    }

    /// Returns a named layout in the order of all channels of a file. Without positions in the file and without an
    /// order the layout is unchanged.
    private static func layout(
        _ named: Layout, of reader: SoundFileReader, order: ChannelOrder?
    ) throws(SessionError) -> Layout {
        guard named.channelCount == reader.channelCount else {
            throw SessionError(
                SoundFileError.wrongChannelCount(
                    path: reader.path, found: reader.channelCount, expected: named.channelCount,
                    layouts: Layout.names(withChannels: reader.channelCount)))
        }
        guard !named.isInFileOrder else { return named }
        guard let positions = reader.header.channelPositions else { return order.map(named.ordered) ?? named }
        do throws(SoundstageError) { return try named.arranged(as: positions) } catch { throw SessionError(error) }
    }

    /// Returns a reader of these channels: `whole` if all channels are read in file order, otherwise a new one.
    package func reader(of whole: SoundFileReader) throws(SessionError) -> SoundFileReader {
        guard let selection else { return whole }
        do throws(SoundFileError) {
            return try SoundFileReader(path: whole.path, channels: selection, raw: whole.raw)
        } catch {
            throw SessionError(error)
        }
    }
}

extension Layout {
    /// Whether the layout's channels are in the order of the file, so that a channel mask is ignored. This is so for
    /// sound fields, and for layouts with a loudspeaker that has no bit in a channel mask.
    fileprivate var isInFileOrder: Bool { ambisonics != nil || !loudspeakers.allSatisfy { $0.waveMask != nil } }

    /// Name of the layout; for a sound field with its convention.
    fileprivate var nameWithConvention: String { name + (ambisonics.map { " (\($0.convention.rawValue))" } ?? "") }
}

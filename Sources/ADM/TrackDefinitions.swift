import Glibc

/// Finds the content of a track. It follows the references of the track's row in `chna` through the elements of the
/// document and the common definitions.
struct TrackDefinitions {
    private let document: ModelDocument
    /// Identifier of the stream that refers to a track format, by the track format's identifier. If several streams
    /// refer to it, this is the lowest identifier. Used if the track format itself refers to no channel or stream.
    private let streams: [String: String]

    /// Makes the definitions of a document.
    init(_ document: ModelDocument) {
        self.document = document
        var streams: [String: String] = [:]
        for (id, stream) in document.elements[.streamFormat] ?? [:] {
            for track in stream.references[.trackFormat] ?? [] where streams[track].map({ id < $0 }) ?? true {
                streams[track] = id
            }
        }
        self.streams = streams
    }

    /// Returns the content of a row's track.
    ///
    /// - Throws: `undefined`, `contradiction`, `noPlace`, `moves`, `noHarmonic`.
    func content(of row: TrackRow) throws(ADMError) -> DefinedTrack.Content {
        let id = try channel(of: row)
        let element = document[.channelFormat, id]
        let type = element?.type ?? TypeDefinition(identifier: id)
        switch type {
        case .objects: return .object
        case .binaural: return .binaural
        case .matrix: return .matrix
        case .directSpeakers: return .loudspeaker(try loudspeaker(id, element, row))
        case .hoa: return .harmonic(try harmonic(id, element, row))
        case nil: throw .undefined(id, by: "track \(row.track)")
        }
    }

    /// Returns a text for each row whose channel has a gain other than 1.
    func levels(_ rows: [TrackRow]) -> [String] {
        rows.compactMap { row in
            guard let id = try? channel(of: row), let element = document[.channelFormat, id],
                let gain = element.block?.gain, gain != 1
            else { return nil }
            return "\"\(element.name)\" has a gain of \(gain.words) in the model; the gain is not applied"
        }
    }

    /// Returns the identifier of a row's audioChannelFormat.
    private func channel(of row: TrackRow) throws(ADMError) -> String {
        let element = document[.trackUID, row.uid]
        let said = [ModelElement.Kind.channelFormat, .trackFormat].compactMap { element?.references[$0]?.first }
        let own = try row.format.isEmpty ? nil : channel(row.format, by: "track \(row.track)")
        guard let other = said.first else {
            guard let own else { throw .undefined("no format", by: "track \(row.track) (\(row.uid))") }
            return own
        }
        let second = try channel(other, by: row.uid)
        if let own, own != second { throw .contradiction(uid: row.uid, first: own, second: second) }
        return second
    }

    /// Returns the identifier of the audioChannelFormat for the identifier of a track format or of a channel format.
    private func channel(_ format: String, by referrer: String) throws(ADMError) -> String {
        if format.hasPrefix("AC_") { return String(format.prefix(11)) }
        guard format.hasPrefix("AT_"), format.utf8.count == 14 else { throw .undefined(format, by: referrer) }
        let track = document[.trackFormat, format]
        if let channel = track?.references[.channelFormat]?.first { return channel }
        if let stream = track?.references[.streamFormat]?.first ?? streams[format] {
            guard let found = document[.streamFormat, stream] else {
                // A stream of the common definitions contains one channel, which has the same number.
                let common = "AC_" + stream.dropFirst(3)
                guard isCommon(common) else { throw .undefined(stream, by: format) }
                return common
            }
            guard let channel = found.references[.channelFormat]?.first else {
                throw .undefined("no channel", by: stream)
            }
            return channel
        }
        // Without a stream, the channel format has the number of the track format, as in the common definitions
        // (BS.2094).
        return "AC_" + format.dropFirst(3).prefix(8)
    }

    private func isCommon(_ id: String) -> Bool {
        CommonDefinitions.loudspeaker(id) != nil || CommonDefinitions.harmonic(id) != nil || CommonDefinitions.isEar(id)
    }

    private func loudspeaker(
        _ id: String, _ element: ModelElement?, _ row: TrackRow
    ) throws(ADMError) -> DefinedLoudspeaker {
        let common = CommonDefinitions.loudspeaker(id)
        guard let element, let block = element.block else {
            guard let common, let position = SpeakerPosition(label: common.label) else {
                throw .undefined(id, by: "track \(row.track)")
            }
            return DefinedLoudspeaker(name: common.label, position: position)
        }
        if element.moves { throw .moves(name: element.name, id: id) }
        for label in block.labels {
            guard let position = SpeakerPosition(label: label) else { continue }
            return DefinedLoudspeaker(name: String(label.split(separator: ":").last ?? ""), position: position)
        }
        // A channel with a cut-off of up to 200 Hz counts as LFE, as in EBU's renderer (ITU-R BS.2127). LFE channels
        // end at 120 Hz.
        if let lowPass = element.lowPass, lowPass <= 200 {
            return DefinedLoudspeaker(name: element.name, position: SpeakerPosition(0, lowFrequency: 1))
        }
        if let azimuth = block.azimuth, abs(azimuth) <= 180, abs(block.elevation ?? 0) <= 90 {
            return DefinedLoudspeaker(
                name: element.name, position: SpeakerPosition(azimuth == -180 ? 180 : azimuth, block.elevation ?? 0))
        }
        guard let common, let position = SpeakerPosition(label: common.label) else {
            throw .noPlace(name: element.name, id: id, labels: block.labels)
        }
        return DefinedLoudspeaker(name: common.label, position: position)
    }

    private func harmonic(_ id: String, _ element: ModelElement?, _ row: TrackRow) throws(ADMError) -> DefinedHarmonic {
        guard let element, let block = element.block else {
            guard let common = CommonDefinitions.harmonic(id) else { throw .undefined(id, by: "track \(row.track)") }
            return common
        }
        guard let order = block.order, let degree = block.degree, (0...50).contains(order), abs(degree) <= order else {
            throw .noHarmonic(name: element.name, id: id)
        }
        let pack = document[.trackUID, row.uid]?.references[.packFormat]?.first ?? row.pack
        let word = block.normalization ?? document[.packFormat, pack]?.normalization
        let scale = word.flatMap { word in DefinedHarmonic.Scale.allCases.first { $0.rawValue == word } }
        guard scale != nil || word == nil else { throw .noHarmonic(name: element.name, id: id) }
        return DefinedHarmonic(acn: order * order + order + degree, scale: scale ?? .sn3d)
    }
}

extension Double {
    /// Text for this linear gain, in decibels with one decimal; 0 for a gain of 0 or less.
    var words: String {
        guard self > 0 else { return "0" }
        let tenths = (200 * log10(self)).rounded() / 10
        return "\(tenths < 0 ? "−" : "+")\(abs(tenths)) dB"
    }
}

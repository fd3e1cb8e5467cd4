import ADM
import AudioIO
import Soundstage

/// Meaning of a file's channels by its audio definition model (ADM, ITU-R BS.2076).
struct DefinedProgramme {
    /// Result of the model.
    package enum Outcome {
        /// Loudspeakers or a sound field, and the file channel of each layout channel, from 0.
        case layout(Layout, channels: [Int])
        /// A programme that cannot be played; `what` continues a sentence that begins with the file's name, `advice` is
        /// the remedy.
        case refused(what: String, advice: String)
    }

    /// Result of the model.
    package let outcome: Outcome
    /// Tracks that the model uses, from 0, in the file's order.
    package let used: [Int]
    /// Further remarks, each for use after the file's name and a colon.
    package let remarks: [String]

    /// Reads a file's model; nil if the file has none, or the model uses no track.
    package init?(of reader: SoundFileReader, angles: Layout.Angles) {
        guard let chunks = reader.header.model else { return nil }
        let model: AudioModel
        do throws(ADMError) { model = try Self.read(chunks, trackCount: reader.channelCount) } catch {
            outcome = .refused(
                what: "has ADM definitions that cannot be followed: \(error.description)", advice: "write it anew")
            used = []
            remarks = []
            return
        }
        guard !model.tracks.isEmpty else { return nil }
        let used = Set(model.tracks.map { $0.number - 1 }).sorted()
        self.used = used
        outcome = Self.outcome(model.tracks, angles: angles)
        let idle = (1...reader.channelCount).filter { !used.contains($0 - 1) }
        let (has, verb) = idle.count == 1 ? ("has", "is") : ("have", "are")
        let left = "\(TrackWords.numbers(idle)) \(has) no content in the ADM definitions and \(verb) not played"
        remarks = model.remarks + (idle.isEmpty ? [] : [left])
    }

    private static func read(_ chunks: ModelChunks, trackCount: Int) throws(ADMError) -> AudioModel {
        if chunks.isCompressed { throw .compressed }
        var document: [UInt8]?
        if let size = chunks.documentSize {
            guard size <= AudioModel.largestDocument else { throw .tooLarge(bytes: size) }
            document = chunks.readDocument()
            guard document != nil else { throw .cutOff }
        }
        return try AudioModel(allocation: chunks.readAllocation(), document: document, trackCount: trackCount)
    }

    private static func outcome(_ tracks: [DefinedTrack], angles: Layout.Angles) -> Outcome {
        let words = TrackWords(tracks)
        let strangers = words.strangers
        if !strangers.isEmpty {
            let bed = words.listed { $0.isBed }
            let beside = bed.isEmpty ? "" : ", beside \(bed)"
            return .refused(what: "holds \(strangers.joined(separator: "; and "))\(beside)", advice: words.advice)
        }
        let loudspeakers = tracks.compactMap { track in
            if case .loudspeaker(let found) = track.content { (track, found) } else { nil }
        }
        let harmonics = tracks.compactMap { track in
            if case .harmonic(let found) = track.content { (track, found) } else { nil }
        }
        if harmonics.isEmpty { return bed(loudspeakers, words, angles) }
        guard loudspeakers.isEmpty else {
            return .refused(
                what: "holds loudspeakers and a sound field in one (ADM): "
                    + [words.listed { $0.isBed }, words.listed { !$0.isBed }].joined(separator: "; "),
                advice: TrackWords.renderFirst)
        }
        return field(harmonics)
    }

    private static func bed(
        _ loudspeakers: [(track: DefinedTrack, loudspeaker: DefinedLoudspeaker)], _ words: TrackWords,
        _ angles: Layout.Angles
    ) -> Outcome {
        var twins: [String] = []
        for (index, (track, loudspeaker)) in loudspeakers.enumerated() {
            guard let first = loudspeakers[..<index].first(where: { $0.loudspeaker.isSame(as: loudspeaker) }) else {
                continue
            }
            twins.append(
                "\(loudspeaker.name) is \(TrackWords.named(first.track)) and \(TrackWords.named(track))")
        }
        guard twins.isEmpty else {
            return .refused(
                what: "has more than one signal for a loudspeaker (ADM): \(TrackWords.few(twins))",
                advice: "choose one of its programmes or mix them: " + TrackWords.renderFirst)
        }
        let (layout, places) = Layout.standing(
            at: loudspeakers.map { _, found in
                Layout.Place(
                    azimuthDegrees: found.position.azimuthDegrees, elevationDegrees: found.position.elevationDegrees,
                    lowFrequency: found.position.lowFrequency, name: found.name)
            }, angles: angles)
        return .layout(layout, channels: places.map { loudspeakers[$0].track.number - 1 })
    }

    private static func field(_ harmonics: [(track: DefinedTrack, harmonic: DefinedHarmonic)]) -> Outcome {
        func refused(_ why: String) -> Outcome {
            .refused(what: "holds a sound field (ADM) \(why)", advice: TrackWords.renderFirst)
        }
        let scales = Set(harmonics.map(\.harmonic.scale))
        guard scales.count == 1, let scale = scales.first else { return refused("in more than one scale") }
        var byACN: [Int: Int] = [:]
        for (track, harmonic) in harmonics {
            if let first = byACN.updateValue(track.number - 1, forKey: harmonic.acn) {
                return refused(
                    "with a channel that it has twice: ACN \(harmonic.acn) is tracks \(first + 1) and \(track.number)")
            }
        }
        let order = Int(Double(byACN.keys.max() ?? 0).squareRoot())
        if let gap = (0..<((order + 1) * (order + 1))).first(where: { byACN[$0] == nil }) {
            return refused("of order \(order) without all its channels: ACN \(gap) is missing")
        }
        do throws(SoundstageError) {
            let format = try AmbisonicFormat(order: order, convention: convention(scale))
            let channels = (0..<format.channelCount).compactMap { byACN[format.place(ofChannel: $0).acn] }
            return .layout(Layout(format), channels: channels)
        } catch {
            return refused("of order \(order) in \(scale.rawValue), which is not played here")
        }
    }

    private static func convention(_ scale: DefinedHarmonic.Scale) -> AmbisonicFormat.Convention {
        switch scale {
        case .sn3d: .sn3d
        case .n3d: .n3d
        case .fuma: .fuma
        }
    }
}

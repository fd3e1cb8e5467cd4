import ADM
import AudioIO
import Capture
import Foundation
import Loading
import Signal
import Soundstage
import Stages

/// Content of a sound file, and how each offline command uses it; `proscenium info` prints it.
package struct SoundDescription: Codable, Sendable {
    /// A channel of the file.
    package struct Channel: Codable, Sendable {
        /// Number in the file, from 1.
        package let number: Int
        /// Symbol and name by the layout; nil if the channel is not played or the layout is unknown.
        package let symbol: String?, name: String?
    }

    /// Values of the metadata file beside the sound file.
    package struct Sidecar: Codable, Sendable {
        /// Path of the metadata file.
        package let path: String
        /// Integrated loudness (LUFS), loudness range (LU), true peak (dBTP).
        package let loudness: Double?, loudnessRange: Double?, truePeak: Double?
        /// Other values, as `key value`.
        package let values: [String]
        /// Reason why other commands refuse the metadata file; nil if they accept it.
        package let fault: String?
    }

    /// The file.
    package let file: String
    /// Container and encoding, by libsndfile.
    package let format: String
    /// Sample rate, Hz.
    package let sampleRate: Double
    /// Length in frames and in seconds.
    package let frames: Int, seconds: Double
    /// Channels of the file, in its order.
    package let channels: [Channel]
    /// Layout by which the commands interpret the file; nil if it is unknown.
    package let layout: String?
    /// Convention of channel order and scale (`sn3d`, `n3d`, `fuma`); nil for loudspeakers or an unknown layout.
    package let ambisonics: String?
    /// Source of the layout; nil if it is unknown.
    package let layoutSource: String?
    /// Text fields of the file, such as title and artist, by the field's name.
    package let texts: [String: String]
    /// Markers, such as `0.500 s verse`.
    package let markers: [String]
    /// Whether there is a broadcast extension.
    package let hasBroadcastExtension: Bool
    /// Content of the tracks by ADM, one fact a line; empty without definitions.
    package let adm: [String]
    /// The metadata file beside the sound file; nil without one.
    package let sidecar: Sidecar?
    /// Path of the orientation file beside a recorded sound field; nil without one.
    package let orientation: String?
    /// How each command uses the file, with a command line.
    package let uses: [UseOfSound]
    /// Remarks on the file, one a line.
    package let remarks: [String]

    /// Describes a file. Reads its header, up to 8 s of a sound field, and up to 2¹⁸ frames if metadata beside the file
    /// are compared with it.
    ///
    /// - Throws: errors of opening the file.
    package init(_ path: String, reading: ReadingChoice = ReadingChoice()) throws(SessionError) {
        let reader = try reading.open(path)
        let found: Result<InputProgramme, SessionError>
        do throws(SessionError) {
            found = .success(try InputProgramme(path, StageSettings(), order: nil, reading: reading, mayBeStale: true))
        } catch {
            found = .failure(error)
        }
        let programme = try? found.get()
        (file, format) = (path, reader.header.encodingName)
        (sampleRate, frames) = (reader.sampleRate.hertz, reader.frameCount)
        seconds = reader.sampleRate.seconds(frames: reader.frameCount)
        layout = programme?.layout.name
        ambisonics = programme?.layout.ambisonics?.convention.rawValue
        let defined = DefinedProgramme(of: reader, angles: .itu)
        let beside = Self.sidecar(reader)
        sidecar = beside?.sidecar
        channels = Self.channels(reader, programme)
        layoutSource = programme.map { Self.source($0, reader, defined, beside?.metadata) }
        texts = Dictionary(uniqueKeysWithValues: reader.metadata.texts.map { ("\($0.key)", $0.value) })
        markers = reader.metadata.markers.map {
            String(format: "%.3f s", reader.sampleRate.seconds(frames: $0.frame))
                + ($0.name.isEmpty ? "" : " " + $0.name)
        }
        hasBroadcastExtension = reader.metadata.broadcast != nil
        adm = Self.definitions(defined)
        let turns = CaptureNames.orientation(path)
        orientation = FileManager.default.fileExists(atPath: turns) ? turns : nil
        switch found {
        case .success(let programme):
            // If the metadata describe another sound, the commands refuse the file.
            if let refusal = beside?.refusal {
                uses = UsesOfSound.refused(path, refusal, reader.channelCount)
            } else {
                uses = UsesOfSound(path, programme.layout, reader.channelCount, isSteadied: orientation != nil).all
            }
            remarks = programme.remarks
        case .failure(let error):
            uses = UsesOfSound.refused(path, error, reader.channelCount)
            remarks = [reader.lengthRemark].compactMap(\.self)
        }
    }

    private static func channels(_ reader: SoundFileReader, _ programme: InputProgramme?) -> [Channel] {
        let names = programme?.layout.channelNames ?? []
        let selection = programme.map { $0.channels ?? Array(0..<reader.channelCount) } ?? []
        return (0..<reader.channelCount).map { index in
            let place = selection.firstIndex(of: index).flatMap { $0 < names.count ? names[$0] : nil }
            return Channel(number: index + 1, symbol: place?.symbol, name: place?.pretty)
        }
    }

    private static func source(
        _ programme: InputProgramme, _ reader: SoundFileReader, _ defined: DefinedProgramme?,
        _ metadata: ProgrammeMetadata?
    ) -> String {
        if metadata?.layout != nil { return "the metadata beside it" }
        if defined != nil { return "its ADM definitions" }
        if reader.header.isBFormat { return "its B-format header" }
        let positions = reader.header.channelPositions
        return positions?.count == reader.channelCount ? "its channel positions" : "its channel count"
    }

    private static func definitions(_ defined: DefinedProgramme?) -> [String] {
        guard let defined else { return [] }
        switch defined.outcome {
        case .layout(let layout, let channels):
            let numbers = TrackWords.numbers(channels.map { $0 + 1 }.sorted())
            return ["\(layout.name): \(numbers)"] + defined.remarks
        case .refused(let what, let advice): return ["\(what); \(advice)"] + defined.remarks
        }
    }

    /// Metadata beside a file: their description, and the error with which commands refuse metadata of another sound.
    private struct Beside {
        let sidecar: Sidecar
        let metadata: ProgrammeMetadata?
        let refusal: SessionError?
    }

    /// Returns the metadata beside a file; nil without any.
    private static func sidecar(_ reader: SoundFileReader) -> Beside? {
        let path = ProgrammeMetadata.path(besideFile: reader.path)
        var found: ProgrammeMetadata?
        var fault: String?
        do throws(ProgrammeMetadataError) { found = try ProgrammeMetadata.beside(file: reader.path) } catch {
            fault = error.description
        }
        guard found != nil || fault != nil else { return nil }
        var refusal: SessionError?
        if let said = found?.sound {
            do throws(SessionError) { try InputProgramme.check(said, of: reader) } catch {
                (fault, refusal) = (error.description, error)
            }
        }
        let values: [(String, String?)] = [
            ("dialnorm", found?.dialnorm.map { "\($0)" }), ("drc", found?.drc?.word), ("layout", found?.layout),
            ("order", found?.order?.rawValue), ("encoding", found?.encoding?.rawValue),
            ("content", found?.content?.rawValue),
            ("place", found?.place.map { "\($0.yaw),\($0.pitch),\($0.roll)" }), ("width", found?.width.map { "\($0)" }),
        ]
        let written = values.compactMap { key, value in value.map { "\(key) \($0)" } }
        return Beside(
            sidecar: Sidecar(
                path: path, loudness: found?.loudness, loudnessRange: found?.loudnessRange,
                truePeak: found?.truePeak, values: written, fault: fault), metadata: found, refusal: refusal)
    }

    /// The description in words.
    package var lines: [String] {
        var lines = [
            "\(file): \(format), "
                + String(format: "%.0f Hz, %.3f s", sampleRate, seconds) + " (\(frames) frames)"
        ]
        let named = channels.compactMap { channel in channel.symbol.map { "\(channel.number) \($0)" } }
        let scale = ambisonics.map { " (\($0))" } ?? ""
        lines.append(
            layout.map { "layout: \($0)\(scale), by \(layoutSource ?? "the command")" } ?? "layout: not known")
        lines.append("channels: \(channels.count)" + (named.isEmpty ? "" : ": " + named.joined(separator: ", ")))
        if let sidecar {
            let figures = [
                sidecar.loudness.map { String(format: "%.1f LUFS", $0) },
                sidecar.loudnessRange.map { String(format: "range %.1f LU", $0) },
                sidecar.truePeak.map { String(format: "true peak %.1f dBTP", $0) },
            ].compactMap(\.self)
            let all = figures + sidecar.values
            lines.append("beside it: \(sidecar.path)" + (all.isEmpty ? "" : ": " + all.joined(separator: ", ")))
            if let fault = sidecar.fault { lines.append("  \(fault)") }
        }
        if let orientation { lines.append("beside it: \(orientation), the turns of a take (--steady)") }
        for (kind, text) in texts.sorted(by: { $0.key < $1.key }) { lines.append("\(kind): \(text)") }
        if !markers.isEmpty { lines.append("markers: " + markers.joined(separator: ", ")) }
        if hasBroadcastExtension { lines.append("broadcast extension") }
        lines += adm.map { "ADM: \($0)" }
        lines += remarks
        let width = uses.map(\.command.count).max() ?? 0
        for use in uses {
            let name = use.command.padding(toLength: width, withPad: " ", startingAt: 0)
            lines.append("\(name)  \(use.isRefused ? "refused: " : "")\(use.result): \(use.line)")
        }
        return lines
    }
}

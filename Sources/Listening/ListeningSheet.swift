import Foundation
import Gate
import Takes

/// Answer sheet of a listening test: the plan, and every round with pair, order, answer and time.
///
/// A sheet that is filled in by hand hides which sets its rounds compare. The sheet's field `key` contains the sets in
/// Base64, so that the listener does not read them by accident.
package struct ListeningSheet: Sendable, Equatable {
    /// Value of `format` in a sheet.
    static let format = "proscenium listening sheet 1"

    /// Plan of the test.
    package let plan: ListeningPlan
    /// File of each set and the gain in dB that matches its loudness to the others, `[set]`.
    package var sources: [Source]
    /// Programme that the sets are compared with.
    package var programme: Programme
    /// Rounds in order: the answered ones, or all rounds of a sheet that is filled in by hand.
    package var rounds: [ListeningRound]
    /// Names of the two sound files of each round of a sheet that is filled in by hand; else nil.
    package var files: [[String]]?

    /// File and gain of a set.
    package struct Source: Sendable, Equatable, Codable {
        /// Path of the file.
        package var path: String
        /// Gain, dB.
        package var gain: Double

        /// Makes a source from a path and a gain in dB.
        package init(path: String, gain: Double) { (self.path, self.gain) = (path, gain) }
    }

    /// Programme that the sets are compared with, and the room it is heard in.
    package struct Programme: Sendable, Equatable, Codable {
        /// Path of the programme; nil for the built-in sound.
        package var input: String?
        /// Start within the programme, s.
        package var from: Double
        /// Layout of the programme; nil for the layout given in the file.
        package var layout: String?
        /// Convention of an Ambisonics programme; nil for the convention given in the file, else SN3D.
        package var ambisonics: String?
        /// Name of the room, or `none`.
        package var room: String
        /// Parameters of the preparation of all sets, by name, with their values as written; nil for the defaults.
        package var preparation: [String: String]?

        /// Makes a programme; by default the built-in sound without a room.
        package init(input: String? = nil, from: Double = 0, layout: String? = nil, room: String = "none") {
            (self.input, self.from, self.layout, self.room) = (input, from, layout, room)
        }
    }

    /// Makes a sheet from its parts.
    package init(
        _ plan: ListeningPlan, sources: [Source] = [], programme: Programme = Programme(),
        rounds: [ListeningRound] = [], files: [[String]]? = nil
    ) {
        (self.plan, self.sources, self.programme) = (plan, sources, programme)
        (self.rounds, self.files) = (rounds, files)
    }

    /// Whether the sheet is filled in by hand.
    package var isToFillIn: Bool { files != nil }

    /// Bounds that suffice for a sheet with the most rounds.
    static let bounds = JSONBounds(bytes: 1 << 24, values: 1 << 19, entries: 1 << 15, text: 1 << 20)

    /// Reads the sheet at `path`.
    package init(contentsOf path: String) throws(ListeningError) {
        let bytes: [UInt8]
        do throws(BoundedFile.Refusal) { bytes = try BoundedFile.bytes(of: path, most: Self.bounds.bytes) } catch {
            throw .unreadable(path: path, reason: error.description)
        }
        do { self = try JSONValue.decode(ListeningSheet.self, from: bytes, within: Self.bounds) } catch {
            throw .notASheet(path: path, reason: Self.reason(of: error))
        }
        do throws(ListeningError) { try plan.check() } catch { throw .notASheet(path: path, reason: "\(error)") }
    }

    /// Writes the sheet to `path` atomically.
    ///
    /// - Parameter replaces: whether an existing file is replaced; otherwise an existing file is an error.
    package func save(to path: String, replaces: Bool) throws(ListeningError) {
        let content = try content(for: path)
        do throws(TakeError) { try UnnamedFile.write(content, to: path, replaces: replaces) } catch {
            throw .unwritable(path: path, reason: error.description)
        }
    }

    /// Returns the JSON text of the sheet; `path` is for error messages.
    package func content(for path: String) throws(ListeningError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(self) } catch {
            throw .unwritable(path: path, reason: error.localizedDescription)
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error as? DecodingError {
        case .dataCorrupted(let context): context.debugDescription
        case .keyNotFound(let key, _): "it has no '\(key.stringValue)'"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(context.codingPath.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }.joined(separator: ", ")): \(context.debugDescription)"
        default: "\(error)"
        }
    }
}

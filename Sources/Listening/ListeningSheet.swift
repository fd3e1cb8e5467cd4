import Foundation
import Gate
import Takes

/// The answer sheet of a listening test: its plan, and every round with pair, order, answer and time.
///
/// A sheet that is to be filled in does not say which sets its rounds compare: that stands in its `key`, in Base64, so
/// that the listener does not read it by accident.
package struct ListeningSheet: Sendable, Equatable {
    /// What a sheet calls itself.
    static let format = "proscenium listening sheet 1"

    /// What is compared, and how surely.
    package let plan: ListeningPlan
    /// `[set]`: the file, and the gain in dB that makes it as loud as the others.
    package var sources: [Source]
    /// What they are compared with.
    package var programme: Programme
    /// Rounds, in order: those that were answered, or all that are to be.
    package var rounds: [ListeningRound]
    /// Names of the two files of each round, where the sheet is to be filled in; else nil.
    package var files: [[String]]?

    /// Where a set comes from.
    package struct Source: Sendable, Equatable, Codable {
        /// The file.
        package var path: String
        /// Gain, dB.
        package var gain: Double

        /// A file, so much louder.
        package init(path: String, gain: Double) { (self.path, self.gain) = (path, gain) }
    }

    /// What sets are compared with, and where it is heard.
    package struct Programme: Sendable, Equatable, Codable {
        /// The file; nil: the built-in sound.
        package var input: String?
        /// Seconds into it.
        package var from: Double
        /// Its layout; nil: what the file says.
        package var layout: String?
        /// The convention of a sound field; nil: what the file says, else SN3D.
        package var ambisonics: String?
        /// The room.
        package var room: String
        /// How all sets are prepared, parameters by their names, as written; nil: in the usual way.
        package var preparation: [String: String]?

        /// The built-in sound in no room, unless said otherwise.
        package init(input: String? = nil, from: Double = 0, layout: String? = nil, room: String = "none") {
            (self.input, self.from, self.layout, self.room) = (input, from, layout, room)
        }
    }

    /// A sheet of these rounds.
    package init(
        _ plan: ListeningPlan, sources: [Source] = [], programme: Programme = Programme(),
        rounds: [ListeningRound] = [], files: [[String]]? = nil
    ) {
        (self.plan, self.sources, self.programme) = (plan, sources, programme)
        (self.rounds, self.files) = (rounds, files)
    }

    /// Whether it is filled in by hand.
    package var isToFillIn: Bool { files != nil }

    /// Reads a sheet.
    package init(contentsOf path: String) throws(ListeningError) {
        // As much as the most rounds need.
        let bounds = JSONBounds(bytes: 1 << 24, values: 1 << 19, entries: 1 << 15, text: 1 << 20)
        let bytes: [UInt8]
        do throws(BoundedFile.Refusal) { bytes = try BoundedFile.bytes(of: path, most: bounds.bytes) } catch {
            throw .unreadable(path: path, reason: error.description)
        }
        if let excess = bounds.excess(in: bytes) { throw .notASheet(path: path, reason: excess) }
        do { self = try JSONDecoder().decode(ListeningSheet.self, from: Data(bytes)) } catch {
            throw .notASheet(path: path, reason: Self.reason(of: error))
        }
        do throws(ListeningError) { try plan.check() } catch { throw .notASheet(path: path, reason: "\(error)") }
    }

    /// Writes it, whole or not at all.
    ///
    /// - Parameter replaces: in place of a file that is there already; else that is an error.
    package func save(to path: String, replaces: Bool) throws(ListeningError) {
        let content = try content(for: path)
        do throws(TakeError) { try UnnamedFile.write(content, to: path, replaces: replaces) } catch {
            throw .unwritable(path: path, reason: error.description)
        }
    }

    /// What is to stand in the file.
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

import AudioIO
import Foundation
import Listening
import Loading
import Offline
import Session
import Signal
import Soundstage
import Stages
import Takes

/// The sound of a comparison: the built-in one, or an excerpt of a file, in a temporary folder that this object
/// removes.
package final class ComparedProgramme: Sendable {
    /// Longest excerpt of a file, in seconds: short enough to be remembered (ITU-R BS.1116-3, 5.1: 10 to 25 s).
    package static let longest = 25.0

    /// Path of the sound file.
    package let path: String
    /// Layout for the stage; nil for the layout that the file states.
    package let layout: String?
    /// Convention of a sound field; nil for any other programme.
    package let ambisonics: AmbisonicFormat.Convention?
    /// Remarks about the file, a line each.
    package let remarks: [String]
    private let folder: String
    private let unfinished: Int

    /// Writes the built-in sound, or the excerpt of a file.
    ///
    /// - Throws: the errors of the stage's settings, of reading the file, and of making the temporary folder or writing
    ///   into it.
    package init(_ settings: ComparisonSettings) throws(SessionError) {
        let (input, stage) = (settings.programme.input, try settings.stage)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "proscenium-compare-\(UUID().uuidString)"
        ).path
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            throw SessionError(.environment, "\(folder) cannot be made: \(error.localizedDescription)")
        }
        self.folder = folder
        // The folder is also removed if the process exits early.
        unfinished = Unfinished.add { try? FileManager.default.removeItem(atPath: folder) }
        path = folder + "/sound.wav"
        guard let input else {
            layout = folder + "/layout.json"
            (ambisonics, remarks) = (nil, [])
            do throws(SoundFileError) { try ComparisonSound.write(to: path) } catch {
                Self.remove(folder, unfinished)
                throw SessionError(error)
            }
            do {
                try Data(ComparisonSound.layoutJSON.utf8).write(to: URL(fileURLWithPath: folder + "/layout.json"))
            } catch {
                Self.remove(folder, unfinished)
                throw SessionError(.environment, "\(folder) cannot be written: \(error.localizedDescription)")
            }
            return
        }
        do throws(SessionError) {
            let programme = try InputProgramme(input, stage, order: settings.order)
            try Self.excerpt(of: programme, from: settings.programme.from, to: folder + "/sound.wav")
            let name = programme.layout.name
            layout = stage.layout ?? (Layout.allNames.contains(name) ? name : nil)
            (ambisonics, remarks) = (programme.layout.ambisonics?.convention, programme.remarks)
        } catch {
            Self.remove(folder, unfinished)
            throw error
        }
    }

    deinit { discard() }

    /// Removes the folder; the sound must no longer be playing.
    package func discard() { Self.remove(folder, unfinished) }

    private static func remove(_ folder: String, _ unfinished: Int) {
        Unfinished.forget(unfinished)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func excerpt(
        of programme: InputProgramme, from seconds: Double, to path: String
    ) throws(SessionError) {
        let reader = programme.reader
        let length = reader.sampleRate.seconds(frames: reader.frameCount)
        // A sheet may contain any time, also one whose frame number is too large for an Int.
        guard let first = Int(exactly: (max(0, seconds) * reader.sampleRate.hertz).rounded(.down)),
            first < reader.frameCount
        else {
            throw SessionError(SoundFileError.endsBefore(path: reader.path, asked: seconds, seconds: length))
        }
        let writer = try OutputChoice().open(
            path, layout: programme.layout, channels: reader.channelCount, sampleRate: reader.sampleRate,
            metadata: SoundFileMetadata(), replacing: .nothing)
        do throws(SoundFileError) {
            try reader.seek(to: first)
            var left = min(reader.frameCount - first, Int(longest * reader.sampleRate.hertz))
            let block = PlanarBlock(channels: reader.channelCount, frames: 4096)
            while left > 0 {
                let count = try reader.read(into: block, at: 0, frames: min(left, 4096))
                guard count > 0 else { break }
                try writer.write(block, frames: count)
                left -= count
            }
            try writer.finish()
        } catch {
            throw SessionError(error)
        }
    }
}

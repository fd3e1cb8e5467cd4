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
    /// Layout for the stage, a name or the path of a JSON file; nil for the layout that the sound file declares.
    package let layout: String?
    /// Convention of a sound field; nil for any other programme.
    package let ambisonics: AmbisonicFormat.Convention?
    /// Remarks about the file, a line each.
    package let remarks: [String]
    private let folder = TemporaryFolder()

    /// Writes the built-in sound, or the excerpt of a file.
    ///
    /// - Throws: the errors of the stage's settings, of reading the file, and of making the temporary folder or writing
    ///   into it.
    package init(_ settings: ComparisonSettings) throws(SessionError) {
        let (input, stage) = (settings.programme.input, try settings.stage)
        let place = folder.path
        do throws(TakeError) { try folder.make() } catch { throw SessionError(error) }
        path = place + "/sound.wav"
        guard let input else {
            layout = place + "/layout.json"
            (ambisonics, remarks) = (nil, [])
            do throws(SoundFileError) { try ComparisonSound.write(to: place + "/sound.wav") } catch {
                throw SessionError(error)
            }
            do {
                try Data(ComparisonSound.layoutJSON.utf8).write(to: URL(fileURLWithPath: place + "/layout.json"))
            } catch {
                throw SessionError(.environment, "\(place) cannot be written: \(error.localizedDescription)")
            }
            return
        }
        let programme = try InputProgramme(input, stage, order: settings.order)
        try Self.excerpt(of: programme, from: settings.programme.from, to: place + "/sound.wav")
        let name = programme.layout.name
        layout = stage.layout ?? (Layout.allNames.contains(name) ? name : nil)
        (ambisonics, remarks) = (programme.layout.ambisonics?.convention, programme.remarks)
    }

    /// Removes the folder; the sound must no longer be playing.
    package func discard() { folder.remove() }

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

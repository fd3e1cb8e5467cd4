import AudioIO
import AudioMix
import Foundation
import Loading
import Signal
import Soundstage
import Stages
import Takes

extension OfflineSession {
    /// File names of the stems.
    private static let stemNames = ["speech.wav", "ambience.wav"]

    /// Returns the mix of the programme; nil if none is requested. For `voices` see `MixedProgramme.Product`.
    ///
    /// - Throws: a usage error if the programme is not a sound field.
    static func mix(
        _ programme: InputProgramme, _ settings: StageSettings, voices: Int? = nil
    ) throws(SessionError) -> MixedProgramme? {
        guard let latency = settings.programmes.mix else { return nil }
        return MixedProgramme(
            programme.reader, try field(of: programme), sampleRate: programme.reader.sampleRate, latency,
            settings.programmes.mixControls, camera: settings.programmes.camera, makes: .mix(voices: voices))
    }

    /// Returns the paths of the stems; empty without a folder.
    static func stemPaths(in folder: String?) -> [String] {
        folder.map { folder in stemNames.map { folder + "/" + $0 } } ?? []
    }

    /// Writes a programme's speech and ambience into a folder, which is created if needed. Each file has the
    /// programme's channels in 32-bit float; the sum of both files is the section of the programme. Afterwards the
    /// reader is at its first frame.
    ///
    /// - Returns: both files, complete except for their names, which they receive with the other outputs.
    /// - Throws: errors of the programme or the folder; no file is left.
    static func writeStems(
        of programme: InputProgramme, _ settings: StageSettings, _ section: Range<Int>, into folder: String,
        beside outputs: [String],
        replacing replacement: Replacement, _ progress: (Double) -> Bool
    ) throws(SessionError) -> [SoundFileWriter] {
        guard let latency = settings.programmes.mix else {
            throw SessionError(
                .usage, "--stems are those of an Audio Mix: add --mix ('standard' leaves the sound as it is)")
        }
        let reader = programme.reader
        Denormals.flush()
        let stems = MixedProgramme(
            reader, try field(of: programme), sampleRate: reader.sampleRate, latency, settings.programmes.mixControls,
            makes: .stems)
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
            throw SessionError(.environment, "\(folder) cannot be made: \(String(cString: strerror(errno)))")
        }
        let count = reader.channelCount
        var writers: [SoundFileWriter] = []
        do throws(SessionError) {
            for path in stemPaths(in: folder) {
                try OutputChoice.refuse(path, as: reader.path)
                for output in outputs where URL(filePath: output).standardized == URL(filePath: path).standardized {
                    throw SessionError(.usage, "\(output) is one of the stems; give the output another name")
                }
                writers.append(
                    try OutputChoice(format: .wav, bits: .float32).open(
                        path, channels: count, sampleRate: reader.sampleRate,
                        metadata: reader.metadata.forOtherSound.ofSection(section),
                        replacing: replacement))
            }
            do throws(SoundFileError) {
                let block = PlanarBlock(channels: 2 * count, frames: 4096)
                let one = PlanarBlock(channels: count, frames: 4096)
                var section = KeptFrames(section)
                while !section.isDone {
                    let frames = try stems.read(into: block, frames: 4096)
                    guard frames > 0 else { break }
                    let kept = section.next(frames)
                    for (number, writer) in writers.enumerated() {
                        for channel in 0..<count {
                            Samples.copy(block[number * count + channel], to: one[channel], count: frames)
                        }
                        try writer.write(one, frames: frames, kept: kept)
                    }
                    guard progress(section.share) else { throw .cancelled }
                }
                for writer in writers { try writer.complete() }
                try reader.rewind()
                return writers
            } catch {
                throw SessionError(error)
            }
        } catch {
            for writer in writers { writer.discard() }
            throw error
        }
    }

    private static func field(of programme: InputProgramme) throws(SessionError) -> AmbisonicFormat {
        guard let field = programme.layout.ambisonics else {
            throw SessionError(
                .usage,
                "an Audio Mix is made of a sound field; \(programme.reader.path) is \(programme.layout.name): if it is one, "
                    + "add --layout ambi1",
                remedy: Layout.names(withChannels: programme.reader.channelCount).last { $0.hasPrefix("ambi") }
                    .map { Remedy("--layout", $0) } ?? Remedy("--mix", nil))
        }
        return field
    }
}

import AudioIO
import Capture
import Loading
import Signal
import Soundstage
import Stages

/// A sound file opened as a programme of loudspeakers or as a sound field.
package struct InputProgramme {
    /// The file.
    package let reader: SoundFileReader
    /// Layout, in the order of the reader's channels.
    package let layout: Layout
    /// File channels that the reader reads, counted from 0, in the order of reading; nil: all in file order.
    package let channels: [Int]?
    /// Content of the metadata file beside the sound file; nil without one.
    package let metadata: ProgrammeMetadata?
    /// Remarks on the interpretation of the file's channels.
    private let channelRemarks: [String]

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - stage: `layout` names the layout; nil: by the metadata or the file. Angles and field convention apply too.
    ///   - order: channel order if the file does not define it; nil: by its metadata, otherwise that of a layout file,
    ///     otherwise as in WAVE.
    ///   - reading: description of a file without a header, and the rate to which it is converted.
    ///   - mayBeStale: whether metadata that describe another sound than the file's are accepted.
    /// - Throws: an input error, also for an invalid metadata file.
    package init(
        _ path: String, _ stage: StageSettings, order: ChannelOrder?, reading: ReadingChoice = ReadingChoice(),
        mayBeStale: Bool = false
    ) throws(SessionError) {
        let whole = try reading.open(path)
        do throws(ProgrammeMetadataError) { metadata = try ProgrammeMetadata.beside(file: path) } catch {
            throw SessionError(.input, error.description)
        }
        if !mayBeStale, let said = metadata?.sound { try Self.check(said, of: whole) }
        var stage = stage
        stage.layout = stage.layout ?? metadata?.layout
        let found = try ProgrammeChannels(of: whole, stage, order: order ?? metadata?.order)
        (layout, channels) = (found.layout, found.selection)
        reader = try found.reader(of: whole)
        var remarks = found.remarks
        do throws(SoundFileError) {
            if let format = layout.ambisonics { remarks += try Self.scaleRemark(reader, format).map { [$0] } ?? [] }
        } catch {
            throw SessionError(error)
        }
        if let mode = stage.programmes.steady {
            reader.shaping = try Self.steadying(path, mode, found.layout, reader)
            remarks.append("\(path): held to the \(mode.rawValue) by \(CaptureNames.orientation(path))")
        }
        // The rate is converted last, because a recorded field is stabilised at its own rate.
        try reading.convert(reader)
        channelRemarks = remarks
    }

    /// Returns the stabilisation of a recorded field by the orientation file beside the recording.
    private static func steadying(
        _ path: String, _ mode: SteadyMode, _ layout: Layout, _ reader: SoundFileReader
    ) throws(SessionError) -> SteadiedField {
        guard let format = layout.ambisonics else {
            throw SessionError(
                .usage,
                "--steady turns a sound field; \(path) is \(layout.name): if it is one, add --layout ambi1, else leave out "
                    + "--steady", remedy: Remedy("--steady", nil))
        }
        do throws(CaptureError) {
            return SteadiedField(
                try OrientationTrack(besideTake: path), mode, format: format, sampleRate: reader.sampleRate)
        } catch {
            throw SessionError(
                .input, error.description + "; --steady needs what 'proscenium capture --device' writes beside a take")
        }
    }

    /// Throws an input error if the metadata describe another sound than the file's.
    static func check(_ said: ProgrammeMetadata.Sound, of reader: SoundFileReader) throws(SessionError) {
        let found: ProgrammeMetadata.Sound
        do throws(SoundFileError) {
            found =
                said.frames == reader.frameCount
                ? try ProgrammeMetadata.Sound(of: reader)
                : ProgrammeMetadata.Sound(frames: reader.frameCount, sha256: "")
        } catch {
            throw SessionError(error)
        }
        guard found != said else { return }
        throw SessionError(
            .input,
            "metadata \(ProgrammeMetadata.path(besideFile: reader.path)) describe another sound than \(reader.path) "
                + "contains now"
                + (found.frames == said.frames ? "" : " (\(said.frames) frames, \(found.frames) now)")
                + "; remove the metadata, or measure the sound again: "
                + ShellLine(["proscenium", "loudness", "--save", reader.path]).text)
    }

    /// Remarks on the file, a line each; empty without any.
    package var remarks: [String] { [reader.lengthRemark].compactMap(\.self) + channelRemarks }
}

/// A programme that is read forward in blocks, from its first frame to its last: a file, or one derived from a file.
protocol ProgrammeFrames: AnyObject {
    /// Count of channels.
    var channelCount: Int { get }
    /// Total count of frames.
    var frameCount: Int { get }
    /// Count of frames read.
    var position: Int { get }
    /// Count of samples that were replaced; see `Samples.cleanse`.
    var refused: Int { get }

    /// Reads up to `frames` frames into the start of the block; returns their count, 0 at the end.
    func read(into block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int
    /// Returns to the first frame.
    func rewind() throws(SoundFileError)
}

extension SoundFileReader: ProgrammeFrames {
    /// Zero without a conversion of the rate: the file's samples are then not modified.
    package var refused: Int { convertedRefusals }

    /// Reads the next frames; returns their count, 0 at the end.
    package func read(into block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int {
        try read(into: block, at: 0, frames: frames)
    }

    /// Returns to the first frame.
    package func rewind() throws(SoundFileError) { try seek(to: 0) }
}

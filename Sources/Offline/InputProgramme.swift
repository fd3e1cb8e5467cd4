import AudioIO
import Capture
import Loading
import Signal
import Soundstage
import Stages

/// A sound file opened as programme: its channels have loudspeakers or are a sound field.
package struct InputProgramme {
    /// The file.
    package let reader: SoundFileReader
    /// In the order of the reader's channels.
    package let layout: Layout
    /// The file's channels that the reader reads and their order, from 0; nil: all, as they are.
    package let channels: [Int]?
    /// What the metadata file beside it says; nil where there is none.
    package let metadata: ProgrammeMetadata?
    /// Remarks about what its channels were taken for.
    private let channelRemarks: [String]

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - stage: `layout` names what the file is; nil: what its metadata or it itself say.
    ///     Angles and field convention count too.
    ///   - order: of the channels where the file does not say; nil: what its metadata say, else as in WAVE.
    ///   - mayBeStale: whether metadata that were said of other sound than the file has now are taken all the same.
    /// - Throws: an input error also where there is a metadata file that cannot be used.
    package init(
        _ path: String, _ stage: StageSettings, order: ChannelOrder?, mayBeStale: Bool = false
    ) throws(SessionError) {
        let whole: SoundFileReader
        do throws(SoundFileError) { whole = try SoundFileReader(path: path) } catch { throw SessionError(error) }
        do throws(ProgrammeMetadataError) { metadata = try ProgrammeMetadata.beside(file: path) } catch {
            throw SessionError(.input, error.description)
        }
        if !mayBeStale, let said = metadata?.sound { try Self.check(said, of: whole) }
        var stage = stage
        stage.layout = stage.layout ?? metadata?.layout
        let order = order ?? metadata?.order ?? .wave
        let found = try ProgrammeChannels(of: whole, stage, order: order)
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
        channelRemarks = remarks
    }

    /// What has a take's field hold to something, by the text beside it.
    private static func steadying(
        _ path: String, _ mode: SteadyMode, _ layout: Layout, _ reader: SoundFileReader
    ) throws(SessionError) -> SteadiedField {
        guard let format = layout.ambisonics else {
            throw SessionError(
                .usage,
                "--steady turns a sound field; \(path) is \(layout.name): if it is one, say --layout ambi1, else leave out "
                    + "--steady")
        }
        do throws(CaptureError) {
            return SteadiedField(
                try OrientationTrack(besideTake: path), mode, format: format, sampleRate: reader.sampleRate)
        } catch {
            throw SessionError(
                .input, error.description + "; --steady needs what 'proscenium capture --device' writes beside a take")
        }
    }

    /// Throws where metadata were said of other sound than a file has.
    private static func check(_ said: ProgrammeMetadata.Sound, of reader: SoundFileReader) throws(SessionError) {
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
            "metadata \(ProgrammeMetadata.path(besideFile: reader.path)) were said of other sound than \(reader.path) has now"
                + (found.frames == said.frames ? "" : " (\(said.frames) frames, \(found.frames) now)")
                + "; 'proscenium loudness --save \(reader.path)' measures it anew, or remove them")
    }

    /// Remarks about the file, a line each; empty where all is well.
    package var remarks: [String] { [reader.lengthRemark].compactMap(\.self) + channelRemarks }
}

/// Programme that is read forward in blocks, from its first frame to its last: a file, or what is made of one.
protocol ProgrammeFrames: AnyObject {
    /// Channels of a block.
    var channelCount: Int { get }
    /// Frames from the first to the last.
    var frameCount: Int { get }
    /// Frames read.
    var position: Int { get }
    /// Samples that were replaced, see `Samples.cleanse`.
    var refused: Int { get }

    /// Reads up to `frames` frames into the block's beginning; returns how many there were, 0 at the end.
    func read(into block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int
    /// Goes back to the first frame.
    func rewind() throws(SoundFileError)
}

extension SoundFileReader: ProgrammeFrames {
    /// None: the file's samples pass as they are.
    package var refused: Int { 0 }

    /// Reads the next frames; 0 at the end.
    package func read(into block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int {
        try read(into: block, at: 0, frames: frames)
    }

    /// Goes back to the first frame.
    package func rewind() throws(SoundFileError) { try seek(to: 0) }
}

import AudioIO
import Geometry
import Signal
import Takes

/// The files of one part of a take: the sound field, its stereo rendition, the safety track, how the device was turned,
/// and markers; all of the same sound from the same frame on.
///
/// Each grows as a take of its own (`NAME.part`) and opens at any time. One thread at a time.
final class CapturePart {
    /// As the field's file was named.
    let path: String
    private let field: SoundFileWriter
    private let stereo: SoundFileWriter
    private let safety: SoundFileWriter?
    private let sampleRate: SampleRate
    private var labels: MarkerLabels
    private var turns: TextTake?
    /// Seconds of the last turn that was noted; nil before the first.
    private(set) var lastTurn: Double?
    private let replacement: Replacement
    /// Frames written.
    private(set) var frameCount = 0
    private var told = 0
    /// The safety track is this much lower: 12 dB.
    static let safetyGain: Float = 0.251_188_64

    /// Opens the files.
    ///
    /// - Throws: as `SoundFileWriter`; nothing is left then.
    init(path: String, sampleRate: SampleRate, hasSafety: Bool, replacement: Replacement) throws(SoundFileError) {
        self.path = path
        self.sampleRate = sampleRate
        self.replacement = replacement
        labels = MarkerLabels(of: path, rate: sampleRate.hertz)
        field = try SoundFileWriter(
            path: path, channels: 4, sampleRate: sampleRate, fieldOrder: 1, asTake: true,
            replaces: replacement.covers(path))
        let (stereoPath, safetyPath) = (CaptureNames.stereo(path), CaptureNames.safety(path))
        stereo = try SoundFileWriter(
            path: stereoPath, channels: 2, sampleRate: sampleRate, asTake: true,
            replaces: replacement.covers(stereoPath))
        // Its field is defined as such, so that it plays as one; the two channels behind it are of the same sound.
        safety =
            hasSafety
            ? try SoundFileWriter(
                path: safetyPath, channels: 6, sampleRate: sampleRate, encoding: .pcm24, fieldOrder: 1,
                trackNames: ["W", "Y", "Z", "X", "stereo left", "stereo right"], asTake: true,
                replaces: replacement.covers(safetyPath)) : nil
    }

    /// Bytes of a frame in the part's largest file: four channels of 32 bits, or the safety track's six of 24.
    var frameBytes: Int { safety == nil ? 16 : 18 }

    /// Appends frames W Y Z X L R from frame `offset` on, and those of the safety track before gains.
    func write(
        _ block: borrowing PlanarBlock, safety plain: borrowing PlanarBlock, from offset: Int, frames: Int
    ) throws(SoundFileError) {
        try field.write(block, from: offset, frames: frames)
        try stereo.write(block, firstChannel: 4, from: offset, frames: frames)
        try safety?.write(plain, from: offset, frames: frames)
        frameCount += frames
    }

    /// Has the headers say what has been written.
    func refreshHeaders() {
        guard frameCount > told else { return }
        told = frameCount
        for writer in [field, stereo, safety].compactMap(\.self) { writer.refreshHeader() }
    }

    /// Descriptors for bringing the files to the disk, to be closed by the caller.
    var descriptorsForDisk: [Int32] {
        [field, stereo, safety].compactMap { $0?.descriptorForDisk }
            + [turns?.descriptorForDisk, labels.descriptorForDisk].compactMap(\.self)
    }

    /// Texts beside the sound so far: turns and markers.
    var textCount: Int { (turns == nil ? 0 : 1) + (labels.markers.isEmpty ? 0 : 1) }

    /// Sets a marker at a frame.
    func mark(_ name: String, at frame: Int) throws(TakeError) {
        try labels.add(SoundFileMarker(frame: max(0, frame), name: name))
    }

    /// Markers so far.
    var markers: [SoundFileMarker] { labels.markers }

    /// Notes how the device is turned; `time`: seconds of this part. What is not later than what was noted is left out.
    func note(_ sample: TakeTurn) throws(TakeError) {
        guard sample.time > lastTurn ?? -.infinity else { return }
        lastTurn = sample.time
        let q = sample.fieldToWorld
        let line = "\(sample.time),\(q.w),\(q.x),\(q.y),\(q.z)\n"
        if let turns {
            try turns.append(line)
        } else {
            let path = CaptureNames.orientation(path)
            turns = try TextTake(
                path: path, beginning: CaptureNames.orientationHeader + line, replaces: replacement.covers(path))
        }
    }

    /// Completes the files; the names they got.
    ///
    /// - Throws: the first thing that went wrong; the other files are completed nevertheless. Where the field is not,
    ///   the texts beside it stay as it does, `.part` files to be recovered with it.
    func finish() throws(SoundFileError) -> [String] {
        guard frameCount > 0 else {
            discard()
            return []
        }
        field.markers = labels.markers
        var (names, fieldName): ([String], String?) = ([], nil)
        var failure: SoundFileError?
        // Where the disk was full one file has frames of a block that another has not.
        let writers = [field, stereo, safety].compactMap(\.self)
        for writer in writers where writer.frameCount > frameCount { writer.cut(to: frameCount) }
        for writer in writers {
            do throws(SoundFileError) {
                let name = try writer.finish()
                names.append(name)
                if writer === field { fieldName = name }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure, fieldName == nil {
            labels.leave()
            turns?.leave()
            throw failure
        }
        do throws(TakeError) {
            try labels.settle(kept: field.hasKeptMarkers, path: fieldName)
            if let name = try turns?.finish() { names.append(name) }
        } catch {
            failure = failure ?? SoundFileError(error)
        }
        if let failure { throw failure }
        return names
    }

    /// Removes the files.
    func discard() {
        for writer in [field, stereo, safety].compactMap(\.self) { writer.discard() }
        turns?.discard()
        try? labels.settle(kept: true, path: nil)
    }
}

import AudioIO
import Geometry
import Glibc
import Signal
import Takes

/// Files of one part of a take: sound field, stereo rendition, safety track, orientations of the device, and markers.
/// All start at the same frame.
///
/// Each file grows as a `TakeFile` (`NAME.part`) and can be opened at any time. Must be used by one thread at a time.
final class CapturePart {
    /// Path of the field's file.
    let path: String
    private let field: SoundFileWriter
    private let stereo: SoundFileWriter
    private let safety: SoundFileWriter?
    private let sampleRate: SampleRate
    private var labels: MarkerLabels
    private var turns: TextTake?
    /// Time of the last orientation, relative to the part, seconds; nil before the first orientation.
    private(set) var lastTurn: Double?
    private let replacement: Replacement
    /// Frames written.
    private(set) var frameCount = 0
    private var told = 0
    /// Gain of the safety track, linear: −12 dB.
    static let safetyGain: Float = 0.251_188_64

    /// Opens the files.
    ///
    /// - Throws: as `SoundFileWriter`. No file is left then.
    init(path: String, sampleRate: SampleRate, hasSafety: Bool, replacement: Replacement) throws(SoundFileError) {
        self.path = path
        self.sampleRate = sampleRate
        self.replacement = replacement
        labels = MarkerLabels(
            of: path, rate: sampleRate.hertz, replaces: replacement.covers(MarkerLabels.path(of: path)))
        field = try SoundFileWriter(
            path: path, channels: 4, sampleRate: sampleRate, fieldOrder: 1, asTake: true,
            replaces: replacement.covers(path))
        let (stereoPath, safetyPath) = (CaptureNames.stereo(path), CaptureNames.safety(path))
        stereo = try SoundFileWriter(
            path: stereoPath, channels: 2, sampleRate: sampleRate, asTake: true,
            replaces: replacement.covers(stereoPath))
        // The metadata of the safety track describe its first four channels as a sound field, so that players decode
        // the field. The other two channels are the stereo rendition.
        safety =
            hasSafety
            ? try SoundFileWriter(
                path: safetyPath, channels: 6, sampleRate: sampleRate, encoding: .pcm24, fieldOrder: 1,
                trackNames: ["W", "Y", "Z", "X", "stereo left", "stereo right"], asTake: true,
                replaces: replacement.covers(safetyPath)) : nil
    }

    /// Bytes of a frame in the part's largest file: four channels of 32 bits, or six channels of 24 bits for the safety
    /// track.
    var frameBytes: Int { safety == nil ? 16 : 18 }

    /// Appends frames of a block, from its frame `offset` on: sound field W Y Z X, and stereo rendition L R. `plain`:
    /// frames of the safety track, without the gain.
    func write(
        _ block: borrowing PlanarBlock, safety plain: borrowing PlanarBlock, from offset: Int, frames: Int
    ) throws(SoundFileError) {
        try field.write(block, from: offset, frames: frames)
        try stereo.write(block, firstChannel: 4, from: offset, frames: frames)
        try safety?.write(plain, from: offset, frames: frames)
        frameCount += frames
    }

    /// Updates the headers to the number of frames written.
    func refreshHeaders() {
        guard frameCount > told else { return }
        told = frameCount
        for writer in [field, stereo, safety].compactMap(\.self) { writer.refreshHeader() }
    }

    /// File descriptors for syncing to the disk. The caller must close them.
    var descriptorsForDisk: [Int32] {
        [field, stereo, safety].compactMap { $0?.descriptorForDisk }
            + [turns?.descriptorForDisk, labels.descriptorForDisk].compactMap(\.self)
    }

    /// Number of text files so far, for orientations and markers.
    var textCount: Int { (turns == nil ? 0 : 1) + (labels.markers.isEmpty ? 0 : 1) }

    /// Sets a marker at a frame of the part.
    func mark(_ name: String, at frame: Int) throws(TakeError) {
        try labels.add(SoundFileMarker(frame: max(0, frame), name: name))
    }

    /// Markers so far.
    var markers: [SoundFileMarker] { labels.markers }

    /// Writes the field's orientation. The sample's time is relative to the beginning of the part, seconds. A sample
    /// that is not later than the last one is ignored.
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

    /// Completes the files. Returns their final paths, or none if no frame was written; the files are then removed. If
    /// the field's file gets another name than the requested one, the other files get the corresponding names.
    ///
    /// - Throws: the first error. The remaining files are completed nevertheless. If the field cannot be completed, its
    ///   text files also stay `.part` files, and are recovered with it.
    func finish() throws(SoundFileError) -> [String] {
        guard frameCount > 0 else {
            discard()
            return []
        }
        field.header.markers = labels.markers
        var (names, fieldName): ([String], String?) = ([], nil)
        var failure: SoundFileError?
        // On a full disk one file may contain frames of a block that another file lacks.
        let writers = [field, stereo, safety].compactMap(\.self)
        for writer in writers where writer.frameCount > frameCount { writer.cut(to: frameCount) }
        for writer in writers {
            do throws(SoundFileError) {
                let name = try writer.finish(as: otherName(of: writer, beside: fieldName))
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
        do throws(TakeError) { try labels.settle(kept: field.header.hasKeptMarkers, path: fieldName) } catch {
            failure = failure ?? SoundFileError(error)
        }
        let other = fieldName.flatMap { $0 == path ? nil : CaptureNames.orientation($0) }
        do throws(TakeError) {
            if let name = try turns?.finish(as: other) { names.append(name) }
        } catch {
            failure = failure ?? SoundFileError(error)
        }
        if fieldName == path { removeFormerTurns() }
        if let failure { throw failure }
        return names
    }

    /// Returns the name of a file beside a field that got another name than `path`; nil for the requested name.
    private func otherName(of writer: SoundFileWriter, beside fieldName: String?) -> String? {
        guard let fieldName, fieldName != path, writer !== field else { return nil }
        return writer === stereo ? CaptureNames.stereo(fieldName) : CaptureNames.safety(fieldName)
    }

    /// Removes the orientation file of a take that this part has replaced, if this part has no orientations. The old
    /// orientations would otherwise be applied to the new field.
    private func removeFormerTurns() {
        let former = CaptureNames.orientation(path)
        if turns == nil, replacement.covers(former), OutputPlace(former).occupant == .file { unlink(former) }
    }

    /// Removes the files.
    func discard() {
        for writer in [field, stereo, safety].compactMap(\.self) { writer.discard() }
        turns?.discard()
        try? labels.settle(kept: true, path: nil)
    }
}

import AudioIO
import Geometry
import Glibc
import HRTF
import Rendering
import Signal
import Soundstage

/// Renders one file: the offline counterpart of `LiveSession`.
package enum OfflineSession {
    /// Does all of `render`; on the calling thread.
    ///
    /// - Parameter progress: told the share done, about ten times a second; answers false to stop.
    /// - Throws: `SessionError`; nothing is left under the output's name.
    package static func render(
        _ settings: RenderSettings, progress: (Double) -> Bool
    ) throws(SessionError) -> RenderReport {
        let reader: SoundFileReader
        do throws(SoundFileError) { reader = try SoundFileReader(path: settings.input) } catch {
            throw SessionError(error)
        }
        let layout = try layout(for: reader, settings)
        let poses: PoseSource
        var recording: MotionRecording?
        if let path = settings.motion {
            let read = try MotionRecording(contentsOf: path)
            poses = try StageAssembly.poses(read, at: path)
            recording = read
        } else if let path = settings.poses {
            poses = try StageAssembly.poses(logAt: path)
        } else {
            let k = Double.pi / 180
            poses = .fixed(Rotation(yaw: settings.yaw * k, pitch: settings.pitch * k, roll: settings.roll * k))
        }
        guard !isSameFile(settings.input, settings.output) else {
            throw SessionError(.usage, "\(settings.output) is the input itself; give the output another name")
        }
        // The output is opened before the set is loaded: what cannot be written is said at once.
        let writer: SoundFileWriter
        do throws(SoundFileError) {
            writer = try SoundFileWriter(path: settings.output, channels: 2, sampleRate: reader.sampleRate)
        } catch {
            throw SessionError(error)
        }
        let stage: StageAssembly
        do throws(SessionError) {
            stage = try StageAssembly(settings.stage, layout: layout, sampleRate: reader.sampleRate, poses: poses)
        } catch {
            writer.discard()
            throw error
        }
        let render = OfflineRender(
            blockFrames: settings.block ?? recording?.circumstances.period ?? 1024,
            tailFrames: stage.tapCount - 1, keepsTail: settings.tail)
        var goesOn = true
        do throws(SoundFileError) {
            let summary = try render.run(
                from: reader, through: stage.renderer, into: writer,
                progress: { if !progress($0.fraction) { goesOn = false } },
                isCancelled: { !goesOn })
            return RenderReport(settings, reader, stage, summary, recording)
        } catch {
            throw SessionError(error)
        }
    }

    /// Whether two paths lead to one regular file.
    private static func isSameFile(_ a: String, _ b: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(a, &first) == 0, stat(b, &second) == 0, first.st_mode & S_IFMT == S_IFREG else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    private static func layout(
        for reader: SoundFileReader, _ settings: RenderSettings
    ) throws(SessionError) -> Layout {
        let order = ChannelOrder(rawValue: settings.order.rawValue) ?? .wave
        var named: Layout?
        if let name = settings.stage.layout {
            named = try StageAssembly.layout(name, settings.stage)
        }
        if let named, named.channelCount != reader.channelCount {
            throw SessionError(
                SoundFileError.wrongChannelCount(
                    path: settings.input, found: reader.channelCount, expected: named.channelCount,
                    layouts: Layout.names(withChannels: reader.channelCount)))
        }
        do throws(SoundstageError) {
            guard let named else {
                return try Layout.forFile(
                    channelPositions: reader.channelPositions, channelCount: reader.channelCount, order: order,
                    angles: settings.stage.angles == .dolby ? .dolby : .itu)
            }
            // A custom layout lists its loudspeakers in the file's order already.
            // So does a sound field, whatever loudspeakers a channel mask may speak of.
            guard named.ambisonics == nil, named.loudspeakers.allSatisfy({ $0.waveMask != nil }) else { return named }
            guard let positions = reader.channelPositions else { return named.ordered(order) }
            return try named.arranged(as: positions)
        } catch {
            throw SessionError(error)
        }
    }
}

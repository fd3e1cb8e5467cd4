import AudioIO
import Loading
import Metering
import MotionLogs
import Racks
import Rendering
import Signal
import Soundstage
import Stages
import Takes

/// The offline commands; `LiveSession` is the live counterpart.
package enum OfflineSession {
    /// Runs `render`; on the calling thread.
    ///
    /// - Parameter progress: receives the share done; returns false to cancel.
    /// - Throws: `SessionError`; no output file is then created or changed.
    package static func render(
        _ settings: RenderSettings, progress: (Double) -> Bool
    ) throws(SessionError) -> RenderReport {
        let programme = try InputProgramme(
            settings.input, settings.stage, order: settings.order, reading: settings.reading)
        let (reader, layout) = (programme.reader, programme.layout)
        var sound = settings.stage
        sound.takeDynamics(of: settings.values)
        let found = sound.programmes.upmix.follow(programme.metadata)
        let plan = try DynamicsPlan(
            sound.programmes.dynamics, metadata: programme.metadata,
            from: ProgrammeMetadata.path(besideFile: settings.input))
        let motion = try RecordedMotion(motion: settings.motion, poses: settings.poses)
        let recording = motion?.recording
        let poses =
            motion?.poses ?? .facing(yawDegrees: settings.yaw, pitchDegrees: settings.pitch, rollDegrees: settings.roll)
        let replacement = try settings.written.settle(
            [settings.output] + stemPaths(in: settings.stems),
            keeping: [settings.input, settings.poses, settings.motion], mayStream: true)
        // The output is opened before the set is loaded, so that errors of writing appear immediately.
        let bare = try settings.excerpt.frames(of: reader)
        let metadata = reader.metadata.forOtherSound.ofSection(bare)
        let writer = try settings.written.open(
            settings.output, channels: 2, sampleRate: reader.sampleRate, metadata: metadata, replacing: replacement)
        let block = settings.block ?? recording?.circumstances.period ?? 1024
        let stage: StageAssembly
        let loudness: RenderLoudness
        let levels: [String], withoutEffect: [String]
        var stems: [SoundFileWriter] = []
        do throws(SessionError) {
            stage = try StageAssembly(
                sound, layout: layout, sampleRate: reader.sampleRate, poses: poses,
                posesFollowSound: settings.poses != nil, period: block)
            // The session's values take precedence over the metadata that `follow` applies, except values that the
            // stage has without the session. The stage already contains the metadata of the upmix; the session's values
            // take precedence over these too.
            let values = stage.differing(settings.values)
            var said = settings.stage
            said.programmes.changes += values.filter { $0.input == "main" }
            levels = try stage.follow(plan, programme.metadata, said)
            withoutEffect = stage.take(values, settings.stage)
            if let recording, !recording.changes.isEmpty {
                stage.renderer.follow(recording.automation(for: stage.renderer.programmes))
            }
            stage.plugins.rollFromStart()
            stage.plugins.follow(recording?.plugins ?? [])
            loudness = RenderLoudness(layout, sampleRate: reader.sampleRate)
            if let folder = settings.stems {
                stems = try writeStems(
                    of: programme, said, bare, into: folder, beside: [settings.output],
                    replacing: replacement
                ) { progress($0 / 2) }
            }
        } catch {
            writer.discard()
            throw error
        }
        var render = OfflineRender(
            blockFrames: block, tailFrames: stage.tapCount - 1, keepsTail: settings.tail)
        if settings.excerpt.until != nil || settings.excerpt.duration != nil {
            render.section = bare
        } else if !settings.excerpt.isWhole {
            render.section = bare.lowerBound..<(bare.upperBound + (settings.tail ? render.tailFrames : 0))
        }
        func told(_ share: Double) -> Bool { progress(settings.stems == nil ? share : 0.5 + share / 2) }
        var goesOn = true
        do throws(SoundFileError) {
            let summary = try render.run(
                from: reader, through: stage.renderer, into: writer, completes: false,
                beginning: { stage.plugins.play(from: $0) },
                progress: { if !told($0.fraction) { goesOn = false } },
                listener: loudness.hear,
                isCancelled: { !goesOn })
            try writer.complete()
            try SoundFileWriter.publish([writer] + stems)
            var report = RenderReport(
                settings, reader, stage, summary, recording,
                remarks: programme.remarks + [found].compactMap(\.self) + withoutEffect.map { "session: \($0)" }
                    + Self.losses(metadata, in: writer))
            report.levels = levels
            report.loudness = loudness.input
            report.earLoudness = loudness.ears
            return report
        } catch {
            writer.discard()
            throw SessionError(error)
        }
    }

    /// Returns the input's metadata that the complete output lacks, one fact a line.
    package static func losses(_ metadata: SoundFileMetadata, in writer: SoundFileWriter) -> [String] {
        let lost = metadata.losses(in: writer.format)
        var lines: [String] = []
        if !lost.isEmpty {
            lines.append("\(writer.path): \(writer.format.rawValue) cannot store \(lost.joined(separator: ", "))")
        }
        // The writer defines the tracks of a sound field itself, so the input's `chna` is not lost.
        let saysTracks = writer.header.toldField != nil && !metadata.otherChunks.contains("axml")
        var gone = metadata.otherChunks.filter { $0 != "chna" || !saysTracks }
        if !metadata.markers.isEmpty, writer.format.isWave, !writer.header.hasKeptMarkers {
            gone.append("\(metadata.markers.count) markers")
        }
        if !gone.isEmpty {
            lines.append("\(writer.path): not kept of the input: \(gone.joined(separator: ", "))")
        }
        return lines
    }
}

/// Loudness meters of a render, for the input and for the ears.
final class RenderLoudness {
    private let inputMeter: LoudnessMeter
    private let earMeter: LoudnessMeter

    /// Creates meters for a file in a layout.
    package init(_ layout: Layout, sampleRate: SampleRate) {
        inputMeter = LoudnessMeter(sampleRate: sampleRate, weights: layout.loudnessWeights)
        earMeter = LoudnessMeter(sampleRate: sampleRate, weights: [1, 1])
    }

    /// Measures a block; see `OfflineRender.Listener`.
    package func hear(
        _ input: borrowing PlanarBlock, _ heard: Range<Int>, _ ears: borrowing PlanarBlock, _ kept: Range<Int>
    ) {
        inputMeter.add(input, from: heard.lowerBound, frames: heard.count)
        earMeter.add(ears, from: kept.lowerBound, frames: kept.count)
    }

    /// Readings of the input meter.
    package var input: LoudnessReadings { inputMeter.read() }
    /// Readings of the ear meter.
    package var ears: LoudnessReadings { earMeter.read() }
}

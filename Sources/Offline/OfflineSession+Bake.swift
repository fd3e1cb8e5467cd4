import AudioIO
import Foundation
import Loading
import Metering
import Signal
import Soundstage
import Stages
import Takes

extension OfflineSession {
    /// Runs `bake` on the calling thread: writes the programme's channels (after the Audio Mix, if one is requested), a
    /// stereo fold-down unless the programme is stereo, and the mix parameters of both.
    ///
    /// The file is read several times: to measure, then to write. All files appear when all are complete.
    ///
    /// - Parameter progress: receives the share done; returns false to cancel.
    /// - Throws: `SessionError`; existing files are then unchanged.
    package static func bake(
        _ settings: BakeSettings, progress: (Double) -> Bool
    ) throws(SessionError) -> BakeReport {
        let programme = try InputProgramme(
            settings.input, settings.stage, order: settings.order, reading: settings.reading)
        let (reader, layout) = (programme.reader, programme.layout)
        let section = try settings.excerpt.frames(of: reader)
        try OutputChoice.refuse(settings.output, as: settings.input)
        guard settings.output != settings.stereoPath else {
            throw SessionError(.usage, "--stereo is the output itself; give the stereo file another name")
        }
        let baked = try bakedLayout(layout, settings)
        let (matrix, fold): (ChannelMatrix, ChannelMatrix?)
        do throws(SoundstageError) {
            matrix = try layout.conversion(to: baked)
            let stereo = try Layout.named("stereo")
            fold =
                layout.name == "stereo"
                ? nil
                : settings.fold.kind == .ltrt
                    ? .pair : try layout.conversion(to: stereo, choice: settings.fold.levels)
        } catch {
            throw SessionError(error)
        }
        if fold != nil {
            try settings.fold.check(from: layout, to: settings.stage.layout(named: "stereo"))
            try refuseStereo(settings)
        }
        guard fold == nil || settings.stereoPath != StandardStream.name + ".stereo" else {
            throw SessionError(.usage, "the stereo file beside standard output has no name: add --stereo FILE")
        }
        let files = [settings.output] + (fold == nil ? [] : [settings.stereoPath])
        let replacement = try settings.written.settle(
            files + files.filter { $0 != StandardStream.name }.map(ProgrammeMetadata.path(besideFile:))
                + stemPaths(in: settings.stems),
            keeping: [settings.input], mayStream: settings.stereo != StandardStream.name)
        let mixed = try mix(programme, settings.stage)
        let stems =
            try settings.stems.map { (folder) throws(SessionError) in
                try writeStems(
                    of: programme, settings.stage, section, into: folder,
                    beside: [settings.output, settings.stereoPath],
                    replacing: replacement
                ) { progress($0 / 2) }
            } ?? []
        func told(_ share: Double) -> Bool { progress(settings.stems == nil ? share : 0.5 + share / 2) }
        let source: any ProgrammeFrames = mixed ?? reader
        let encoded =
            fold == nil || settings.fold.kind == .loro
            ? nil : try EncodedProgramme(source, layout: layout, sampleRate: reader.sampleRate, lfeGain: nil)
        let folded: any ProgrammeFrames = encoded ?? source
        let open = {
            (path: String, layout: Layout, metadata: SoundFileMetadata) throws(SessionError) -> SoundFileWriter in
            try settings.written.open(
                path, layout: layout, channels: layout.channelCount, sampleRate: reader.sampleRate, metadata: metadata,
                replacing: replacement)
        }
        // Both files are opened before the first pass, so that errors of writing appear immediately.
        let metadata = reader.metadata.forOtherSound.ofSection(section)
        let writer = try open(settings.output, baked, metadata)
        var side: SoundFileWriter?
        var parameters: [UnnamedFile] = []
        do throws(SessionError) {
            if fold != nil {
                let stereo = try settings.stage.layout(named: "stereo")
                side = try open(settings.stereoPath, stereo, metadata)
            }
            let parts = Double(fold == nil ? 2 : 4)
            let clips = settings.written.clips(writer)
            let whole = try measure(
                source, matrix, section, reader.sampleRate, weights: baked.loudnessWeights, clips: clips
            ) { told($0 / parts) }
            var known = self.parameters(settings, programme, baked)
            known.measured(whole.loudness)
            var report = BakeReport(settings, programme, baked, (whole.summary, whole.loudness), clips: clips)
            if known.drc?.isActive == true, known.loudness == nil, known.dialnorm == nil {
                known.drc = nil
                report.remarks.append(
                    "drc is left out: it needs the loudness, which silence and sound of less than 0.4 s do not have")
            }
            var own = ProgrammeMetadata()
            if let fold, let side {
                let mixed = try measure(folded, fold, section, reader.sampleRate, weights: [1, 1], goesOn: true) {
                    told((1 + $0) / parts)
                }
                let gain = min(0, OutputGain.ceiling - (mixed.wholePeak ?? -200))
                let linear: Float = gain == 0 ? 1 : Float(Decibels(gain).amplitude)
                try write(folded, fold, section, gain: linear, into: side) { told((2 + $0) / parts) }
                own.layout = "stereo"
                if settings.fold.kind == .ltrt { own.encoding = .ltrt }
                own.content = known.content
                own.measured(mixed.loudness, gain: gain)
                // Metadata with a compression profile but without a loudness would be refused later. The dialnorm
                // applies to the master only.
                own.drc = own.loudness == nil ? nil : known.drc
                report.stereo = BakeReport.Stereo(settings.stereoPath, settings.fold, gain: gain, own)
            }
            try write(source, matrix, section, gain: 1, into: writer) { told(1 - (1 - $0) / parts) }
            for (file, metadata) in [(side, own), (writer, known)] {
                guard let file else { continue }
                // Standard output has no metadata file beside it.
                guard file.path != StandardStream.name else {
                    do throws(SoundFileError) { try file.complete() } catch { throw SessionError(error) }
                    report.remarks.append("the mix parameters are not kept: standard output has no file beside it")
                    continue
                }
                var metadata = metadata
                let opened = try complete(file, settings.written, reader.sampleRate)
                metadata.sound = try content(of: opened)
                if file === writer, known.layout == nil, opened.header.channelPositions == nil {
                    report.remarks.append(unidentified(file.path, baked, settings.stage.layout))
                }
                parameters.append(try metadata.unnamed(beside: file.path, replacing: replacement))
            }
            try publish([writer, side].compactMap(\.self) + stems, parameters)
            report.remarks += losses(metadata, in: writer) + [mixed?.remark].compactMap(\.self)
            return report
        } catch {
            writer.discard()
            side?.discard()
            for file in parameters { file.discard() }
            throw error
        }
    }

    /// Throws a usage error if the stereo file would replace the input. The remedy gives the stereo file's option and a
    /// new name, because the user may not have typed the option.
    private static func refuseStereo(_ settings: BakeSettings) throws(SessionError) {
        do throws(SessionError) { try OutputChoice.refuse(settings.stereoPath, as: settings.input) } catch {
            var failure = error
            if settings.stereo == nil { failure.remedy = Remedy("--stereo", OutputChoice.beside(settings.stereoPath)) }
            throw failure
        }
    }

    /// Returns the layout with its channels in the output's order. A sound field becomes AmbiX of the same order.
    private static func bakedLayout(_ layout: Layout, _ settings: BakeSettings) throws(SessionError) -> Layout {
        guard let field = layout.ambisonics else { return settings.written.ordered(layout, in: settings.output) }
        do throws(SoundstageError) { return Layout(try AmbisonicFormat(order: field.order)) } catch {
            throw SessionError(error)
        }
    }

    /// Returns the remark on a file if neither the file nor its metadata name the loudspeakers.
    private static func unidentified(_ path: String, _ layout: Layout, _ named: String?) -> String {
        let symbols = layout.loudspeakers.map(\.symbol).joined(separator: ", ")
        return "\(path) does not name its loudspeakers (\(symbols)): read it with "
            + (named.map { ShellLine(["--layout", $0]).text } ?? "--layout FILE, a layout file that names them")
    }

    /// Returns the metadata beside the input, overridden by the user's settings.
    private static func parameters(
        _ settings: BakeSettings, _ programme: InputProgramme, _ baked: Layout
    ) -> ProgrammeMetadata {
        var known = settings.metadata(over: programme.metadata ?? ProgrammeMetadata())
        // A loudspeaker set without a name is described by the file itself.
        known.layout = (try? Layout.named(baked.name)) == nil ? nil : baked.name
        known.order = nil
        return known
    }

    /// Measures a section. With `clips`, samples are limited to full scale, as in an integer format. `wholePeak` is the
    /// section's true peak; with `goesOn` that of the whole programme, from which a fold-down's gain is computed.
    private static func measure(
        _ programme: any ProgrammeFrames, _ matrix: ChannelMatrix, _ section: Range<Int>, _ sampleRate: SampleRate,
        weights: [Float], clips: Bool = false, goesOn: Bool = false, _ progress: (Double) -> Bool
    ) throws(SessionError) -> (
        summary: MatrixConversion.Summary, loudness: LoudnessReadings, wholePeak: Double?
    ) {
        let all = 0..<programme.frameCount
        let meter = LoudnessMeter(sampleRate: sampleRate, weights: weights)
        let whole = goesOn && section != all ? LoudnessMeter(sampleRate: sampleRate, weights: weights) : nil
        var kept = KeptFrames(section)
        do throws(SoundFileError) {
            try programme.rewind()
            let summary = try MatrixConversion(matrix: matrix, gain: 1)
                .run(
                    from: programme, into: nil, section: whole == nil ? section : all,
                    hears: { block, frames in
                        for channel in 0..<(clips ? block.channelCount : 0) {
                            let row = block[channel]
                            for i in frames { row[i] = max(-1, min(1, row[i])) }
                        }
                        guard let whole else { return meter.add(block, from: frames.lowerBound, frames: frames.count) }
                        whole.add(block, from: frames.lowerBound, frames: frames.count)
                        let own = kept.next(frames.count)
                        meter.add(block, from: own.lowerBound, frames: own.count)
                    }, progress: progress)
            let loudness = meter.read()
            return (summary, loudness, (whole?.read() ?? loudness).truePeak)
        } catch {
            throw SessionError(error)
        }
    }

    private static func write(
        _ programme: any ProgrammeFrames, _ matrix: ChannelMatrix, _ section: Range<Int>, gain: Float,
        into writer: SoundFileWriter, _ progress: (Double) -> Bool
    ) throws(SessionError) {
        do throws(SoundFileError) {
            try programme.rewind()
            _ = try MatrixConversion(matrix: matrix, gain: gain).run(
                from: programme, into: writer, section: section, completes: false, progress: progress)
        } catch {
            throw SessionError(error)
        }
    }

    /// Completes a file, which gets its name later; returns its reader.
    private static func complete(
        _ writer: SoundFileWriter, _ written: OutputChoice, _ sampleRate: SampleRate
    ) throws(SessionError) -> SoundFileReader {
        do throws(SoundFileError) {
            try writer.complete()
            return try SoundFileReader(path: writer.completePath, raw: written.raw(writer, sampleRate: sampleRate))
        } catch {
            throw SessionError(error)
        }
    }

    /// Returns the identification of a file's sound.
    private static func content(of reader: SoundFileReader) throws(SessionError) -> ProgrammeMetadata.Sound {
        do throws(SoundFileError) { return try ProgrammeMetadata.Sound(of: reader) } catch { throw SessionError(error) }
    }

    private static func publish(_ writers: [SoundFileWriter], _ others: [UnnamedFile]) throws(SessionError) {
        do throws(SoundFileError) { try SoundFileWriter.publish(writers, beside: others) } catch {
            throw SessionError(error)
        }
    }
}

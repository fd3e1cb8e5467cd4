import AudioIO
import Foundation
import Loading
import Metering
import Racks
import Rendering
import Signal
import Soundstage
import Stages
import Takes

extension OfflineSession {
    /// Runs `process`: converts a programme from one layout to another, without binaural rendering; on the calling
    /// thread.
    ///
    /// - Parameter progress: receives the share done; returns false to cancel.
    /// - Throws: `SessionError`; no output file is then created or changed.
    package static func process(
        _ settings: ProcessSettings, progress: (Double) -> Bool
    ) throws(SessionError) -> ProcessReport {
        let programme = try InputProgramme(
            settings.input, settings.stage, order: settings.order, reading: settings.reading)
        let reader = programme.reader
        let section = try settings.excerpt.frames(of: reader)
        let replacement = try settings.written.settle(
            [settings.output] + stemPaths(in: settings.stems), keeping: [settings.input],
            mayStream: true)
        let named = try settings.target.map { (name) throws(SessionError) in try layout(of: name, settings) }
        var settings = settings
        let found = settings.upmix.follow(programme.metadata)
        func told(_ share: Double) -> Bool { progress(settings.stems == nil ? share : 0.5 + share / 2) }
        let upmixed = try upmix(programme, settings)
        let source = upmixed?.layout ?? programme.layout
        let target =
            if let named { named } else if source.ambisonics != nil { try layout(of: source.name, settings) } else {
                settings.written.ordered(source, in: settings.output)
            }
        try settings.fold.check(from: source, to: target)
        let lfeGain = settings.lfeGain.map { Decibels($0) }
        var matrix: ChannelMatrix
        var voices: Int?
        do throws(SoundstageError) {
            matrix =
                settings.fold.kind == .ltrt
                ? .pair : try source.conversion(to: target, lfeGain: lfeGain, choice: settings.fold.levels)
            if settings.stage.programmes.mix != nil, settings.fold.kind == .loro, settings.stage.plugins.isEmpty,
                let finer = try matrix.resolving(AmbisonicFormat.greatestOrder, of: source, to: target)
            {
                (matrix, voices) = (finer, AmbisonicFormat.greatestOrder)
            }
        } catch {
            throw SessionError(error)
        }
        let mixed = try mix(programme, settings.stage, voices: voices)
        let headphones = try headphones(settings, target, sampleRate: reader.sampleRate)
        let equalisation = headphones.map { HeadphoneEqualisation($0.filter) }
        let isIdle = headphones == nil && settings.target == nil && !settings.stage.headphones.isNone
        let idle = isIdle ? "the headphones' equalisation is for the two channels of stereo, and was left out" : nil
        let stems =
            try settings.stems.map { (folder) throws(SessionError) in
                try writeStems(
                    of: programme, settings.stage, section, into: folder, beside: [settings.output],
                    replacing: replacement
                ) { progress($0 / 2) }
            } ?? []
        let asRecorded: any ProgrammeFrames = mixed ?? reader
        let plain: any ProgrammeFrames = upmixed ?? asRecorded
        let inserted =
            settings.stage.plugins.isEmpty
            ? nil : try InsertedProgramme(plain, layout: source, sampleRate: reader.sampleRate, settings.stage)
        let encoded =
            settings.fold.kind == .loro
            ? nil
            : try EncodedProgramme(
                inserted ?? plain, layout: source, sampleRate: reader.sampleRate, lfeGain: lfeGain)
        let metadata = reader.metadata.forOtherSound.ofSection(section)
        let writer = try settings.written.open(
            settings.output, layout: target, channels: target.channelCount, sampleRate: reader.sampleRate,
            metadata: metadata, replacing: replacement)
        let frames: any ProgrammeFrames = encoded ?? inserted ?? plain
        let level: OutputGain
        do throws(SessionError) {
            level = try OutputGain(
                settings, of: frames, through: matrix, equalised: equalisation, in: target,
                sampleRate: reader.sampleRate
            ) { told($0 / 2) }
        } catch {
            writer.discard()
            throw error
        }
        do throws(SoundFileError) {
            let gain = level.gain
            let meter =
                settings.loudness?.loudness == nil
                ? nil : LoudnessMeter(sampleRate: reader.sampleRate, weights: target.loudnessWeights)
            let linear: Float = gain == 0 ? 1 : Float(Decibels(gain).amplitude)
            let summary = try MatrixConversion(matrix: matrix, gain: linear, equalisation: equalisation)
                .run(
                    from: frames, into: writer, section: section, completes: false,
                    hears: { meter?.add($0, from: $1.lowerBound, frames: $1.count) },
                    progress: { told(settings.measures ? 0.5 + $0 / 2 : $0) })
            try writer.complete()
            try SoundFileWriter.publish([writer] + stems)
            return ProcessReport(
                settings, programme, upmixed, inserted, headphones, target, gain: gain, summary,
                loudness: meter?.read(), clips: settings.written.clips(writer),
                remarks: [level.remark].compactMap(\.self) + programme.remarks
                    + [found, mixed?.remark, idle].compactMap(\.self) + losses(metadata, in: writer))
        } catch {
            writer.discard()
            throw SessionError(error)
        }
    }

    /// Returns the layout of this name for the output. A sound field has the convention of the settings, or else that
    /// of the output's format.
    private static func layout(of name: String, _ settings: ProcessSettings) throws(SessionError) -> Layout {
        var aim = settings.stage
        let isBFormat = settings.written.isBFormat(settings.output)
        let holds = Layout.ambisonicOrder(of: name).map { $0 <= BFormat.highestOrder } ?? false
        aim.ambisonics = settings.targetAmbisonics ?? (isBFormat && holds ? .fuma : .sn3d)
        return try aim.layout(named: name)
    }

    /// Returns the equalisation of a two-channel output for headphones; nil without one.
    private static func headphones(
        _ settings: ProcessSettings, _ target: Layout, sampleRate: SampleRate
    ) throws(SessionError) -> HeadphonesInUse? {
        guard !settings.stage.headphones.isNone, target.name == "stereo" else { return nil }
        guard settings.fold.kind == .loro else {
            throw SessionError(
                .usage, "--fold-down ltrt is for a matrix decoder, --headphone-eq for ears: leave one of them out")
        }
        return try HeadphonesInUse(settings.stage.headphones, sampleRate: sampleRate, by: settings.stage.reader)
    }

    /// Returns the programme upmixed to more loudspeakers; nil if no upmix is requested.
    private static func upmix(
        _ programme: InputProgramme, _ settings: ProcessSettings
    ) throws(SessionError) -> UpmixedProgramme? {
        guard settings.upmix.mode != nil else { return nil }
        guard programme.layout.ambisonics == nil else {
            throw SessionError(
                .usage, "a sound field (\(programme.layout.name)) holds no stereo to upmix: leave out --upmix",
                remedy: Remedy("--upmix", nil))
        }
        let layout = try settings.stage.layout(named: settings.upmix.layout)
        return try UpmixedProgramme(programme.reader, into: layout, settings.upmix, isOption: true)
    }
}

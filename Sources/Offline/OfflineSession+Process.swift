import AudioIO
import Foundation
import Loading
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
    /// - Throws: `SessionError`; nothing is left under the output's name.
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
        var aim = settings.stage
        aim.ambisonics = settings.targetAmbisonics
        let named = try settings.target.map { (name) throws(SessionError) in try aim.layout(named: name) }
        var settings = settings
        let found = settings.upmix.follow(programme.metadata)
        func told(_ share: Double) -> Bool { progress(settings.stems == nil ? share : 0.5 + share / 2) }
        let upmixed = try upmix(programme, settings)
        let source = upmixed?.layout ?? programme.layout
        let target =
            if let named { named } else if source.ambisonics != nil { try aim.layout(named: source.name) } else {
                source
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
        do throws(SoundFileError) {
            let frames: any ProgrammeFrames = encoded ?? inserted ?? plain
            var gain = settings.stage.gain
            if settings.fits {
                let measured = try MatrixConversion(
                    matrix: matrix, gain: Float(Decibels(gain).amplitude), equalisation: equalisation
                ).run(from: frames, into: nil, progress: { told($0 / 2) })
                if measured.peak > 1 { gain -= Decibels(amplitude: Double(measured.peak)).value + 0.01 }
                try frames.rewind()
                equalisation?.restart()
            }
            let linear: Float = gain == 0 ? 1 : Float(Decibels(gain).amplitude)
            let summary = try MatrixConversion(matrix: matrix, gain: linear, equalisation: equalisation)
                .run(
                    from: frames, into: writer, section: section, completes: false,
                    progress: { told(settings.fits ? 0.5 + $0 / 2 : $0) })
            try writer.complete()
            try SoundFileWriter.publish([writer] + stems)
            return ProcessReport(
                settings, programme, upmixed, inserted, headphones, target, gain: gain, summary,
                clips: settings.written.clips(writer),
                remarks: programme.remarks + [found, mixed?.remark, idle].compactMap(\.self)
                    + losses(metadata, in: writer))
        } catch {
            writer.discard()
            throw SessionError(error)
        }
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

    /// Returns the programme upmixed to a stage, where requested.
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

/// Report of `process`, for the user and for programs.
package struct ProcessReport: Codable, Sendable {
    /// The programme's path and the output's.
    package let input: String, output: String
    /// The layouts, from and to; fields with their convention.
    package let from: String, to: String
    /// Sample rate, Hz.
    package let sampleRate: Double
    /// Frames written.
    package let frames: Int
    /// Overall gain as requested, or as lowered to prevent clipping, dB.
    package let gain: Double
    /// Largest sample before conversion to integers clips it, dBFS.
    package let peak: Double
    /// Count of samples beyond full scale; clipped where the output holds integers.
    package let beyondFullScale: Int
    /// Whether these samples were clipped.
    package let clipped: Bool
    /// Count of input samples that were replaced; see `Samples.cleanse`.
    package let nonFiniteSamples: Int
    /// Description of the upmix before the conversion; nil without one.
    package let upmix: String?
    /// Description of the mix of the sound field; nil without one.
    package let mix: String?
    /// Plugins and their latency, which is removed, in words; nil without any.
    package let plugins: String?
    /// The equalisation of headphones, a line each; empty without one.
    package let headphones: [String]
    /// Description of the fold-down, where chosen.
    package let fold: String?
    /// Treatment of the LFE channel; nil without one.
    package let lfe: String?
    /// Remarks about the files.
    package let remarks: [String]

    init(
        _ settings: ProcessSettings, _ programme: InputProgramme, _ upmixed: UpmixedProgramme?,
        _ inserted: InsertedProgramme?, _ equalised: HeadphonesInUse?, _ target: Layout,
        gain: Double, _ summary: MatrixConversion.Summary, clips: Bool, remarks: [String]
    ) {
        input = settings.input
        output = settings.output
        from = Self.name(programme.layout)
        to = Self.name(target)
        sampleRate = programme.reader.sampleRate.hertz
        frames = summary.frames
        self.gain = gain
        peak = summary.peak > 0 ? 20 * log10(Double(summary.peak)) : -200
        beyondFullScale = summary.beyondFullScale
        clipped = clips && summary.beyondFullScale > 0
        nonFiniteSamples = summary.nonFinite
        upmix = upmixed.map {
            "upmixed to \($0.layout.name), \(settings.upmix.law.rawValue), \(settings.upmix.latency.rawValue)"
        }
        mix = settings.stage.programmes.mixSummary
        plugins = inserted?.plugins.summary
        headphones = equalised?.lines ?? []
        fold = settings.fold.text
        // The upmix leaves its LFE silent.
        if !programme.layout.loudspeakers.contains(where: \.isLowFrequency) {
            lfe = nil
        } else if target.loudspeakers.contains(where: \.isLowFrequency) {
            lfe = "to LFE as it is (in band 10 dB below the others, BS.775)"
        } else if let lfeGain = settings.lfeGain {
            lfe = "mixed in at \(Decibels(lfeGain))"
        } else {
            lfe = "left out (BS.775); --lfe-gain mixes it in"
        }
        self.remarks = remarks
    }

    private static func name(_ layout: Layout) -> String {
        layout.name + (layout.ambisonics.map { " (\($0.convention.rawValue))" } ?? "")
    }

    /// The report in words.
    package var lines: [String] {
        var lines = [
            "\(from) to \(to)" + (upmix.map { ", \($0)" } ?? "") + (fold.map { ", \($0)" } ?? "")
                + (lfe.map { ", LFE \($0)" } ?? "")
        ]
        lines.append(
            String(
                format: "%@: %.1f s at %.0f Hz, gain %+.1f dB, peak %.1f dBFS%@", output, Double(frames) / sampleRate,
                sampleRate, gain, peak,
                clipped
                    ? ", CLIPPED: \(beyondFullScale) samples (use --fit, lower --gain or write floating point)"
                    : beyondFullScale > 0 ? ", \(beyondFullScale) samples beyond full scale" : ""))
        lines += [mix, plugins].compactMap(\.self) + headphones
        if nonFiniteSamples > 0 { lines.append(Samples.replacement(nonFiniteSamples)) }
        return lines + remarks
    }
}

/// Settings of `process`.
package struct ProcessSettings: Sendable {
    /// The programme: layout, angles, field convention, gain, plugins; and the headphones' equalisation, for stereo
    /// only. Other values are unused.
    package var stage: StageSettings
    /// The programme's path.
    package var input: String
    /// The output's path.
    package var output: String
    /// The layout to render to: a name or a path to a JSON file; nil: that of the programme, or of its upmix.
    package var target: String?
    /// Order and scale of a sound field's channels in the output; unused for loudspeakers.
    package var targetAmbisonics: AmbisonicFormat.Convention
    /// Format of the output.
    package var written: OutputChoice
    /// Channel order of the programme where the file does not define it; nil: by its metadata, otherwise as in WAVE.
    package var order: ChannelOrder?
    /// Gain of the LFE channel where the target has none, dB; nil: it is omitted.
    package var lfeGain: Double?
    /// Settings of the fold-down.
    package var fold: FoldSettings
    /// Whether the gain is lowered so that peaks do not exceed full scale.
    package var fits: Bool
    /// Upmix of stereo or mono to a stage before the conversion; none without a mode.
    package var upmix: UpmixChoices
    /// Folder for the stems of an Audio Mix; nil: no stems.
    package var stems: String?
    /// Section that is written.
    package var excerpt: Excerpt
    /// Reading of the programme, and the output's rate.
    package var reading = ReadingChoice()

    /// All choices.
    package init(
        stage: StageSettings, input: String, output: String, target: String?,
        targetAmbisonics: AmbisonicFormat.Convention = .sn3d, written: OutputChoice = OutputChoice(),
        order: ChannelOrder? = nil, lfeGain: Double? = nil, fold: FoldSettings = FoldSettings(), fits: Bool = false,
        upmix: UpmixChoices = UpmixChoices(), stems: String? = nil, excerpt: Excerpt = Excerpt()
    ) {
        self.stage = stage
        self.input = input
        self.output = output
        self.target = target
        self.targetAmbisonics = targetAmbisonics
        self.written = written
        self.order = order
        self.lfeGain = lfeGain
        self.fold = fold
        self.fits = fits
        self.upmix = upmix
        self.stems = stems
        self.excerpt = excerpt
    }
}

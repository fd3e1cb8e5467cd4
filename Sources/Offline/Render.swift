import AudioIO
import Foundation
import Metering
import MotionLogs
import Racks
import Rendering
import Signal
import Soundstage
import Stages

/// Report of `render`, for the user and for programs.
package struct RenderReport: Codable, Sendable {
    /// Paths of the programme and of the output.
    package let input: String, output: String
    /// Name of the layout in use.
    package let layout: String
    /// Order and scale of a sound field's channels; nil for loudspeakers.
    package let ambisonics: String?
    /// Name, path and licence of the HRTF set.
    package let hrtf: String, hrtfPath: String, hrtfLicence: String
    /// Report of the room, one fact a line; empty without a room.
    package let room: [String]
    /// Report of the headphones' equalisation, one fact a line; empty without one.
    package let headphones: [String]
    /// Processing steps of the HRTF set, one a line.
    let hrtfProcessing: [String]
    /// Description of the stereo upmix; nil without one.
    package let upmix: String?
    /// Description of the mix of the sound field; nil without one.
    package let mix: String?
    /// Plugins and their latency, in words; nil without any.
    package let plugins: String?
    /// Sample rate of input and output, Hz.
    package let sampleRate: Double
    /// Frames written.
    package let frames: Int
    /// Gain before the output limiter, trim included, dB.
    package let gain: Double
    /// Largest magnitude of a sample written, dBFS; −200 for silence.
    package let peak: Double
    /// Whether a sample beyond full scale reached the output limiter.
    package let clipped: Bool
    /// Count of input samples that were replaced; see `Samples.cleanse`.
    package let nonFiniteSamples: Int
    /// Remarks on the files, such as missing sound, or texts that the output cannot store.
    package let remarks: [String]
    /// Remarks about the motion log, one fact a line; empty without one.
    package var motion: [String]
    /// The programme's dynamics and level, and its direction, width and content if its metadata set them; one fact a
    /// line.
    package var levels: [String] = []
    /// Loudness of the programme as delivered.
    package var loudness = LoudnessReadings()
    /// Loudness of the two ears; informative only, see `LoudnessStatus`.
    package var earLoudness = LoudnessReadings()

    /// Creates a report; see the properties.
    package init(
        _ settings: RenderSettings, _ reader: SoundFileReader, _ stage: StageAssembly, _ summary: OfflineRender.Summary,
        _ recording: MotionRecording? = nil, remarks: [String] = []
    ) {
        self.remarks = remarks
        let telemetry = stage.renderer.telemetry()
        input = settings.input
        output = settings.output
        layout = stage.layout.name
        ambisonics = stage.layout.ambisonics?.convention.rawValue
        hrtf = stage.setName
        hrtfPath = stage.setPath
        hrtfLicence = stage.setLicence
        hrtfProcessing = stage.setProcessing
        room = stage.roomLines
        headphones =
            (stage.headphones?.lines(processing: stage.equalisation(of: settings.stage)) ?? [])
            + [stage.twoEqualisers].compactMap { $0.map { "  note: " + $0 } }
        upmix = stage.upmix
        mix = stage.mix
        plugins = stage.plugins.summary
        sampleRate = reader.sampleRate.hertz
        frames = summary.frames
        gain = settings.stage.choices.trim + settings.stage.gain
        peak = summary.peak > 0 ? 20 * log10(Double(summary.peak)) : -200
        clipped = (telemetry?.clippedPeriods ?? 0) > 0
        nonFiniteSamples = (telemetry?.refusedSamples ?? 0) + reader.convertedRefusals
        motion = recording?.remarks(settings, stage, sampleRate: reader.sampleRate) ?? []
        motion += stage.plugins.takeRefusals()
    }

    /// The report in words.
    package var lines: [String] {
        var lines = [
            "layout \(layout)\(ambisonics.map { " (\($0))" } ?? ""), HRTF \(hrtf) (\(hrtfPath)); licence: \(hrtfLicence)",
            "processing:" + (hrtfProcessing.isEmpty ? " none" : ""),
        ]
        lines += hrtfProcessing.map { "  \($0)" }
        lines += [upmix, mix, plugins].compactMap(\.self) + room + headphones
        lines += [
            String(
                format: "%@: %.1f s at %.0f Hz, trim and gain %+.1f dB, peak %.1f dBFS%@", output,
                Double(frames) / sampleRate, sampleRate, gain, peak,
                clipped ? ", CLIPPED before the output limiter (lower --gain)" : "")
        ]
        lines += levels
        lines.append("input: \(loudness.summary)")
        lines.append("ears: \(earLoudness.summary) (informative: BS.1770 already contains a model of the head)")
        lines += motion + remarks
        if nonFiniteSamples > 0 { lines.append(Samples.replacement(nonFiniteSamples)) }
        return lines
    }
}

/// Settings of `render`.
package struct RenderSettings: Sendable {
    /// Settings of the stage.
    package var stage: StageSettings
    /// The programme's path.
    package var input: String
    /// The binaural file's path.
    package var output: String
    /// Format of the binaural file.
    package var written: OutputChoice
    /// Channel order of the programme if the file does not define it; nil: by its metadata, otherwise as in WAVE.
    package var order: ChannelOrder?
    /// Orientation of the head if there is no log, degrees.
    package var yaw: Double, pitch: Double, roll: Double
    /// A pose log's path; nil without one.
    package var poses: String?
    /// A motion log's path; nil without one.
    package var motion: String?
    /// Frames per period; nil: as in the motion log, else 1024.
    package var block: Int?
    /// Whether the decay of the filters after the programme's end is rendered.
    package var tail: Bool
    /// Folder for the stems of an Audio Mix; nil: no stems.
    package var stems: String?
    /// Section that is written; without an end it includes the tail.
    package var excerpt: Excerpt
    /// How the programme's file is read, and the rate of the output.
    package var reading = ReadingChoice()
    /// Values of a saved session, applied before the first frame. They take precedence over the settings. A value that
    /// differs from the settings also takes precedence over the metadata of the programme.
    package var values: [ParameterChange] = []

    /// Sets the fields; `reading` and `values` have their defaults.
    package init(
        stage: StageSettings, input: String, output: String, written: OutputChoice = OutputChoice(),
        order: ChannelOrder? = nil, yaw: Double = 0, pitch: Double = 0,
        roll: Double = 0, poses: String? = nil, motion: String? = nil, block: Int? = nil, tail: Bool = true,
        stems: String? = nil, excerpt: Excerpt = Excerpt()
    ) {
        self.stage = stage
        self.input = input
        self.output = output
        self.written = written
        self.order = order
        self.yaw = yaw
        self.pitch = pitch
        self.roll = roll
        self.poses = poses
        self.motion = motion
        self.block = block
        self.tail = tail
        self.stems = stems
        self.excerpt = excerpt
    }
}

extension MotionRecording {
    /// Returns remarks on the log: its length, and each difference between the render and the logged session that
    /// changes the samples.
    fileprivate func remarks(_ settings: RenderSettings, _ stage: StageAssembly, sampleRate: SampleRate) -> [String] {
        let it = circumstances
        let plugins = stage.plugins.names
        var differences: [String] = []
        func compare(_ what: String, _ recorded: String, _ now: String) {
            if recorded != now { differences.append("\(what) \(now) instead of \(recorded)") }
        }
        compare("a rate of", "\(Int(it.sampleRate)) Hz", "\(Int(sampleRate.hertz)) Hz")
        compare("slice", "\(it.slice)", "\(settings.stage.slice)")
        compare("layout", it.layout, stage.layout.name)
        compare("HRTF set", it.hrtf, stage.setName)
        if let recorded = it.room { compare("room", recorded, stage.roomWord) }
        if let recorded = it.upmix { compare("upmix", recorded, stage.upmixWord) }
        if let recorded = it.headphones { compare("headphone equalisation", recorded, stage.headphonesWord) }
        // Periods that are multiples of the slice give the same samples, whatever their length.
        if let block = settings.block, block % it.slice != 0 || it.period % it.slice != 0 {
            compare("block", "\(it.period)", "\(block)")
        }
        var lines = [String(format: "motion: %d poses over %.1f s of a session", poses.count, duration)]
        let asked = changes.filter { $0.frame > 0 && !$0.isOfEqualiser }.count
        if asked > 0 {
            lines.append("motion: \(asked) changes of inputs, loudspeakers, room or headphones are played again")
        }
        let set = self.plugins.filter { $0.frame > 0 && plugins.contains($0.name) }.count
        if set > 0 { lines.append("motion: \(set) changes of plugins are played again, at the beginnings of blocks") }
        let names = Set(changes.compactMap { if case .input(let name, _) = $0.state { name } else { nil } })
        let others = names.subtracting(["main"]).sorted()
        if !others.isEmpty { differences.append("no input " + others.joined(separator: ", ")) }
        let absent = Set(self.plugins.map(\.name)).subtracting(plugins).sorted()
        if !absent.isEmpty { differences.append("no plugin " + absent.joined(separator: ", ")) }
        if changes.contains(where: \.isOfEqualiser) { differences.append("one headphone equalisation") }
        if renditionChanges { differences.append("one rendition") }
        if !differences.isEmpty {
            lines.append(
                "note: the same motion, not the same samples as live: " + differences.joined(separator: ", "))
        }
        return lines
    }

    /// Whether an input has another rendition than `auto` in the log; a file has only one rendition.
    private var renditionChanges: Bool {
        changes.contains { change in
            if case .input(_, let controls) = change.state { controls.renditions.choice != .auto } else { false }
        }
    }
}

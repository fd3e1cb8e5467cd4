import AudioIO
import Desk
import Loading
import Offline
import Session
import Signal
import Soundstage
import Stages

/// Settings of `preview`.
package struct PreviewSettings: Sendable {
    /// Settings of the rendering session: sound, trackers, JACK. A layout in these settings applies to all files.
    /// Without one, each file has its own.
    package var live: LiveSettings
    /// Paths of the files, in order; at least one.
    package var files: [String]
    /// Channel order of a file that does not declare it.
    package var order: ChannelOrder?
    /// Whether the list repeats.
    package var loops: Bool
    /// Start position in the first file, in seconds.
    package var from: Double
    /// Whether playback starts paused.
    package var startsPaused = false

    /// Makes settings. Playback does not start paused.
    package init(
        live: LiveSettings, files: [String], order: ChannelOrder? = nil, loops: Bool = false, from: Double = 0
    ) {
        self.live = live
        self.files = files
        self.order = order
        self.loops = loops
        self.from = from
    }
}

/// Status of a preview, for the status line and for programs.
package struct PreviewStatus: Codable, Sendable {
    /// Path of the playing file, its number in the list from 1, and the number of files.
    package var file: String, number: Int, count: Int
    /// Position in the file, and its duration, in seconds.
    package var seconds: Double, duration: Double
    /// Whether the user has paused the file, and whether the list repeats.
    package var isPaused: Bool, loops: Bool
    /// Gain of the player in dB.
    package var gain: Double
    /// Number of late reads, and number of frames of silence that these caused.
    package var underruns: Int, missedFrames: Int
    /// Number of samples that were not finite and were replaced by 0.
    package var nonFiniteSamples: Int
    /// Status of the rendering session.
    package var session: SessionStatus
}

/// The files of a preview, grouped into *acts* of successive files that need the same stage (`Sound`). An act plays
/// without a gap, and each act has a stage of its own.
struct PreviewList {
    /// Successive files whose properties `Sound` are equal.
    struct Act {
        /// Layout, in the order of the channels played.
        var layout: Layout
        /// Metadata of the act's first file, and the path of the metadata file; nil without metadata.
        var metadata: (known: ProgrammeMetadata, source: String)?
        /// Indices in `entries`.
        var files: Range<Int>
    }

    /// Properties of a file that determine its stage.
    private struct Sound: Equatable {
        let layout: Layout
        var plan: DynamicsPlan
        /// All metadata except those that `layout` and `plan` already contain, and those of the file itself.
        var metadata: ProgrammeMetadata

        init(layout: Layout, plan: DynamicsPlan, metadata: ProgrammeMetadata?) {
            self.layout = layout
            self.plan = plan
            // The source of the loudness makes no difference, nor the loudness itself without an active plan.
            self.plan.referenceSource = nil
            if !plan.isActive { self.plan.reference = nil }
            self.metadata = metadata ?? ProgrammeMetadata()
            (self.metadata.layout, self.metadata.order) = (nil, nil)
            (self.metadata.loudness, self.metadata.dialnorm, self.metadata.drc) = (nil, nil, nil)
            (self.metadata.loudnessRange, self.metadata.truePeak, self.metadata.sound) = (nil, nil, nil)
        }
    }

    let entries: [PlaylistEntry]
    let acts: [Act]
    /// Remarks about the files, a line each.
    let remarks: [String]

    /// Checks every file.
    ///
    /// - Throws: `SessionError` for the first file that cannot be played.
    init(_ settings: PreviewSettings) throws(SessionError) {
        var entries: [PlaylistEntry] = []
        var acts: [Act] = []
        var remarks: [String] = []
        var last: Sound?
        for (index, path) in settings.files.enumerated() {
            let programme = try InputProgramme(path, settings.live.stage, order: settings.order)
            if index == 0 { try Self.check(settings.from, within: programme.reader) }
            remarks += programme.remarks
            entries.append(PlaylistEntry(path, channels: programme.channels, shaping: programme.reader.shaping))
            let metadata = programme.metadata.map { ($0, ProgrammeMetadata.path(besideFile: path)) }
            let plan = try DynamicsPlan(
                settings.live.stage.programmes.dynamics, metadata: programme.metadata, from: metadata?.1 ?? "")
            let sound = Self.Sound(layout: programme.layout, plan: plan, metadata: programme.metadata)
            if last == sound {
                acts[acts.count - 1].files = acts[acts.count - 1].files.lowerBound..<(index + 1)
            } else {
                acts.append(Act(layout: programme.layout, metadata: metadata, files: index..<(index + 1)))
            }
            last = sound
        }
        self.entries = entries
        self.acts = acts
        self.remarks = remarks
    }

    /// Throws if playback would start at or after the file's end.
    private static func check(_ seconds: Double, within reader: SoundFileReader) throws(SessionError) {
        let length = reader.sampleRate.seconds(frames: reader.frameCount)
        guard seconds < length else {
            throw SessionError(SoundFileError.endsBefore(path: reader.path, asked: seconds, seconds: length))
        }
    }

    /// Returns whether an act plays without the requested upmix. This is so if the act is neither mono nor stereo, but
    /// another act is. If no act is mono or stereo, this returns false, and the stage is refused with an error.
    func sparesUpmix(_ act: Int, _ upmix: UpmixChoices) -> Bool {
        func isPlain(_ act: Act) -> Bool { act.layout.ambisonics == nil && act.layout.channelCount <= 2 }
        return upmix.mode != nil && !isPlain(acts[act]) && acts.contains(where: isPlain)
    }

    /// Returns the index of a file's act.
    func act(of file: Int) -> Int { acts.firstIndex { $0.files.contains(file) } ?? 0 }
}

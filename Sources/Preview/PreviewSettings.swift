import AudioIO
import Desk
import Loading
import Offline
import Session
import Signal
import Soundstage
import Stages

/// What `preview` was asked to do.
package struct PreviewSettings: Sendable {
    /// The session that renders: sound, trackers, JACK. Its layout names what the files are; nil: what they say.
    package var live: LiveSettings
    /// The files, in order; at least one.
    package var files: [String]
    /// How a file's channels are ordered where it does not say.
    package var order: ChannelOrder?
    /// Whether the list begins again when it ends.
    package var loops: Bool
    /// Seconds into the first file at which it begins.
    package var from: Double
    /// Whether it is paused at first.
    package var startsPaused = false

    /// All choices.
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

/// What plays, for the status line and for programs.
package struct PreviewStatus: Codable, Sendable {
    /// Path of the file that plays; its place in the list, from 1; how many there are.
    package var file: String, number: Int, count: Int
    /// Seconds into the file, and its length.
    package var seconds: Double, duration: Double
    /// Whether the user paused it, and whether the list begins again.
    package var isPaused: Bool, loops: Bool
    /// The player's gain, dB.
    package var gain: Double
    /// Times the file could not be read in time, and the frames of silence that made.
    package var underruns: Int, missedFrames: Int
    /// Samples that were not finite and were silenced.
    package var nonFiniteSamples: Int
    /// The session that renders.
    package var session: SessionStatus
}

/// The files of a preview, those side by side with one layout, and about which the same is known, in one *act*: an act
/// is played without a gap, between acts the stage is built anew.
struct PreviewList {
    /// Files that follow each other with one layout, loudness, compression, place and width.
    struct Act {
        /// In the order of the channels played.
        var layout: Layout
        /// What is known of them beside their samples, but for their own measures, and the file that says so; nil:
        /// nothing.
        var metadata: (known: ProgrammeMetadata, source: String)?
        /// Places in `entries`.
        var files: Range<Int>
    }

    /// All that the stage is to know of a file before it plays.
    private struct Sound: Equatable {
        let layout: Layout
        var plan: DynamicsPlan
        let content: ProgrammeContent?
        let place: ProgrammeMetadata.Place?
        let width: Double?
        let encoding: ProgrammeMetadata.Encoding?

        init(layout: Layout, plan: DynamicsPlan, metadata: ProgrammeMetadata?) {
            self.layout = layout
            self.plan = plan
            // Who said so makes no difference; nor how loud it is where nothing is done.
            self.plan.referenceSource = nil
            if !plan.isActive { self.plan.reference = nil }
            (content, place, width) = (metadata?.content, metadata?.place, metadata?.width)
            encoding = metadata?.encoding
        }
    }

    let entries: [PlaylistEntry]
    let acts: [Act]
    /// Remarks about the files, a line each.
    let remarks: [String]

    /// Looks into every file.
    ///
    /// - Throws: `SessionError` for the first that cannot be played.
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

    /// Throws where playing is to begin behind a file's end.
    private static func check(_ seconds: Double, within reader: SoundFileReader) throws(SessionError) {
        let length = reader.sampleRate.seconds(frames: reader.frameCount)
        guard seconds < length else {
            throw SessionError(SoundFileError.endsBefore(path: reader.path, asked: seconds, seconds: length))
        }
    }

    /// The act that a file is in.
    func act(of file: Int) -> Int { acts.firstIndex { $0.files.contains(file) } ?? 0 }
}

import AudioIO
import Signal
import Soundstage

/// The files of a preview, those side by side with one layout, and about which the same is known, in one *act*: an act is
/// played without a gap, between acts the stage is built anew.
struct PreviewList {
    /// Files that follow each other with one layout, loudness, compression, place and width.
    struct Act {
        /// In the order of the files' channels.
        var layout: Layout
        /// What is known of them beside their samples, but for their own measures, and the file that says so; nil: nothing.
        var metadata: (known: ProgrammeMetadata, source: String)?
        /// Places in `files`.
        var files: Range<Int>
    }

    /// All that the stage is to know of a file before it plays.
    private struct Sound: Equatable {
        let layout: Layout
        var plan: DynamicsPlan
        let content: ProgrammeContent?
        let place: ProgrammeMetadata.Place?
        let width: Double?

        init(layout: Layout, plan: DynamicsPlan, metadata: ProgrammeMetadata?) {
            self.layout = layout
            self.plan = plan
            // Who said so makes no difference; nor how loud it is where nothing is done.
            self.plan.referenceSource = nil
            if !plan.isActive { self.plan.reference = nil }
            (content, place, width) = (metadata?.content, metadata?.place, metadata?.width)
        }
    }

    let files: [String]
    let acts: [Act]
    /// What there is to say of the files, a line each.
    let remarks: [String]

    /// Looks into every file.
    ///
    /// - Throws: `SessionError` for the first that cannot be played.
    init(_ settings: PreviewSettings) throws(SessionError) {
        var acts: [Act] = []
        var remarks: [String] = []
        var last: Sound?
        for (index, path) in settings.files.enumerated() {
            let programme = try InputProgramme(path, settings.live.stage, order: settings.order)
            if index == 0 { try Self.check(settings.from, within: programme.reader) }
            remarks += programme.remarks
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
        files = settings.files
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

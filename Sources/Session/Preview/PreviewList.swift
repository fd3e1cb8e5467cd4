import AudioIO
import Soundstage

/// The files of a preview, those side by side with one layout in one *act*: an act is played without a gap, between acts
/// the stage is built anew.
struct PreviewList {
    /// Files that follow each other with one layout.
    struct Act {
        /// In the order of the files' channels.
        var layout: Layout
        /// Places in `files`.
        var files: Range<Int>
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
        for (index, path) in settings.files.enumerated() {
            let programme = try InputProgramme(path, settings.live.stage, order: settings.order)
            remarks += programme.remarks
            if acts.last?.layout == programme.layout {
                acts[acts.count - 1].files = acts[acts.count - 1].files.lowerBound..<(index + 1)
            } else {
                acts.append(Act(layout: programme.layout, files: index..<(index + 1)))
            }
        }
        files = settings.files
        self.acts = acts
        self.remarks = remarks
    }

    /// The act that a file is in.
    func act(of file: Int) -> Int { acts.firstIndex { $0.files.contains(file) } ?? 0 }
}

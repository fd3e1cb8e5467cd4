import Glibc
import Takes

/// Markers of a recording in progress. A text file beside the recording has a line for each marker, so the markers
/// survive a crash.
///
/// The text is an Audacity label track: start and end in seconds, and the name, separated by tabs. Until the text is
/// complete, its name ends in `.part`, like that of the recording: `ears.wav.markers.txt.part`. If the recording's
/// format can hold markers, the text is removed when they are in the recording. Otherwise the text stays, as
/// `ears.flac.markers.txt`. May be used by one thread at a time.
package struct MarkerLabels {
    /// Returns the path of a recording's marker file.
    package static func path(of recording: String) -> String { recording + ".markers.txt" }

    private let recording: String
    private let rate: Double
    private let replaces: Bool
    /// Markers so far, in the order in which they were set.
    package private(set) var markers: [SoundFileMarker] = []
    private var text: TextTake?

    /// Makes an empty list of markers for a recording at a sample rate, Hz.
    ///
    /// - Parameter replaces: Whether the text of a former recording of that name is replaced, or removed if this
    ///   recording gets no text.
    package init(of recording: String, rate: Double, replaces: Bool = false) {
        (self.recording, self.rate, self.replaces) = (recording, rate, replaces)
    }

    /// Adds a marker.
    ///
    /// - Throws: The errors of `TextTake`. The marker is then not added.
    package mutating func add(_ marker: SoundFileMarker) throws(TakeError) {
        let line = line(of: marker)
        if let text {
            try text.append(line)
        } else {
            text = try TextTake(path: Self.path(of: recording), beginning: line, replaces: replaces)
        }
        markers.append(marker)
    }

    /// Descriptor for synchronising the text to the disk; nil without a text. The caller closes it.
    package var descriptorForDisk: Int32? { text?.descriptorForDisk }

    /// Completes the text when the recording ends. Removes the text if the recording's file contains the markers
    /// (`kept`), or if there is no such file. `path` is the path of the recording's file; nil if there is no such file.
    package mutating func settle(kept: Bool, path: String?) throws(TakeError) {
        let former = text
        text = nil
        guard let former, let path, !kept else {
            former?.discard()
            if path == recording { removeFormer() }
            return
        }
        guard path != recording else {
            try former.finish()
            return
        }
        // The recording was renamed. Its markers are written to a new text that has the new name.
        former.discard()
        let lines = markers.map(line(of:)).joined()
        try TextTake(path: Self.path(of: path), beginning: lines).finish()
    }

    /// Removes the text of a former recording that this recording has replaced.
    private func removeFormer() {
        let text = Self.path(of: recording)
        if replaces, OutputPlace(text).occupant == .file { unlink(text) }
    }

    /// Keeps the text for recovery, together with a recording that could not be completed.
    package mutating func leave() {
        text?.leave()
        text = nil
    }

    private func line(of marker: SoundFileMarker) -> String {
        let microseconds = Int((Double(marker.frame) / rate * 1e6).rounded())
        let decimals = String(1_000_000 + microseconds % 1_000_000).dropFirst()
        let seconds = "\(microseconds / 1_000_000).\(decimals)"
        return "\(seconds)\t\(seconds)\t\(marker.name)\n"
    }
}

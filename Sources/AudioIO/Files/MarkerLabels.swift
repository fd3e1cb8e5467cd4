import Takes

/// The markers of a recording while it grows: beside it as text, a line each, so that they are there whatever becomes
/// of the program.
///
/// The text is a label track as Audacity has it: begin and end in seconds, and the name, with tabs between. It is a
/// take of its own, `ears.wav.markers.txt.part`. Where the recording's format has a place for markers it is removed
/// when they are in it, else it stays as `ears.flac.markers.txt`. One thread at a time.
package struct MarkerLabels {
    /// Where the markers of a recording are.
    package static func path(of recording: String) -> String { recording + ".markers.txt" }

    private let recording: String
    private let rate: Double
    /// Set so far, in the order in which they were.
    package private(set) var markers: [SoundFileMarker] = []
    private var text: TextTake?

    /// No markers yet, of a recording at a rate in Hz.
    package init(of recording: String, rate: Double) { (self.recording, self.rate) = (recording, rate) }

    /// Adds a marker.
    ///
    /// - Throws: as `TextTake`; there is no such marker then.
    package mutating func add(_ marker: SoundFileMarker) throws(TakeError) {
        let line = line(of: marker)
        if let text {
            try text.append(line)
        } else {
            text = try TextTake(path: Self.path(of: recording), beginning: line)
        }
        markers.append(marker)
    }

    /// A descriptor for bringing the text to the disk, to be closed by the caller; nil where there is none.
    package var descriptorForDisk: Int32? { text?.descriptorForDisk }

    /// The recording is over: `kept` in the file `path`; nil: there is no such file.
    package mutating func settle(kept: Bool, path: String?) throws(TakeError) {
        let former = text
        text = nil
        guard let former, let path, !kept else {
            former?.discard()
            return
        }
        guard path != recording else {
            try former.finish()
            return
        }
        // The recording has got another name, and so have its markers.
        former.discard()
        let lines = markers.map(line(of:)).joined()
        try TextTake(path: Self.path(of: path), beginning: lines).finish()
    }

    /// The recording could not be completed, and stays to be recovered: so does the text.
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

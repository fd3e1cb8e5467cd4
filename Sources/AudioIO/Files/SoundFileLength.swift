import Signal

/// Number of frames of a sound file at its own sample rate, and how far the header agrees with it.
package struct SoundFileLength: Sendable {
    /// Number of frames in the file.
    let frameCount: Int
    /// Sample rate of the file.
    let sampleRate: SampleRate
    /// Number of frames that libsndfile does not find, of those that the header declares, or of those in the file if
    /// `isUnended`. It is 0 if all are found, or if their number is unknown (`PromisedLength`).
    package let missingFrames: Int
    /// Whether the header declares no length, as after a recording that was cut off. The file is then read as far as
    /// libsndfile can, in general to its end.
    package let isUnended: Bool
    /// Number of bytes at the end of a file without a header that do not fill a frame; 0 with a header.
    private let oddBytes: Int

    /// Compares the file's length with the header.
    ///
    /// - Parameters:
    ///   - frameCount: Number of frames that libsndfile found.
    ///   - chunks: Chunks of the container; nil without a header, or if the container is none of `SoundContainer`.
    ///   - raw: Description of a file without a header; nil for a file with a header.
    ///   - fileSize: Size of the file, bytes.
    init(
        frameCount: Int, sampleRate: SampleRate, chunks: FileChunks?, raw: RawSound?, fileSize: Int, descriptor: Int32
    ) {
        (self.frameCount, self.sampleRate) = (frameCount, sampleRate)
        let promised = chunks.flatMap { PromisedLength.frames($0, descriptor: descriptor) } ?? 0
        missingFrames = max(0, promised - frameCount)
        isUnended = chunks?.isUnended ?? false
        let frameBytes = raw.map { $0.channels * $0.encoding.byteCount } ?? 1
        oddBytes = fileSize % frameBytes
    }

    /// Returns a remark on the length of the file at `path`, one line. Nil if the header and the file agree.
    func remark(of path: String) -> String? {
        if oddBytes > 0 {
            return "\(path): the last \(oddBytes) bytes do not fill a frame and are ignored; check --input-channels "
                + "and --input-bits"
        }
        if isUnended {
            return
                "\(path): the header declares no length, as after an interrupted recording or a pipe; "
                + "\(missingFrames > 0 ? "the first 4 GB are read" : "the file is read to its end"), "
                + "\(Self.text(sampleRate.seconds(frames: frameCount))) s"
        }
        guard missingFrames > 0 else { return nil }
        let missing = Self.text(sampleRate.seconds(frames: missingFrames))
        let whole = Self.text(sampleRate.seconds(frames: missingFrames + frameCount))
        return "\(path) is cut off: \(missing) s of the \(whole) s that its header promises are missing"
    }

    /// Returns seconds with three decimals.
    private static func text(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        let fraction = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}

import AudioIO
import Gate
import Loading
import Signal

/// Section of a programme by its times: where the output begins and ends.
///
/// The whole programme is processed up to the section's end, so the section has the same samples as a whole output that
/// is cut afterwards.
package struct Excerpt: Sendable, Hashable {
    /// Beginning, seconds from the programme's first frame; nil: its first frame.
    package var from: Double?
    /// End, seconds from the programme's first frame; nil: by `duration`, else the end of the output.
    package var until: Double?
    /// Length, seconds; excludes `until`.
    package var duration: Double?

    /// Creates a section; the default is the whole.
    package init(from: Double? = nil, until: Double? = nil, duration: Double? = nil) {
        (self.from, self.until, self.duration) = (from, until, duration)
    }

    /// Whether the section is the whole programme.
    package var isWhole: Bool { self == Excerpt() }

    /// Returns the frames of the section, without the tail of a render. Both times are rounded to the nearest frame.
    ///
    /// - Throws: an input error if the file ends before the section does; a usage error for an empty section.
    func frames(of reader: SoundFileReader) throws(SessionError) -> Range<Int> {
        let (length, rate) = (reader.frameCount, reader.sampleRate)
        let whole = Self.text(rate.seconds(frames: length))
        func frame(_ seconds: Double, _ option: String, _ place: String? = nil) throws(SessionError) -> Int {
            guard let frame = Int(seconds * rate.hertz, within: 0...length) else {
                throw SessionError(
                    .input, "\(place ?? option) lies at \(Self.text(seconds)) s, and \(reader.path) is \(whole) s long",
                    remedy: Remedy(option, nil))
            }
            return frame
        }
        let begin = try from.map { (seconds) throws(SessionError) in try frame(seconds, "--from") } ?? 0
        guard from == nil || begin < length else {
            throw SessionError(
                .input, "--from \(Self.text(from ?? 0)) is the end of \(reader.path), \(whole) s: begin earlier",
                remedy: Remedy("--from", nil))
        }
        let end: Int
        if let until {
            end = try frame(until, "--until")
        } else if let duration {
            end = try frame((from ?? 0) + duration, "--duration", "the end of --duration")
        } else {
            end = length
        }
        guard begin < end else {
            throw SessionError(.usage, "the section is shorter than a frame (\(rate)): give it a later end")
        }
        return begin..<end
    }

    /// Returns seconds to the millisecond.
    private static func text(_ seconds: Double) -> String {
        "\(abs(seconds) < 1e9 ? (seconds * 1000).rounded() / 1000 : seconds)"
    }
}

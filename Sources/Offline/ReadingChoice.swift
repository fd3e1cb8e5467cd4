import AudioIO
import Loading
import Signal

/// Choices for reading a programme's file.
package struct ReadingChoice: Sendable, Hashable {
    /// Description of a file without a header; nil for files with one.
    package var raw: RawSound?
    /// Rate of the output. The file is converted to it before all processing except stabilisation. Nil: the file's
    /// rate.
    package var rate: SampleRate?

    /// Creates choices; by default a file is read unchanged.
    package init(raw: RawSound? = nil, rate: SampleRate? = nil) { (self.raw, self.rate) = (raw, rate) }

    /// Opens a file, at its own rate.
    func open(_ path: String) throws(SessionError) -> SoundFileReader {
        do throws(SoundFileError) { return try SoundFileReader(path: path, raw: raw) } catch {
            throw SessionError(error)
        }
    }

    /// Converts a reader to the chosen rate.
    func convert(_ reader: SoundFileReader) throws(SessionError) {
        guard let rate else { return }
        do throws(SoundFileError) { try reader.convert(to: rate) } catch { throw SessionError(error) }
    }
}

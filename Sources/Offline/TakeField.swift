import AudioIO
import Loading
import Signal
import Soundstage

/// A sound file opened as a sound field: by its definitions (ADM), by a B-format header, or by its channel count as
/// AmbiX. Loudspeakers in a channel mask are ignored, because writers set the mask by the channel count.
package struct TakeField {
    /// Reader of the field's channels.
    package let reader: SoundFileReader
    /// Order and convention of the field.
    package let format: AmbisonicFormat
    /// Remarks on the file, a line each.
    package let remarks: [String]

    /// Opens a file.
    ///
    /// - Throws: errors of `SoundFileReader`; an input error if the file is not a sound field.
    package init(_ path: String) throws(SessionError) {
        let whole: SoundFileReader
        do throws(SoundFileError) { whole = try SoundFileReader(path: path) } catch { throw SessionError(error) }
        var remarks = [whole.lengthRemark].compactMap(\.self)
        if let found = try ProgrammeChannels(definedBy: whole) {
            guard let format = found.layout.ambisonics else {
                throw SessionError(.input, "\(path) is \(found.layout.name) by its ADM definitions and no sound field")
            }
            self.format = format
            reader = try found.reader(of: whole)
            remarks += found.remarks
        } else if whole.header.isBFormat {
            format = try ProgrammeChannels.bFormat(whole)
            reader = whole
        } else {
            let order = Int(Double(whole.channelCount).squareRoot()) - 1
            guard let format = try? AmbisonicFormat(order: order), format.channelCount == whole.channelCount else {
                throw SessionError(
                    .input,
                    "\(path) has \(whole.channelCount) channels and is no sound field, which has 4, 9, 16, 25, 36, 49 or 64"
                )
            }
            self.format = format
            reader = whole
        }
        self.remarks = remarks
    }
}

import AudioIO
import Foundation
import Headphones
import SOFA
import Signal

/// Reads a headphone equalisation from any supported file.
package enum HeadphoneLoading {
    /// Reads a text of Equalizer APO or AutoEq, a sound file as impulse response, or measured headphone responses
    /// (SOFA, SimpleHeadphoneIR), which are inverted. Must not be called on the audio thread. Takes some milliseconds,
    /// with long responses some tenths of a second.
    ///
    /// - Throws: an error that states the fault of the file; for a fault in a line of a text, with the line's number.
    package static func equaliser(
        at path: String, by reader: any SOFAReader = InProcessReader()
    ) throws(SessionError) -> HeadphoneEqualiser {
        do throws(HeadphonesError) { return try read(path, by: reader) } catch { throw SessionError(error) }
    }

    private static func read(_ path: String, by reader: any SOFAReader) throws(HeadphonesError) -> HeadphoneEqualiser {
        let name = (path as NSString).lastPathComponent
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw .unreadable(path, isFolder.boolValue ? "is a folder; name a file in it" : "there is no such file")
        }
        guard let file = FileHandle(forReadingAtPath: path) else { throw .unreadable(path, "cannot be read") }
        defer { try? file.close() }
        let start = [UInt8]((try? file.read(upToCount: 12)) ?? Data())
        if start.starts(with: [0x89, 0x48, 0x44, 0x46]) { return try inverse(of: path, name: name, by: reader) }
        if SoundFileFormat.isNamed(path) || start.starts(with: Array("RIFF".utf8)) {
            return HeadphoneEqualiser(try impulse(at: path), name: name)
        }
        let rest = (try? file.read(upToCount: EqualiserText.mostBytes + 1)) ?? Data()
        let bytes = Data(start) + rest
        guard bytes.count <= EqualiserText.mostBytes, let text = EqualiserText.decoded(bytes) else {
            throw .notAnEqualiser(path, "is no text of an equaliser and no sound file")
        }
        return try HeadphoneEqualiser(try EqualiserText(text, name: path), name: name) {
            response throws(HeadphonesError) in
            let place = EqualiserResponses.place(of: response.path, in: path)
            do throws(HeadphonesError) { return try impulse(at: place) } catch {
                throw .line(response.line, of: path, error.description)
            }
        }
    }

    /// Returns the inverse filter of measured headphones.
    private static func inverse(
        of path: String, name: String, by reader: any SOFAReader
    ) throws(HeadphonesError) -> HeadphoneEqualiser {
        let responses: HeadphoneResponses
        do throws(SOFAError) { responses = try reader.headphones(at: path) } catch {
            throw .notAnEqualiser(path, error.description.replacing("\(path): ", with: ""))
        }
        return try HeadphoneInverse.equaliser(responses, name: name)
    }

    /// Reads a sound file's samples as a filter.
    private static func impulse(at path: String) throws(HeadphonesError) -> HeadphoneImpulse {
        let rows: [[Float]]
        let reader: SoundFileReader
        do throws(SoundFileError) { reader = try SoundFileReader(path: path) } catch {
            throw .unreadable(path, error.description)
        }
        guard reader.channelCount <= 2, reader.frameCount <= HeadphoneImpulse.mostSamples else {
            throw .implausible(
                path,
                "has \(reader.channelCount) channels of \(reader.frameCount) samples; expected one or two of up to "
                    + "\(HeadphoneImpulse.mostSamples)")
        }
        let block = PlanarBlock(channels: reader.channelCount, frames: reader.frameCount)
        do throws(SoundFileError) {
            let count = try reader.read(into: block, frames: reader.frameCount)
            rows = (0..<reader.channelCount).map { Array(UnsafeBufferPointer(start: block[$0], count: count)) }
        } catch {
            throw .unreadable(path, error.description)
        }
        var impulse = try HeadphoneImpulse(rows, sampleRate: reader.sampleRate.hertz, name: path)
        if let remark = reader.lengthRemark { impulse.remarks.insert(remark, at: 0) }
        return impulse
    }
}

extension SessionError {
    /// Converts an error of a headphone equalisation to an input error.
    package init(_ error: HeadphonesError) { self.init(.input, error.description) }
}

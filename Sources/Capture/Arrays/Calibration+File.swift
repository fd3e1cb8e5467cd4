import AudioIO
import Foundation
import Gate
import Geometry
import Signal
import Soundstage

/// Calibrations as files: a JSON file that names the sound file of each measured direction.
///
/// ```json
/// {
///     "responses": [
///         { "azimuth": 0, "elevation": 0, "file": "000.wav" },
///         { "azimuth": 30, "elevation": 0, "file": "030.wav" }
///     ]
/// }
/// ```
/// Azimuth is positive to the left. Both angles are in degrees and in device axes. A missing elevation is 0. Each file
/// contains the impulse response of every capsule, one channel per capsule in the array's order. All must be measured
/// with the same loudspeaker at the same distance. File paths are relative to the folder of the JSON file. Unknown keys
/// of a direction are errors.
extension Calibration {
    /// Greatest number of directions of a calibration, and greatest number of samples that are read from a response.
    private static let (mostDirections, mostSamples) = (4096, 65_536)

    /// Reads a calibration from a JSON file and the sound files that it names.
    ///
    /// - Throws: `unreadable`, `notJSON`, `invalid`, `calibrationDoesNotFit`.
    package init(at path: String) throws(CaptureError) {
        let value: JSONValue
        do throws(JSONFile.Refusal) { value = try JSONFile.value(at: path, within: .written) } catch {
            throw CaptureError(error, in: path)
        }
        guard case .list(let list) = value["responses"], (1...Self.mostDirections).contains(list.count) else {
            throw .invalid(
                source: path, key: "responses",
                reason: "must be a list of 1 to \(Self.mostDirections) measured directions")
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        var measurements: [Measurement] = []
        var rate: SampleRate?
        for (place, entry) in list.enumerated() {
            let key = "responses[\(place)]"
            let fields: JSONFields
            do throws(JSONFile.Refusal) {
                fields = try JSONFields(entry, at: key, known: ["azimuth", "elevation", "file"])
            } catch {
                throw CaptureError(error, in: path)
            }
            guard let azimuth = fields["azimuth"]?.number, let file = fields["file"]?.text,
                let elevation = fields["elevation"].map({ $0.number }) ?? 0, abs(azimuth) <= 360, abs(elevation) <= 90
            else { throw .invalid(source: path, key: key, reason: "must have azimuth, elevation (degrees) and file") }
            let (responses, own) = try Self.responses(file.hasPrefix("/") ? file : folder + file)
            guard rate ?? own == own else {
                throw .calibrationDoesNotFit(
                    source: path, reason: "\(file) has another sample rate than the files before")
            }
            rate = own
            measurements.append(
                Measurement(
                    direction: Direction(azimuthDegrees: azimuth, elevationDegrees: elevation), responses: responses))
        }
        self.init(measurements: measurements, sampleRate: rate ?? .studio, source: path)
    }

    private static func responses(_ path: String) throws(CaptureError) -> ([[Double]], SampleRate) {
        do throws(SoundFileError) {
            let reader = try SoundFileReader(path: path)
            let count = min(reader.frameCount, mostSamples)
            let block = PlanarBlock(channels: reader.channelCount, frames: count)
            let got = try reader.read(into: block, frames: count)
            let rows = (0..<reader.channelCount).map { channel in (0..<got).map { Double(block[channel][$0]) } }
            return (rows, reader.sampleRate)
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
    }
}

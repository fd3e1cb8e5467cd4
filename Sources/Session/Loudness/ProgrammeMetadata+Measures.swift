import Foundation
import Metering
import Soundstage

extension ProgrammeMetadata {
    /// Takes over what a meter showed, in hundredths, after a gain in dB.
    mutating func measured(_ readings: LoudnessReadings, gain: Double = 0) {
        func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        loudness = readings.integrated.map { hundredths($0 + gain) }
        loudnessRange = readings.range.map { hundredths($0) }
        truePeak = readings.truePeak.map { hundredths($0 + gain) }
    }

    /// Writes it beside a sound file, whole or not at all; the path of what was written.
    func save(beside file: String) throws(SessionError) -> String {
        let path = Self.path(besideFile: file)
        do { try Data(json).write(to: URL(filePath: path), options: .atomic) } catch {
            throw SessionError(.environment, "cannot write \(path): \(error.localizedDescription)")
        }
        return path
    }
}

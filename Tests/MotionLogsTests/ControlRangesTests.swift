import Foundation
import Gate
import Takes
import Testing

@testable import MotionLogs

/// Ranges of the numbers in the controls of an input.
@Suite struct ControlRangesTests {
    /// Returns the value with one of its numbers replaced by a great one, for each number, by the number's path.
    private static func excesses(_ value: JSONValue, at path: String = "") -> [String: JSONValue] {
        switch value {
        case .number, .whole: return [path: .number(1e9)]
        case .object(let members):
            var found: [String: JSONValue] = [:]
            for (key, member) in members {
                for (place, excess) in excesses(member, at: path.isEmpty ? key : path + "." + key) {
                    var changed = members
                    changed[key] = excess
                    found[place] = .object(changed)
                }
            }
            return found
        case .null, .truth, .text, .list: return [:]
        }
    }

    @Test func `Each number of the controls has a range`() throws {
        let header = #"{"motion":{"version":1,"sampleRate":48000,"slice":64,"period":256}}"#
        var accepted: Set<String> = []
        for (path, controls) in Self.excesses(try JSONValue(encoding: RecordedControls.neutral)) {
            let line = "{\"input\":{\"name\":\"main\",\"frame\":0,\"controls\":\(controls.jsonLine)}}"
            let text = header + "\n" + line + "\n" + #"{"pose":[0,1,0,0,0]}"#
            do throws(MotionRecordingError) {
                _ = try MotionRecording(ndjson: Data(text.utf8))
                accepted.insert(path)
            } catch {
                #expect(error.description.hasPrefix("line 2: "), "\(path): \(error)")
            }
        }
        // A heading is any angle, and a serial number is not read.
        #expect(accepted == ["mix.cameraHeading", "mix.view.heading", "serial"])
    }
}

import AbsentPlaces
import AudioMix
import Foundation
import MotionLogs
import Testing

/// Files with a camera's direction over time.
@Suite struct CameraPathFileTests {
    @Test func rowsOfSecondsAndDegreesAreRead() throws {
        let path = try CameraPath("# a take\nseconds, degrees\n\n0, 10\r\n2,-20.5\n", source: "camera.csv")
        #expect(path.keys.count == 2)
        #expect(abs(path.view(at: 1).heading * 180 / .pi + 5.25) < 1e-4)
        let wide = try CameraPath("0,0,60\n1,0,90", source: "camera.csv")
        #expect(wide.view(at: 1).field.map { abs($0 - .pi / 2) < 1e-6 } == true)
    }

    /// A device that turns from 70° to 160°; its file is cut off within the last line.
    @Test func aTakesOrientationIsReadFromItsFirstHeading() throws {
        let rows = [70.0, 115, 160].enumerated().map { "\($0),\(cos($1 * .pi / 360)),0,0,\(sin($1 * .pi / 360))\n" }
        let path = try CameraPath("t,w,x,y,z\n" + rows.joined() + "3,0.7", source: "take.wav.orientation.csv")
        #expect(path.keys.count == 3)
        for (seconds, degrees) in [(0.0, Float(0)), (1, 45), (1.5, 67.5), (2, 90)] {
            #expect(abs(path.view(at: seconds).heading * 180 / .pi - degrees) < 1e-3)
        }
    }

    @Test(arguments: [
        ("0,0\n1,1\n1,2\n", "line 3"), ("0,0\n1,abc\n", "line 2: 'abc'"), ("0,0\n1\n", "line 2: 1 fields"),
        ("0,0\n1,2,3\n", "line 2: 3 fields"), ("0,0,400\n", "line 1: the field"), ("time,angle\n0,0\n", "line 1"),
        ("0,inf\n", "'inf'"), ("seconds,degrees\n", "no rows"), ("", "no rows"),
        ("t,w,x,y,z\n0,1,0,0,0\n1,2,2,2,2\n", "line 3"), ("t,w,x,y,z\n", "rows"),
    ]) func whatIsWrongIsSaidWithItsLine(_ text: String, _ words: String) {
        let error = #expect(throws: MotionLogError.self) { _ = try CameraPath(text, source: "camera.csv") }
        let said = error.map(String.init(describing:)) ?? ""
        #expect(said.contains("camera.csv") && said.contains(words), "\(said)")
    }

    @Test func aFileThatIsNotThereIsNamed() {
        let path = AbsentPlace.path("camera.csv")
        let error = #expect(throws: MotionLogError.self) { _ = try CameraPath(contentsOf: path) }
        #expect("\(error.map(String.init(describing:)) ?? "")".contains(path))
    }
}

import AbsentPlaces
import AudioIO
import Capture
import Foundation
import Geometry
import Signal
import SoundFixtures
import Testing

@Suite struct MicrophoneArrayTests {
    @Test func `arrays of one's own are read, with what is usual where nothing is said`() throws {
        let text = """
            {"name": "hand", "capsules": [
                {"name": "A", "position": [0.01, 0.02, 0], "axis": [2, 0, 0]},
                {"name": "B", "position": [0, -0.02, 0], "pressure": 1}
            ]}
            """
        let array = try MicrophoneArray(json: Array(text.utf8))
        #expect(array.name == "hand" && array.channelNames == ["A", "B"])
        #expect(array.capsules[0].axis.unit == SIMD3(1, 0, 0) && array.capsules[0].pressure == 0.5)
        #expect(array.capsules[1].gain(Direction(azimuthDegrees: 90, elevationDegrees: 0)) == 1)
    }

    @Test(arguments: [
        (#"{"name": "x"}"#, "capsules is missing"),
        (#"{"name": "x", "capsules": [{"name": "A", "position": [0, 0, 0], "pressure": 1}]}"#, "must have 2 to 8"),
        (#"{"name": "x", "capsule": []}"#, "capsule is unknown"),
        (
            #"{"name": "x", "capsules": [{"name": "A", "position": [0, 0]}, {"name": "B"}]}"#,
            "capsules[0].position must be [x, y, z]"
        ),
        (
            #"{"name": "x", "capsules": [{"name": "A", "position": [0, 0, 9], "axis": [1, 0, 0]}, {"name": "B"}]}"#,
            "capsules[0].position[2] must be a number from -0.5"
        ),
        (
            #"{"name": "x", "capsules": [{"name": "A", "position": [0, 0, 0], "axis": [0, 0, 0]}, {"name": "B"}]}"#,
            "capsules[0].axis must not be zero"
        ),
        ("{", "is not valid JSON"),
    ])
    func `what is wrong is said with its place`(text: String, words: String) {
        let error = #expect(throws: CaptureError.self) { try MicrophoneArray(json: Array(text.utf8)) }
        #expect(error?.description.contains(words) ?? false, "\(error?.description ?? "")")
    }

    @Test func `names and radii that are none are refused`() {
        #expect(throws: CaptureError.unknownArray("cube")) { try MicrophoneArray("cube") }
        #expect(throws: CaptureError.radius(0.5)) { try MicrophoneArray("tetrahedral", radius: 0.5) }
        #expect(throws: CaptureError.self) { try MicrophoneArray(AbsentPlace.path("array.json")) }
    }

    @Test func `calibrations that do not fit are refused`() throws {
        let array = try MicrophoneArray("tetrahedral")
        let length = ArrayFilters.length(at: .studio)
        let other = ArraySimulator(try MicrophoneArray("planar3")).calibration([Direction(unit: SIMD3(1, 0, 0))])
        #expect(throws: CaptureError.self) { try other.responses(of: array, length: length, sampleRate: .studio) }
        var silent = ArraySimulator(array).calibration([Direction(unit: SIMD3(1, 0, 0))]).measurements
        silent[0].responses[2] = [0, 0, 0]
        let error = #expect(throws: CaptureError.self) {
            try Calibration(measurements: silent, sampleRate: .studio)
                .responses(of: array, length: length, sampleRate: .studio)
        }
        #expect(error?.description.contains("capsule BLD is silent") ?? false)
    }

    @Test func `an unknown key of a calibration is named, and so is the file of one that does not fit`() throws {
        let folder = try Scratch()
        let writer = try SoundFileWriter(path: folder("a.wav"), channels: 3, sampleRate: .studio)
        try writer.write(PlanarBlock(channels: 3, frames: 10), frames: 10)
        try writer.finish()
        let path = folder("calibration.json")
        func calibration(_ key: String) throws -> Calibration {
            let text = #"{"responses": [{"azimuth": 0, "\#(key)": 10, "file": "a.wav"}]}"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return try Calibration(at: path)
        }
        let unknown = #expect(throws: CaptureError.self) { try calibration("elevaton") }
        #expect(unknown?.description.hasPrefix("\(path): responses[0].elevaton is unknown") ?? false)
        let read = try calibration("elevation")
        for name in ["tetrahedral", "ambix"] {
            let error = #expect(throws: CaptureError.self) {
                try CaptureFilters.responses(of: try MicrophoneArray(name), calibration: read, sampleRate: .studio)
            }
            #expect(error?.description.hasPrefix("the calibration \(path) does not fit") ?? false, "\(name)")
        }
    }

    @Test func `a calibration with a long delay, at another rate, and of one direction alone gives levels`() throws {
        let array = try MicrophoneArray("tetrahedral")
        var simulator = ArraySimulator(array)
        simulator.gains = [1.1, 0.9, 1, 1]
        let one = simulator.calibration([Direction(azimuthDegrees: 10, elevationDegrees: 20)], distance: 4)
        let found = try one.responses(of: array, length: 1024, sampleRate: SampleRate(hertz: 96_000)!)
        for (capsule, gain) in simulator.gains.enumerated() {
            let value = found.response(20, capsule: capsule, array.capsules[capsule].axis.unit)
            let level = (value.real * value.real + value.imaginary * value.imaginary).squareRoot()
            #expect(abs(20 * log10(level / gain)) < 0.5, "capsule \(capsule): \(level)")
        }
    }
}

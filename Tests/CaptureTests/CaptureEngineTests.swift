import AudioIO
import AudioInMemory
import Capture
import Foundation
import Geometry
import IMU
import SeamMeasures
import Signal
import SoundFixtures
import Soundstage
import Takes
import Testing

@Suite struct CaptureEngineTests {
    /// A capture of a sound field in memory; each server cycle is a call.
    final class Rig {
        let folder: Scratch
        let inputs: MemoryCapture
        let engine: CaptureEngine
        var events: [CaptureEvent] = []
        private(set) var frames = 0
        /// Gain of each source for the wave from the left.
        var gains = ["mic": Float(0.2), "other": 0.1]
        static let first = ["mic:W", "mic:Y", "mic:Z", "mic:X"]
        static let second = ["other:W", "other:Y", "other:Z", "other:X"]

        init(
            preRoll: Double = 10, array: String = "ambix", sources: [String] = Rig.first,
            replacement: Replacement = .nothing, designing: @escaping Dispatching = { $0() },
            completing: Dispatching? = nil
        ) throws {
            folder = try Scratch()
            inputs = MemoryCapture(channels: 4, sampleRate: .studio)
            inputs.offer((Rig.first + Rig.second).map { CaptureSource(port: $0, group: "mic", isPhysical: false) })
            var chain = CaptureChainSettings(array: try MicrophoneArray(array))
            chain.highPass = nil
            var settings = CaptureEngine.Settings(
                chain: chain, take: .init(path: folder("take.wav"), replacement: replacement))
            settings.preRoll = preRoll
            engine = try CaptureEngine(
                settings, inputs: inputs, sources: sources, designing: designing,
                completing: completing)
        }

        var now: Double { Double(frames) / 48_000 }

        /// Runs cycles for `seconds`. A wave of 1 kHz comes from the left, the same in all sources except for their
        /// gains.
        func run(_ seconds: Double, each: (Double) -> Void = { _ in }) {
            let end = frames + Int(seconds * 48_000)
            while frames < end {
                inputs.cycle(512) { source, clock in
                    let gain = self.gains[String(source.split(separator: ":")[0])] ?? 0
                    let own: Float = ["W": 1, "Y": 1][source.split(separator: ":")[1]] ?? 0
                    return (0..<512).map { gain * own * Float(sin(2 * .pi * 1000 * Double(clock + $0) / 48_000)) }
                }
                frames += 512
                while engine.step(now: now) > 0 {}
                events += engine.takeEvents()
                each(now)
            }
        }

        /// Runs cycles with the given sound of the first sources, `[source][frame]`, in whole periods of 512 frames.
        func run(_ sound: [[Float]], each: (Double) -> Void = { _ in }) {
            for start in stride(from: 0, to: sound[0].count - 511, by: 512) {
                inputs.cycle(512) { source, _ in
                    Rig.first.firstIndex(of: source).map { Array(sound[$0][start..<(start + 512)]) } ?? []
                }
                frames += 512
                while engine.step(now: now) > 0 {}
                events += engine.takeEvents()
                each(now)
            }
        }

        func finish() throws -> [[Float]] {
            engine.end()
            events += engine.takeEvents()
            return try CaptureTakeTests.samples(folder("take.wav"))
        }
    }

    static func largestClick(_ row: ArraySlice<Float>) -> Double {
        HighPass.over8kHz(Array(row), 48_000).dropFirst(2000).dropLast(2000).map { abs($0) }.max() ?? 0
    }

    @Test func `another source comes in without a gap and without a click`() throws {
        let rig = try Rig(preRoll: 0)
        rig.engine.perform(.begin, now: 0)
        rig.run(2)
        rig.engine.perform(.source("other:{W,Y,Z,X}"), now: rig.now)
        rig.run(3)
        let field = try rig.finish()
        #expect(rig.events.contains(.turned(Rig.second)))
        // The take has every input frame.
        #expect(field[0].count == rig.frames)
        let clicks = Self.largestClick(field[0][...])
        let still = Self.largestClick(field[0][10_000..<80_000])
        #expect(clicks <= max(2 * still, 1e-4), "\(clicks) against \(still)")
        let level = { (range: Range<Int>) in field[1][range].map { abs($0) }.max() ?? 0 }
        #expect(abs(level(20_000..<90_000) - 0.2) < 0.002)
        #expect(abs(level(180_000..<230_000) - 0.1) < 0.002)
        // No silence at the change of sources.
        for start in stride(from: 2000, to: field[0].count - 2000, by: 480) {
            #expect(level(start..<(start + 480)) > 0.09)
        }
        for input in 0..<4 { #expect(!rig.inputs.isConnected(bank: 1, input: input, to: nil)) }
    }

    @Test func `a source that goes leaves silence, is told, and is heard again when it is back`() throws {
        let rig = try Rig(preRoll: 0)
        rig.engine.perform(.begin, now: 0)
        rig.run(2)
        rig.inputs.offer([])
        rig.run(2)
        rig.inputs.offer(Rig.first.map { CaptureSource(port: $0, group: "mic", isPhysical: false) })
        rig.run(2)
        let field = try rig.finish()
        #expect(rig.events.contains(.gone(Rig.first)))
        #expect(rig.events.contains(.back(Rig.first)))
        #expect(field[0].count == rig.frames)
        #expect(field[0][110_000..<180_000].allSatisfy { abs($0) < 1e-6 })
        #expect((field[0][220_000...].map { abs($0) }.max() ?? 0) > 0.19)
        let markers = try SoundFileReader(path: rig.folder("take.wav")).metadata.markers
        #expect(markers.map(\.name) == ["source gone", "source back"])
        #expect(zip(markers, [96_000, 192_000]).allSatisfy { abs($0.frame - $1) < 24_000 })
    }

    @Test func `what was before is in the take, and markers stand where they were set`() throws {
        let rig = try Rig(preRoll: 3)
        rig.run(5)
        rig.engine.perform(.begin, now: rig.now)
        rig.run(1)
        let set = rig.now
        rig.engine.perform(.mark("here"), now: set)
        rig.run(1)
        let field = try rig.finish()
        #expect(rig.events.first == .began(path: rig.folder("take.wav"), preRoll: 3))
        // Pre-roll of 3 s of outputs, which the chain delays by 12 256 frames, and all later frames.
        let length = 3 * 48_000 + (rig.frames - 5 * 48_000) + 12_256
        #expect(abs(field[0].count - length) <= 512)
        let marker = try #require(try SoundFileReader(path: rig.folder("take.wav")).metadata.markers.first)
        // The time of the take's first frame, from its length.
        let began = rig.now - Double(field[0].count) / 48_000
        #expect(abs(Double(marker.frame) / 48_000 - (set - began)) < 0.001)
        // The phase of the wave gives the same time: each frame holds the sound of its own time.
        let place = 24_000
        let due = 0.2 * sin(2 * .pi * 1000 * (began + Double(place) / 48_000))
        #expect(abs(Double(field[0][place]) - due) < 0.03)
        // A second take gets another name.
        rig.engine.perform(.begin, now: rig.now)
        rig.run(0.5)
        rig.engine.end()
        #expect(FileManager.default.fileExists(atPath: rig.folder("take-2.wav")))
    }

    @Test func `frames that the server skips are silence, are counted, and time goes on evenly`() throws {
        let rig = try Rig(preRoll: 0)
        rig.engine.perform(.begin, now: 0)
        rig.run(1)
        rig.inputs.cycle(512, skipping: 4800) { _, _ in [Float](repeating: 0, count: 512) }
        rig.run(1)
        let field = try rig.finish()
        #expect(rig.events.contains(.lost(frames: 4800)))
        #expect(field[0].count == rig.frames + 512 + 4800)
    }

    @Test func `the take goes on when JACK is there again`() throws {
        let rig = try Rig(preRoll: 0)
        rig.engine.perform(.begin, now: 0)
        rig.run(1)
        rig.inputs.go()
        _ = rig.engine.step(now: rig.now)
        let others = MemoryCapture(channels: 4, sampleRate: .studio)
        #expect(!rig.engine.adopt(MemoryCapture(channels: 3, sampleRate: .studio)))
        #expect(!rig.engine.adopt(MemoryCapture(channels: 4, sampleRate: .cd)))
        #expect(rig.engine.adopt(others))
        others.offer(Rig.first.map { CaptureSource(port: $0, group: "mic", isPhysical: false) })
        for cycle in 0..<100 {
            others.cycle(512) { _, _ in [Float](repeating: 0.1, count: 512) }
            while rig.engine.step(now: rig.now + Double(cycle) / 90) > 0 {}
        }
        let field = try rig.finish()
        #expect(rig.events.contains(.serverGone) && rig.events.contains(.serverBack))
        #expect(field[0].count == rig.frames + 51_200)
        let markers = try SoundFileReader(path: rig.folder("take.wav")).metadata.markers
        let again = try #require(markers.first { $0.name == "JACK again" })
        #expect(abs(again.frame - rig.frames) <= 512)
        #expect(abs(field[0][field[0].count - 20_000] - 0.1) < 1e-3)
    }

    @Test func `turns of the device stand beside the take, undone by how it is held`() throws {
        let rig = try Rig(preRoll: 0)
        rig.engine.perform(.orientation(.landscapeLeft), now: 0)
        rig.engine.perform(.begin, now: 0)
        rig.run(2) { now in
            let turn = Quaternion(yaw: now, pitch: 0, roll: 0) * InputOrientation.landscapeLeft.deviceToScene.quaternion
            rig.engine.note(deviceToWorld: turn, at: now)
        }
        _ = try rig.finish()
        let track = try OrientationTrack(besideTake: rig.folder("take.wav"))
        #expect(track.times.count > 150)
        for time in [0.5, 1, 1.5] { #expect(abs(track.pose(at: time).quaternion.yaw - time) < 0.002) }
        #expect(abs(track.pose(at: 1).quaternion.roll) < 1e-6)
        // The take turned back by the track: the wave always came from the device's left, so it turns with the device.
        let steady = rig.folder("steady.wav")
        #expect(
            try SteadiedFile.write(
                SoundFileReader(path: rig.folder("take.wav")), AmbisonicFormat(order: 1), to: steady, .hold)
                == rig.frames)
        let out = try CaptureTakeTests.samples(steady)
        let field = FieldMeasure(out.map { Array($0[71_500..<72_500]) })
        // In landscape the device's left points down, and stays down while the device turns.
        #expect(field.degrees(from: SIMD3(0, 0, -1)) < 3)
    }

    @Test func `too few sources and another array are said`() throws {
        let rig = try Rig(preRoll: 0)
        rig.engine.perform(.source("mic:{W,Y,Z}"), now: 0)
        let events = rig.engine.takeEvents()
        guard case .refused(let reason) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(reason.contains("takes 4 channels (ACN0 ACN1 ACN2 ACN3)") && reason.contains("3 sources"))
        #expect(throws: CaptureError.self) { try Rig(sources: ["mic:W", "mic:Y", "mic:Z"]) }
        rig.engine.perform(.source("micro:{W,Y,Z,X}"), now: 0)
        let none = rig.engine.takeEvents().map(\.description).joined()
        #expect(none.hasPrefix("no JACK port matches 'micro:{W,Y,Z,X}'; there are: mic:W, mic:Y"))
    }
}

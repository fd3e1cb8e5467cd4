import AudioIO
import AudioInMemory
import Capture
import Foundation
import Geometry
import IMU
import Signal
import SoundFixtures
import Synchronization
import Takes
import Testing

/// Tests of takes: the pre-roll, one take after another, and takes during slow work.
@Suite struct CaptureContinuityTests {
    typealias Rig = CaptureEngineTests.Rig

    /// Work that is held until the test releases it.
    final class Held: Sendable {
        private let work = Mutex<[@Sendable () -> Void]>([])
        var count: Int { work.withLock { $0.count } }
        func keep(_ piece: @escaping @Sendable () -> Void) { work.withLock { $0.append(piece) } }
        func doAll() {
            let all = work.withLock { pieces in
                defer { pieces = [] }
                return pieces
            }
            for piece in all { piece() }
        }
    }

    @Test func `filters come into force when they are designed, and the take goes on meanwhile`() throws {
        let held = Held()
        let rig = try Rig(preRoll: 0, designing: held.keep)
        rig.engine.perform(.begin, now: 0)
        rig.engine.perform(.orientation(.upsideDown), now: 0)
        rig.run(2)
        // A request during the design waits, and replaces the one that waited before.
        rig.engine.perform(.rendition(.ms), now: rig.now)
        rig.engine.perform(.rendition(.omni), now: rig.now)
        #expect(held.count == 1)
        rig.run(1)
        #expect(!rig.events.contains { if case .changed = $0 { true } else { false } })
        held.doAll()
        rig.run(0.5)
        #expect(held.count == 1)
        held.doAll()
        rig.run(1.5)
        let field = try rig.finish()
        let changes = rig.events.filter { if case .changed = $0 { true } else { false } }
        #expect(changes == [.changed(.upsideDown, .omni)])
        #expect(field[0].count == rig.frames)
        // Until the change the wave came from the left, and after it from the right.
        let agreement = { (range: Range<Int>) in range.reduce(Float(0)) { $0 + field[0][$1] * field[1][$1] } }
        #expect(agreement(20_000..<140_000) > 0 && agreement(190_000..<230_000) < 0)
    }

    @Test func `a thread that captures loses nothing while filters are designed`() throws {
        let folder = try Scratch()
        let inputs = MemoryCapture(channels: 4, sampleRate: .studio)
        let sources = CaptureEngineTests.Rig.first
        inputs.offer(sources.map { CaptureSource(port: $0, group: "mic", isPhysical: false) })
        let gate = DispatchSemaphore(value: 0)
        let engine = try CaptureEngine(
            .init(chain: .init(array: try MicrophoneArray("ambix")), take: .init(path: folder("take.wav"))),
            inputs: inputs, sources: sources
        ) { design in
            Thread.detachNewThread {
                gate.wait()
                design()
            }
        }
        let session = CaptureSession(engine, inputs: inputs) { nil }
        try session.start()
        session.ask(.begin)
        session.ask(.orientation(.landscapeLeft))
        // Eight seconds of sound before the design is complete; the inputs hold five.
        for cycle in 0..<(8 * 48_000 / 512) {
            var patience = 60_000
            while inputs.waitingFrames > 48_000, patience > 0 {
                usleep(1000)
                patience -= 1
            }
            inputs.cycle(512) { _, _ in [Float](repeating: Float(cycle % 7) * 0.01, count: 512) }
        }
        gate.signal()
        #expect(session.finish(within: 60))
        #expect(inputs.lostFrames == 0)
        let take = try SoundFileReader(path: folder("take.wav"))
        // The take includes the sound between the connection of the sources and the request to record.
        #expect(take.frameCount >= 8 * 48_000 - 48_000 && take.metadata.markers.isEmpty)
    }

    @Test func `what is before a take that follows another has no gap`() throws {
        let rig = try Rig(preRoll: 2)
        rig.engine.perform(.begin, now: 0)
        rig.run(2)
        rig.engine.perform(.end, now: rig.now)
        rig.run(1)
        rig.engine.perform(.begin, now: rig.now)
        rig.run(1)
        rig.engine.end()
        let first = try CaptureTakeTests.samples(rig.folder("take.wav"))[0]
        let second = try CaptureTakeTests.samples(rig.folder("take-2.wav"))[0]
        // Each input frame is in exactly one of the takes.
        #expect(first.count + second.count == rig.frames)
        for start in stride(from: 512, to: second.count - 512, by: 512) {
            #expect((second[start..<(start + 512)].map { abs($0) }.max() ?? 0) > 0.19, "at \(start)")
        }
        // The second take continues the wave where the first ends.
        let due = 0.2 * sin(2 * .pi * 1000 * Double(first.count + 4096) / 48_000)
        #expect(abs(Double(second[4096]) - due) < 0.01)
    }

    @Test func `a take begun right after another has what was before it, however long that waits for the disk`() throws
    {
        let held = Held()
        let rig = try Rig(preRoll: 2, completing: held.keep)
        rig.engine.perform(.begin, now: 0)
        rig.run(2)
        #expect(rig.engine.perform(.end, now: rig.now) == 1)
        rig.run(1)
        #expect(rig.engine.perform(.begin, now: rig.now) == nil)
        rig.run(1)
        let began = rig.events.compactMap { if case .began(_, let preRoll) = $0 { preRoll } else { nil } }
        #expect(began.count == 2 && abs(began[1] - (1 - 12_256.0 / 48_000)) < 0.03)
        #expect(held.count == 1 && rig.engine.takeCompletions().isEmpty)
        #expect(rig.folder.contents.contains("take.wav.part"))
        held.doAll()
        rig.run(0.1)
        let completions = rig.engine.takeCompletions()
        #expect(completions.map(\.take) == [1])
        let files = ["take.wav", "take-stereo.wav", "take-safety.wav"].map { rig.folder($0) }
        #expect(completions.first?.events == [.take(.completed(files))])
        #expect(rig.events.filter { $0 == .take(.completed(files)) }.count == 1)
        rig.engine.perform(.end, now: rig.now)
        held.doAll()
        rig.engine.end()
        let lengths = try ["take.wav", "take-2.wav"].map { try CaptureTakeTests.samples(rig.folder($0))[0].count }
        #expect(lengths[0] + lengths[1] == rig.frames)
    }

    @Test func `while takes wait for the disk nothing is lost, and their end is answered then`() throws {
        let folder = try Scratch()
        let inputs = MemoryCapture(channels: 4, sampleRate: .studio)
        let gate = DispatchSemaphore(value: 0)
        let engine = try CaptureEngine(
            .init(chain: .init(array: try MicrophoneArray("ambix")), take: .init(path: folder("take.wav"))),
            inputs: inputs, sources: [],
            completing: { work in
                Thread.detachNewThread {
                    gate.wait()
                    work()
                }
            })
        let session = CaptureSession(engine, inputs: inputs) { nil }
        let answers = Mutex<[String]>([])
        try session.start()
        func play(seconds: Int) {
            for _ in 0..<(seconds * 48_000 / 512) {
                for _ in 0..<60_000 where inputs.waitingFrames > 48_000 { usleep(1000) }
                inputs.cycle(512) { _, _ in [Float](repeating: 0.1, count: 512) }
            }
            for _ in 0..<60_000 where inputs.waitingFrames > 0 { usleep(1000) }
        }
        for _ in 0..<10 {
            play(seconds: 1)
            session.ask(.begin) { events in
                if case .refused(let words) = events.first { answers.withLock { $0.append(words) } }
            }
            session.ask(.end) { events in answers.withLock { $0.append(events.last?.description ?? "") } }
        }
        // The inputs hold five of these eight seconds.
        play(seconds: 8)
        // Eight takes wait for the disk, and further ones are refused.
        let refused = answers.withLock { $0 }
        #expect(refused.filter { $0.contains("8 takes wait for the disk") }.count == 2)
        #expect(refused.filter { $0.contains("no take is being recorded") }.count == 2 && refused.count == 4)
        for _ in 0..<8 { gate.signal() }
        #expect(session.finish(within: 60))
        #expect(inputs.lostFrames == 0)
        #expect(answers.withLock { $0.filter { $0.hasPrefix("complete: ") }.count } == 8)
    }

    @Test func `the end of a capture waits for a slow disk`() throws {
        let folder = try Scratch()
        let inputs = MemoryCapture(channels: 4, sampleRate: .studio)
        let engine = try CaptureEngine(
            .init(chain: .init(array: try MicrophoneArray("ambix")), take: .init(path: folder("take.wav"))),
            inputs: inputs, sources: [],
            completing: { work in
                Thread.detachNewThread {
                    Thread.sleep(forTimeInterval: 9)
                    work()
                }
            })
        let session = CaptureSession(engine, inputs: inputs) { nil }
        try session.start()
        session.ask(.begin)
        for _ in 0..<60_000 where session.status.seconds == nil { usleep(1000) }
        for _ in 0..<94 { inputs.cycle(512) { _, _ in [Float](repeating: 0.1, count: 512) } }
        #expect(session.finish())
        let events = session.takeEvents()
        #expect(events.contains { if case .take(.completed) = $0 { true } else { false } }, "\(events)")
        #expect(FileManager.default.fileExists(atPath: folder("take.wav")))
    }

    @Test func `how the device was turned before a take is where the take begins`() throws {
        let rig = try Rig(preRoll: 1)
        let turn = { (now: Double) in Quaternion(yaw: 0.5 * now, pitch: 0, roll: 0) }
        rig.run(3) { rig.engine.note(deviceToWorld: turn($0), at: $0) }
        rig.engine.perform(.begin, now: rig.now)
        rig.run(1) { rig.engine.note(deviceToWorld: turn($0), at: $0) }
        let length = Double(try rig.finish()[0].count) / 48_000
        let track = try OrientationTrack(besideTake: rig.folder("take.wav"))
        #expect(track.times.first == 0)
        let began = rig.now - length
        for time in stride(from: 0, through: length, by: 0.1) {
            #expect(abs(track.pose(at: time).quaternion.yaw - 0.5 * (began + time)) < 0.001, "at \(time) s")
        }
    }

    @Test func `a part that begins while the device turns has its turn from its own first frame`() throws {
        let folder = try Scratch()
        let take = try CaptureTake(
            .init(path: folder("take.wav"), partBytes: 1_000_000, hasSafety: false), sampleRate: .studio)
        // Poses arrive a quarter of a second before their frames.
        for step in 0..<200 {
            let time = Double(step) / 100 + 0.25
            try take.note(.init(time: time, fieldToWorld: Quaternion(yaw: time, pitch: 0, roll: 0)))
            _ = CaptureTakeTests.write(take, frames: 480, block: 480)
        }
        _ = take.finish()
        let track = try OrientationTrack(besideTake: folder("take-2.wav"))
        let start = 62_500.0 / 48_000
        for time in stride(from: 0, through: 0.6, by: 0.03) {
            #expect(abs(track.pose(at: time).quaternion.yaw - start - time) < 0.001, "at \(time) s")
        }
    }

    @Test func `frames lost before a take are not its own, unless they are in it`() throws {
        let rig = try Rig(preRoll: 1)
        let skip = { rig.inputs.cycle(512, skipping: 4800) { _, _ in [Float](repeating: 0, count: 512) } }
        skip()
        rig.run(3)
        skip()
        rig.run(0.5)
        rig.engine.perform(.begin, now: rig.now)
        rig.run(0.5)
        #expect(rig.engine.status.lostFrames == 4800)
        _ = try rig.finish()
        #expect(rig.events.filter { $0 == .lost(frames: 4800) }.count == 1)
        let markers = try SoundFileReader(path: rig.folder("take.wav")).metadata.markers
        #expect(markers.map(\.name) == ["4800 frames lost"])
        // The marker is in the pre-roll, which lasts one second.
        #expect(markers.allSatisfy { (0..<48_000).contains($0.frame) })
    }

    @Test func `no file of a take before is in the way of the next`() throws {
        let rig = try Rig(preRoll: 0)
        for name in ["take-2-stereo.wav", "take-3-safety.wav.part", "take-4.wav.orientation.csv"] {
            #expect(FileManager.default.createFile(atPath: rig.folder(name), contents: Data([1])))
        }
        rig.engine.perform(.begin, now: 0)
        rig.run(0.5)
        rig.engine.perform(.end, now: rig.now)
        rig.engine.perform(.begin, now: rig.now)
        rig.run(0.5)
        rig.engine.end()
        #expect(FileManager.default.fileExists(atPath: rig.folder("take-5.wav")))
        #expect(FileManager.default.contents(atPath: rig.folder("take-2-stereo.wav")) == Data([1]))
        #expect(FileManager.default.contents(atPath: rig.folder("take-4.wav.orientation.csv")) == Data([1]))
    }

    @Test func `a name that is taken between two takes is passed over`() throws {
        let rig = try Rig(preRoll: 0)
        rig.engine.perform(.begin, now: 0)
        rig.run(0.5)
        rig.engine.perform(.end, now: rig.now)
        #expect(FileManager.default.createFile(atPath: rig.folder("take-2.wav"), contents: Data([1])))
        rig.engine.perform(.begin, now: rig.now)
        rig.run(0.5)
        rig.engine.end()
        let began = rig.events.compactMap { if case .began(let path, _) = $0 { path } else { nil } }
        #expect(began == [rig.folder("take.wav"), rig.folder("take-3.wav")])
        #expect(FileManager.default.contents(atPath: rig.folder("take-2.wav")) == Data([1]))
    }

    @Test func `a take for which no name is free is refused, and replaces no other take`() throws {
        let rig = try Rig(preRoll: 0, replacement: .anything)
        rig.engine.perform(.begin, now: 0)
        rig.run(0.5)
        let first = rig.frames
        let areMade = (2...10_001).allSatisfy {
            FileManager.default.createFile(atPath: rig.folder("take-\($0).wav"), contents: nil)
        }
        #expect(areMade)
        rig.engine.perform(.end, now: rig.now)
        rig.engine.perform(.begin, now: rig.now)
        rig.run(0.25)
        #expect(try rig.finish()[0].count == first)
        let begun = rig.events.compactMap { if case .began(let path, _) = $0 { path } else { nil } }
        #expect(begun == [rig.folder("take.wav")])
        #expect(rig.events.contains { if case .refused = $0 { true } else { false } })
    }

    @Test func `the largest file of a part stays below the limit`() throws {
        let folder = try Scratch()
        let take = try CaptureTake(.init(path: folder("take.wav"), partBytes: 1_000_000), sampleRate: .studio)
        _ = CaptureTakeTests.write(take, frames: 60_000)
        _ = take.finish()
        // Six channels of 24 bits, 18 bytes a frame.
        #expect(try CaptureTakeTests.samples(folder("take.wav"))[0].count == 1_000_000 / 18)
        let size = try FileManager.default.attributesOfItem(atPath: CaptureNames.safety(folder("take.wav")))[.size]
        // The header names the six channels. The default `partBytes` leaves 967 kB below 2³² bytes for it.
        #expect((size as? Int ?? 0) - 1_000_000 < 1500)
    }

    @Test func `on a full disk the files of a part are cut to one length, which is told`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Scratch()
            try FullDisk.begin(atBytes: 500_000)
            let take = try CaptureTake(.init(path: folder("take.wav")), sampleRate: .studio)
            // The safety track is the first file without room, in a block that the field's file already holds.
            let incidents = CaptureTakeTests.write(take, frames: 30_000) + take.finish()
            let told = incidents.compactMap { if case .outOfRoom(let seconds, _) = $0 { seconds } else { nil } }
            let lengths = try [
                folder("take.wav"), CaptureNames.stereo(folder("take.wav")), CaptureNames.safety(folder("take.wav")),
            ].map { try SoundFileReader(path: $0).frameCount }
            #expect(lengths == [27_000, 27_000, 27_000])
            #expect(told.first == 27_000 / 48_000.0)
        }
    }

    @Test func `files that end apart are cut to one length`() throws {
        let folder = try Scratch()
        let writer = try SoundFileWriter(path: folder("a.wav"), channels: 2, sampleRate: .studio, asTake: true)
        let block = PlanarBlock(channels: 2, frames: 1000)
        for i in 0..<1000 { (block[0][i], block[1][i]) = (Float(i), -Float(i)) }
        try writer.write(block, frames: 1000)
        writer.cut(to: 601)
        try writer.finish()
        #expect(try CaptureTakeTests.samples(folder("a.wav"))[1] == (0..<601).map { -Float($0) })
    }
}

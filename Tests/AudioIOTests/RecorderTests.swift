import Foundation
import Signal
import SoundFixtures
import Synchronization
import Testing
import Waiting

@testable import AudioIO

@Suite struct RecorderTests {
    private func driver() throws -> MemoryDriver {
        MemoryDriver(renderer: try makeStage(transparent: true), inputCount: 2, sampleRate: .studio, policy: .onRequest)
    }

    @Test func freewheelLosesNothingHoweverFastItIs() throws {
        let scratch = try Scratch()
        let driver = try driver()
        let recorder = try driver.record(to: scratch("r.wav"), waitsForStart: true)
        _ = driver.run(noise(1000), periods: [1000])
        driver.askToStart()
        // Longer than the queue, which holds at least five seconds.
        let frames = 12 * 48_000
        let heard = driver.run(noise(frames), periods: Array(repeating: 8000, count: frames / 8000))
        let summary = try driver.stop(recorder)
        #expect(summary == Recorder.Summary(frames: frames, droppedFrames: 0, path: scratch("r.wav")))
        let reader = try SoundFileReader(path: scratch("r.wav"))
        let block = PlanarBlock(channels: 2, frames: frames)
        #expect(try reader.read(into: block, frames: frames) == frames)
        for ear in 0..<2 {
            #expect(Array(UnsafeBufferPointer(start: block[ear], count: frames)) == heard[ear])
        }
    }

    @Test func liveFramesThatFindNoRoomAreCounted() {
        let tap = UnsafeMutablePointer<RecorderTap>.allocate(capacity: 1)
        tap.initialize(to: RecorderTap(capacityFrames: 8192, waitsForStart: false))
        let block = PlanarBlock(channels: 2, frames: 8192)
        fillWithNoise(block)
        for _ in 0..<3 {
            tap.pointee.push(block[0], block[1], frames: 8192, isStreamStart: false, live: true, clock: 0)
        }
        #expect(tap.pointee.droppedFrames.load(ordering: .relaxed) == 2 * 8192)
        let pairs = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 8192)
        #expect(tap.pointee.pop(into: pairs, limit: 8192) == 8192)
        #expect((0..<8192).allSatisfy { pairs[2 * $0] == block[0][$0] && pairs[2 * $0 + 1] == block[1][$0] })
        tap.pointee.push(block[0], block[1], frames: 100, isStreamStart: false, live: true, clock: 0)
        #expect(tap.pointee.pop(into: pairs, limit: 8192) == 100)
        pairs.deallocate()
        tap.deinitialize(count: 1)
        tap.deallocate()
    }

    @Test func aFullDiskIsSaidBeforeAnythingIsRecorded() throws {
        let driver = try driver()
        let error = #expect(throws: SoundFileError.self) { try driver.record(to: "/dev/full", waitsForStart: false) }
        guard case .diskFull = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func whereNothingWasRecordedThereIsNoFile() throws {
        let scratch = try Scratch()
        let driver = try driver()
        let recorder = try driver.record(to: scratch("r.wav"), waitsForStart: true)
        #expect(scratch.contents == ["r.wav.part"])
        _ = driver.run(noise(1000), periods: [1000])
        #expect(try driver.stop(recorder) == Recorder.Summary(frames: 0, droppedFrames: 0, path: nil))
        #expect(scratch.contents.isEmpty)
    }

    /// In an earlier version the closing of a client waited for the disk without limit.
    @Test func aDiskThatTakesTooLongIsNotWaitedForAndTheTakeIsCompletedYet() throws {
        // Under load the recorder may finish before this thread's call; the call then has nothing to wait for, so it is
        // repeated.
        for _ in 0..<20 {
            let scratch = try Scratch()
            let recorder = try Recorder(
                path: scratch("r.wav"), sampleRate: .studio, encoding: nil, waitsForStart: false)
            let block = PlanarBlock(channels: 2, frames: 8000)
            for _ in 0..<25 {
                recorder.tap.pointee.push(block[0], block[1], frames: 8000, isStreamStart: false, live: true, clock: 0)
            }
            do throws(SoundFileError) {
                try recorder.finish(within: 0)
            } catch {
                guard case .incomplete(let part, _) = error else { throw error }
                #expect(part == scratch("r.wav.part"))
                #expect(comes { scratch.contents == ["r.wav"] })
                #expect(try SoundFileReader(path: scratch("r.wav")).frameCount == 200_000)
                return
            }
        }
        Issue.record("the disk was never waited for")
    }

    /// A delayed cycle may still use the tap of a recorder that has ended; the driver keeps the recorder until then.
    @Test func aRecorderThatHasEndedIsFreedWhenNobodyKeepsIt() throws {
        let scratch = try Scratch()
        weak var freed: Recorder?
        do {
            let recorder = try Recorder(
                path: scratch("r.wav"), sampleRate: .studio, encoding: nil, waitsForStart: false)
            freed = recorder
            try recorder.finish()
            recorder.tap.pointee.isAbandoned.store(true, ordering: .relaxed)
        }
        // The recorder's thread releases the recorder a moment after its end.
        #expect(comes { freed == nil })
    }

    @Test func `a recording that cannot be renamed is recovered with its markers`() throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: 2, frames: 8000)
        let recorder = try Recorder(
            path: scratch("r.wav"), sampleRate: .studio, encoding: nil, waitsForStart: false, replaces: true)
        recorder.tap.pointee.push(block[0], block[1], frames: 8000, isStreamStart: false, live: true, clock: 0)
        #expect(try recorder.mark("a", atClock: 0)?.name == "a")
        // A file does not replace a folder.
        try FileManager.default.createDirectory(atPath: scratch("r.wav"), withIntermediateDirectories: false)
        let error = #expect(throws: SoundFileError.self) { try recorder.finish() }
        guard case .incomplete = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try FileManager.default.removeItem(atPath: scratch("r.wav"))
        #expect(scratch.contents == ["r.wav.markers.txt.part", "r.wav.part"])
        for part in scratch.contents.reversed() { _ = try CutOffTake.recover(scratch(part)) }
        let text = MarkerLabels.path(of: scratch("r-recovered.wav"))
        let lines = try String(contentsOfFile: text, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasSuffix("\ta"), "\(lines)")
    }

    @Test func `a recording that replaces another replaces its markers`() throws {
        let block = PlanarBlock(channels: 2, frames: 8000)
        for (name, isMarked) in [("r.flac", true), ("r.flac", false), ("r.wav", true)] {
            let scratch = try Scratch()
            let text = MarkerLabels.path(of: scratch(name))
            try Data("former".utf8).write(to: URL(fileURLWithPath: scratch(name)))
            try Data("1.000000\t1.000000\tformer\n".utf8).write(to: URL(fileURLWithPath: text))
            let recorder = try Recorder(
                path: scratch(name), sampleRate: .studio, encoding: nil, waitsForStart: false, replaces: true)
            recorder.tap.pointee.push(block[0], block[1], frames: 8000, isStreamStart: false, live: true, clock: 0)
            if isMarked { #expect(try recorder.mark("a", atClock: 0)?.name == "a") }
            try recorder.finish()
            #expect(try SoundFileReader(path: scratch(name)).frameCount == 8000)
            // WAV contains its markers.
            guard isMarked, name == "r.flac" else {
                #expect(scratch.contents == [name])
                continue
            }
            let lines = try String(contentsOfFile: text, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 1 && lines[0].hasSuffix("\ta"), "\(lines)")
        }
    }

    @Test(arguments: ["wav", "rf64", "bw64", "w64", "caf", "aiff", "flac"])
    func aFullDiskEndsTheRecordingAndKeepsWhatThereIs(format: String) async {
        await #expect(processExitsWith: .success) { [format] in
            let scratch = try Scratch()
            try FullDisk.begin(atBytes: 200_000)
            let renderer = try makeStage(transparent: true)
            let driver = MemoryDriver(renderer: renderer, inputCount: 2, sampleRate: .studio)
            let path = scratch("r." + format)
            let recorder = try driver.record(to: path, waitsForStart: false)
            // Playback continues.
            let heard = driver.run(noise(96_000), periods: Array(repeating: 1000, count: 96))
            #expect(comes { recorder.failed != nil })
            guard case .stopped(_, let frames, _, let reason) = recorder.failed else {
                Issue.record("\(String(describing: recorder.failed))")
                return
            }
            #expect(frames > 20_000 && reason == "File too large")
            // The file is complete under its final name while the session continues.
            #expect(scratch.contents == ["r." + format])
            let ears = try WholeSound.read(path)
            #expect(ears[0].count > 20_000 && ears[0].count <= frames)
            let error: Float = format == "flac" ? 1e-6 : 0
            for ear in 0..<2 { #expect(zip(ears[ear], heard[ear]).allSatisfy { abs($0 - $1) <= error }) }
            #expect(throws: SoundFileError.self) { try driver.stop(recorder) }
        }
    }

    /// A FLAC stream consists of whole blocks.
    @Test func aTakeInFLACIsNotCutToAFrame() async {
        await #expect(processExitsWith: .failure) {
            guard let scratch = try? Scratch(),
                let writer = try? SoundFileWriter(
                    path: scratch("a.flac"), channels: 2, sampleRate: .studio, asTake: true)
            else { exit(EXIT_SUCCESS) }
            writer.cut(to: 1)
        }
    }

    /// A recorder that failed must not block a freewheeling audio thread.
    @Test func anAbandonedQueueIsNotWaitedFor() {
        let tap = UnsafeMutablePointer<RecorderTap>.allocate(capacity: 1)
        tap.initialize(to: RecorderTap(capacityFrames: 8192, waitsForStart: false))
        tap.pointee.isAbandoned.store(true, ordering: .relaxed)
        let block = PlanarBlock(channels: 2, frames: 8192)
        for _ in 0..<2 {
            tap.pointee.push(block[0], block[1], frames: 8192, isStreamStart: false, live: false, clock: 0)
        }
        #expect(tap.pointee.droppedFrames.load(ordering: .relaxed) == 8192)
        tap.deinitialize(count: 1)
        tap.deallocate()
    }
}

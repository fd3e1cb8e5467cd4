import Foundation
import Signal
import SoundFixtures
import Synchronization
import Testing

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
        #expect(summary == Recorder.Summary(frames: frames, droppedFrames: 0))
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
            tap.pointee.push(block[0], block[1], frames: 8192, isStreamStart: false, live: true)
        }
        #expect(tap.pointee.droppedFrames.load(ordering: .relaxed) == 2 * 8192)
        let pairs = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 8192)
        #expect(tap.pointee.pop(into: pairs, limit: 8192) == 8192)
        #expect((0..<8192).allSatisfy { pairs[2 * $0] == block[0][$0] && pairs[2 * $0 + 1] == block[1][$0] })
        tap.pointee.push(block[0], block[1], frames: 100, isStreamStart: false, live: true)
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

    /// A recorder that has given up must not hold a freewheeling audio thread.
    @Test func anAbandonedQueueIsNotWaitedFor() {
        let tap = UnsafeMutablePointer<RecorderTap>.allocate(capacity: 1)
        tap.initialize(to: RecorderTap(capacityFrames: 8192, waitsForStart: false))
        tap.pointee.isAbandoned.store(true, ordering: .relaxed)
        let block = PlanarBlock(channels: 2, frames: 8192)
        for _ in 0..<2 {
            tap.pointee.push(block[0], block[1], frames: 8192, isStreamStart: false, live: false)
        }
        #expect(tap.pointee.droppedFrames.load(ordering: .relaxed) == 8192)
        tap.deinitialize(count: 1)
        tap.deallocate()
    }
}

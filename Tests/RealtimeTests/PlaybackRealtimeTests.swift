import CRealtime
import Signal
import Synchronization
import Testing

@testable import AudioIO

/// File playback on the audio thread under RealtimeSanitizer (see `RealtimeTests`), without JACK's own calls.
@Suite struct PlaybackRealtimeTests {
    /// Period lengths, frames, as JACK may give them.
    private static let periods = [64, 256, 16, 1, 0, 1000, 8192, 63, 1024]

    @Test func aQueueNeitherLocksNorAllocates() {
        _ = prc_realtime_probe_is_linked()
        let channels = 6
        let block = PlanarBlock(channels: channels, frames: 8192)
        let frames = (0..<channels * 4096).map { Float($0 % 97) / 97 }
        let queue = UnsafeMutablePointer<ProgrammeQueue>.allocate(capacity: 1)
        queue.initialize(to: ProgrammeQueue(channels: channels, capacityFrames: 65_536))
        queue.pointee.begin.store(1 << 63 | 100, ordering: .releasing)
        var first: UInt32 = 0
        var peak: Float = 0
        // Between the periods this thread does the reader's part.
        for index in 0..<120 {
            switch index {
            case 20: queue.pointee.isPaused.store(true, ordering: .relaxed)
            case 30: queue.pointee.isPaused.store(false, ordering: .relaxed)
            case 40: queue.pointee.gain.store(Float(0.5).bitPattern, ordering: .relaxed)
            // A jump: requested at 50, parked by the queue, ready at 70.
            case 50: queue.pointee.wantedTake.store(1, ordering: .releasing)
            case 70:
                let parked = queue.pointee.parkedTake.load(ordering: .acquiring)
                #expect(parked == 1)
                queue.pointee.empty()
                queue.pointee.push(frames, count: 4096)
                queue.pointee.readyTake.store(1, ordering: .releasing)
            case 110: queue.pointee.isComplete.store(true, ordering: .releasing)
            default: break
            }
            // No frames are pushed from 78 to 103: the queue underruns.
            if !(78..<104).contains(index), !(50..<71).contains(index), index < 110 {
                while queue.pointee.room >= 4096, queue.pointee.waiting < 8192 {
                    queue.pointee.push(frames, count: 4096)
                }
            }
            let count = Self.periods[index % Self.periods.count]
            // In freewheel the queue waits for missing frames, which the sanitizer would report: here it is full.
            let live = !(index < 20 && index % 5 == 4)
            prc_realtime_probe_enter()
            queue.pointee.play(into: block.pointers, frames: count, firstFrame: first, live: live)
            prc_realtime_probe_exit()
            first &+= UInt32(count)
            for i in 0..<count { peak = max(peak, abs(block[3][i])) }
        }
        let (underruns, hasEnded) = (
            queue.pointee.underruns.load(ordering: .relaxed), queue.pointee.hasEnded.load(ordering: .relaxed)
        )
        #expect(peak > 0.5 && underruns > 0 && hasEnded)
        queue.deinitialize(count: 1)
        queue.deallocate()
    }

    @Test(arguments: [false, true]) func aProgrammeInMemoryNeitherLocksNorAllocates(_ loops: Bool) {
        _ = prc_realtime_probe_is_linked()
        let rows = PlanarBlock(channels: 2, frames: 3000)
        for channel in 0..<2 { for i in 0..<3000 { rows[channel][i] = Float(3000 * channel + i + 1) } }
        let held = UnsafeMutablePointer<HeldProgramme>.allocate(capacity: 1)
        held.initialize(to: HeldProgramme(rows, frameCount: 3000))
        // The server's frame clock wraps during playback.
        var first = UInt32.max - 500
        held.pointee.begin.store(1 << 63 | UInt64(UInt32.max - 300), ordering: .releasing)
        held.pointee.loops.store(loops, ordering: .relaxed)
        let played = PlanarBlock(channels: 2, frames: 8192)
        var place = -200
        for count in Self.periods {
            prc_realtime_probe_enter()
            held.pointee.play(into: played.pointers, frames: count, firstFrame: first)
            prc_realtime_probe_exit()
            for channel in 0..<2 {
                for i in 0..<count {
                    let at = place + i
                    let wanted = at < 0 || (!loops && at >= 3000) ? 0 : Float(3000 * channel + at % 3000 + 1)
                    #expect(played[channel][i] == wanted)
                }
            }
            first &+= UInt32(count)
            place += count
        }
        held.deinitialize(count: 1)
        held.deallocate()
    }
}

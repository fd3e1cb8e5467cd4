import AudioIO
import CRealtime
import Signal
import Synchronization
import Testing

/// The queue of the meters under RealtimeSanitizer, see `RealtimeTests`.
@Suite struct SoundTapRealtimeTests {
    @Test func leavingSoundForTheMetersNeitherLocksNorAllocates() {
        _ = prc_realtime_probe_is_linked()
        let block = PlanarBlock(channels: 14, frames: 8192)
        block[2][5] = .nan
        let tap = UnsafeMutablePointer<SoundTap>.allocate(capacity: 1)
        tap.initialize(to: SoundTap(inputCount: 12, capacityFrames: 24_000))
        let inputs = UnsafeRawPointer(block.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        for (index, frames) in [64, 256, 16, 1, 0, 1000, 8192, 63, 8192, 8192, 8192].enumerated() {
            prc_realtime_probe_enter()
            tap.pointee.push(
                inputs: inputs, outputs: block.pointers + 12, frames: frames, isStreamStart: index == 3, live: true)
            prc_realtime_probe_exit()
        }
        #expect(tap.pointee.droppedFrames.load(ordering: .relaxed) > 0)
        tap.deinitialize(count: 1)
        tap.deallocate()
    }
}

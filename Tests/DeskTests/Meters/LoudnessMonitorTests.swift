import AudioIO
import Desk
import Metering
import Signal
import Synchronization
import Testing
import Waiting

@Suite struct LoudnessMonitorTests {
    /// Pushes `seconds` of one channel and two ears into the tap, live.
    private static func push(_ seconds: Double, into tap: ThreadOwned<SoundTap>, isStreamStart: Bool = false) {
        let block = PlanarBlock(channels: 3, frames: 4800)
        for channel in 0..<3 { for i in 0..<4800 { block[channel][i] = 0.1 } }
        let inputs = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: 1)
        let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
        defer {
            inputs.deallocate()
            outputs.deallocate()
        }
        inputs[0] = UnsafePointer(block[0])
        for ear in 0..<2 { outputs[ear] = block[1 + ear] }
        for part in 0..<Int(seconds * 10) {
            tap.pointee.push(
                inputs: inputs, outputs: outputs, frames: 4800, isStreamStart: isStreamStart && part == 0, live: true)
        }
    }

    private static func monitor() -> LoudnessMonitor {
        LoudnessMonitor(inputs: [.init(name: "main", weights: [1])], sampleRate: .studio)
    }

    /// In an earlier version, frames before the start of the monitor's thread counted as lost for the whole session.
    @Test func whatStartingUpMissedIsNotLost() async throws {
        let monitor = Self.monitor()
        Self.push(3, into: monitor.tap)
        #expect(monitor.tap.pointee.droppedFrames.load(ordering: .relaxed) > 48_000)
        try monitor.start()
        // The thread runs once it has read the waiting frames: only then has the queue room for half a second.
        #expect(
            await eventually {
                Self.push(0.1, into: monitor.tap)
                return monitor.status.ears.seconds > 0
            })
        let before = monitor.tap.pointee.droppedFrames.load(ordering: .relaxed)
        monitor.stop()
        #expect(monitor.status.lostFrames < before - 48_000)
    }

    @Test func aStreamThatBeginsAnewHasLostNothingYet() async throws {
        let monitor = Self.monitor()
        try monitor.start()
        // While the thread runs, frames without room in the queue are lost.
        #expect(
            await eventually {
                Self.push(0.1, into: monitor.tap)
                return monitor.status.ears.seconds > 0
            })
        Self.push(3, into: monitor.tap)
        Self.push(0.1, into: monitor.tap)
        #expect(await eventually { monitor.status.lostFrames > 0 })
        // Once the queue has room, no frame of the new stream is lost.
        #expect(
            await eventually {
                Self.push(0.1, into: monitor.tap, isStreamStart: true)
                return monitor.status.lostFrames == 0 && monitor.status.ears.seconds > 0
            })
        monitor.stop()
    }
}

import AudioIO
import Desk
import LoudnessFixtures
import Metering
import Signal
import Synchronization
import Testing
import Waiting

@Suite(.timeLimit(.minutes(10))) struct SoundTapTests {
    /// Pushes `frames` frames of one input and two ears into a tap, counted from `first`.
    private func push(_ tap: UnsafeMutablePointer<SoundTap>, first: Int, frames: Int, start: Bool = false) {
        let block = PlanarBlock(channels: 3, frames: frames)
        for channel in 0..<3 { for i in 0..<frames { block[channel][i] = Float((first + i) * 4 + channel) } }
        var input = UnsafePointer(block[0])
        tap.pointee.push(
            inputs: &input, outputs: block.pointers + 1, frames: frames, isStreamStart: start, live: true)
    }

    private func withTap(_ body: (UnsafeMutablePointer<SoundTap>) -> Void) {
        let tap = UnsafeMutablePointer<SoundTap>.allocate(capacity: 1)
        tap.initialize(to: SoundTap(inputCount: 1, capacityFrames: 100))
        body(tap)
        tap.deinitialize(count: 1)
        tap.deallocate()
    }

    @Test func framesComeOutInOrderAndAStreamStartAtItsFrame() {
        withTap { tap in
            var expected = 0
            for round in 0..<50 {
                push(tap, first: round * 1000, frames: 600, start: round == 7)
                push(tap, first: round * 1000 + 600, frames: 400, start: round == 9)
                var taken = 0
                while taken < 1000 {
                    let count = tap.pointee.read(limit: 333) { rows, frames, isStart in
                        #expect(isStart == (expected == 7000 || expected == 9600))
                        for i in 0..<frames {
                            for channel in 0..<3 { #expect(rows[channel][i] == Float((expected + i) * 4 + channel)) }
                        }
                    }
                    expected += count
                    taken += count
                }
            }
            #expect(tap.pointee.read(limit: 10) { _, _, _ in Issue.record("nothing waits") } == 0)
        }
    }

    @Test func aFullQueueLosesAndCountsWhatComesLive() {
        withTap { tap in
            for round in 0..<3 { push(tap, first: round * 8000, frames: 8000) }
            #expect(tap.pointee.droppedFrames.load(ordering: .relaxed) == 16_000)
        }
    }

    @Test func theMeterSurvivesSamplesThatAreNoNumbers() throws {
        let monitor = LoudnessMonitor(inputs: [.init(name: "main", weights: [1])], sampleRate: .studio)
        try monitor.start()
        let block = PlanarBlock(channels: 3, frames: 4800)
        let sine = TestSignal.sine([(-20, 2)], sampleRate: .studio)
        for round in 0..<20 {
            for i in 0..<4800 { block[0][i] = sine[round * 4800 + i] }
            if round == 3 { (block[0][7], block[0][8]) = (.nan, .infinity) }
            var input = UnsafePointer(block[0])
            monitor.tap.pointee.push(
                inputs: &input, outputs: block.pointers + 1, frames: 4800, isStreamStart: false, live: false)
        }
        #expect(comes { monitor.status.inputs.first?.readings.seconds ?? 0 >= 1.999 })
        monitor.stop()
        let readings = monitor.status.inputs[0].readings
        // The sound is in one channel: 3 dB less than in two.
        #expect(abs((readings.momentary ?? 0) + 23) < 0.1 && monitor.status.ears.truePeak == nil)
    }

    @Test func theMeterOfALiveInputReadsAsOneThatIsFedAtOnce() throws {
        let sine = TestSignal.sine([(-26, 2), (-20, 2.1), (-26, 2)], sampleRate: .studio)
        let rows = PlanarBlock(channels: 4, frames: sine.count)
        for i in sine.indices { (rows[0][i], rows[1][i]) = (sine[i], 0.5 * sine[i]) }
        let alone = LoudnessMeter(sampleRate: .studio, weights: [1, 1.41])
        alone.add(rows, frames: sine.count)
        let monitor = LoudnessMonitor(inputs: [.init(name: "main", weights: [1, 1.41])], sampleRate: .studio)
        try monitor.start()
        var done = 0
        while done < sine.count {
            let count = min(256, sine.count - done)
            var inputs = [UnsafePointer(rows[0] + done), UnsafePointer(rows[1] + done)]
            var outputs = [rows[2] + done, rows[3] + done]
            // Not live: the push waits for the queue, so no frame is lost.
            monitor.tap.pointee.push(
                inputs: &inputs, outputs: &outputs, frames: count, isStreamStart: done == 0, live: false)
            done += count
        }
        let length = SampleRate.studio.seconds(frames: sine.count)
        #expect(comes { abs((monitor.status.inputs.first?.readings.seconds ?? 0) - length) <= 1e-9 })
        monitor.stop()
        #expect(monitor.status.inputs[0].readings == alone.read())
    }
}

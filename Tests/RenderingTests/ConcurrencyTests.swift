import Foundation
import Geometry
import HRTF
import Signal
import Testing

@testable import Rendering

@Suite struct ConcurrencyTests {
    /// All data that cross to and from the audio thread, at once; also the test to run under ThreadSanitizer
    /// (`swift test --sanitize=thread --filter ConcurrencyTests`).
    @Test func fieldsPosesAndTelemetryCrossWhileSoundRuns() async throws {
        let sources = Array(sevenOneFour.prefix(6))
        let renderer = try stage(sources, poses: .mailbox, outputGuard: .instant)
        renderer.recordPoses(capacity: 256)
        let periods = soak ? 20_000 : 2000
        let fields = [sphere, FilterField.impulse(sampleRate: .studio)]
        let control = Task.detached {
            var published = 0
            var (lastPeriod, lastFrame, recorded) = (0, -1, 0)
            while lastPeriod < periods {
                if published < 200 {
                    try renderer.publish(field: fields[published % 2])
                    published += 1
                }
                if let telemetry = renderer.telemetry() {
                    #expect(telemetry.periods >= lastPeriod && telemetry.streamFrame == telemetry.periods * 100)
                    lastPeriod = telemetry.periods
                }
                for record in renderer.drainPoses() {
                    #expect(record.streamFrame > lastFrame)
                    lastFrame = record.streamFrame
                    recorded += 1
                }
                await Task.yield()
            }
            return (published, recorded)
        }
        let tracker = Task.detached {
            for i in 0..<periods {
                renderer.mailbox.store(PoseForecast(pose: Rotation(yaw: Double(i) * 0.01), time: Double(i)))
                await Task.yield()
            }
        }
        let audio = Task.detached {
            let input = PlanarBlock(channels: sources.count, frames: 100)
            let output = PlanarBlock(channels: 2, frames: 100)
            for i in 0..<100 { input[0][i] = Float(i % 7) / 7 }
            let inputs = (0..<sources.count).map { UnsafePointer(input[$0]) }
            let outputs = [output[0], output[1]]
            var isFinite = true
            for i in 0..<periods {
                renderer.handle.pointee.process(
                    inputs: inputs, outputs: outputs, frames: 100, time: PeriodTime(live: true, heardAt: Double(i)))
                for frame in 0..<100 { isFinite = isFinite && output[0][frame].isFinite && output[1][frame].isFinite }
                if i % 16 == 0 { await Task.yield() }
            }
            return isFinite
        }
        #expect(await audio.value)
        await tracker.value
        let (published, recorded) = try await control.value
        #expect(published > 0 && recorded > 0)
        #expect(renderer.heldFieldCount <= 2)
    }
}

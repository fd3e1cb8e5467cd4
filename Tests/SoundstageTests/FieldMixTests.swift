import AudioMix
import Signal
import Testing

@testable import Soundstage

@Suite struct FieldMixTests {
    @Test(arguments: AmbisonicFormat.Convention.allCases, [1, 3])
    func `At intensity 0 a field of any convention comes back bit for bit, later`(
        _ convention: AmbisonicFormat.Convention, _ order: Int
    ) throws {
        let format = try AmbisonicFormat(order: order, convention: convention)
        var controls = AudioMixControls()
        (controls.style, controls.intensity) = (.cinematic, 0)
        var mix = FieldMix(format, .live, sampleRate: .studio, controls: controls)
        let block = ProgrammeSlice.longest, count = format.channelCount
        let rows = PlanarBlock(channels: count, frames: block), made = PlanarBlock(channels: count, frames: block)
        var (went, came) = ([[Float]](repeating: [], count: count), [[Float]](repeating: [], count: count))
        var state: UInt32 = 7
        for _ in 0..<(48_000 / block) {
            for channel in 0..<count {
                for i in 0..<block {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    rows[channel][i] = Float(state >> 8) / Float(1 << 24) - 0.5
                }
                went[channel] += UnsafeBufferPointer(start: rows[channel], count: block)
            }
            let inputs = UnsafeRawPointer(rows.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
            mix.process(inputs, frames: block, controls: controls, feeds: UnsafePointer(made.pointers))
            for channel in 0..<count { came[channel] += UnsafeBufferPointer(start: made[channel], count: block) }
        }
        for channel in 0..<count {
            #expect(came[channel].dropFirst(mix.latencyFrames).elementsEqual(went[channel].dropLast(mix.latencyFrames)))
        }
    }
}

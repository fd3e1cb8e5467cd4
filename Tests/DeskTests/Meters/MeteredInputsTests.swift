import Desk
import Soundstage
import Testing

/// Meters read exactly the input channels. A programme's layout gives the width of its stage, not the number of its
/// channels.
@Suite struct MeteredInputsTests {
    @Test(arguments: [
        (true, false, false, ["main"]), (true, true, false, ["main", "main (stereo)"]),
        (false, true, false, ["main"]), (false, true, true, ["main"]),
    ])
    func everyChannelThatComesInHasOneMeter(multichannel: Bool, stereo: Bool, mono: Bool, names: [String]) throws {
        let programme = Programme(
            layout: try .named("5.1"), hasMultichannelRendition: multichannel, hasStereoRendition: stereo, isMono: mono,
            upmix: stereo ? UpmixPlan() : nil)
        let inputs = LoudnessMonitor.Input.all(of: programme)
        #expect(inputs.map(\.name) == names)
        #expect(inputs.reduce(0) { $0 + $1.weights.count } == programme.inputCount)
    }

    @Test func anEffectHasNoMeter() throws {
        var reverb = Programme(layout: try .named("stereo"))
        reverb.isEffect = true
        #expect(LoudnessMonitor.Input.all(of: reverb).isEmpty)
    }
}

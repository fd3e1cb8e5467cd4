import FakePlugins
import Foundation
import Geometry
import SeededRandom
import Signal
import Soundstage
import Testing

@testable import Inserts
@testable import Rendering

/// Chains at all kinds of places change at random during a tone, while the head turns. Each change alters the delays of
/// the other places.
@Suite struct InsertPlacesChangeTests {
    /// Delay of a place in a slice, frames: before and after the change under way; and the frame of the fade at which
    /// the slice begins, nil without a fade.
    private struct Lateness {
        var from: Int
        var to: Int
        var fade: Int?
    }

    /// Returns the delay of each place in the slice just rendered.
    private static func look(_ renderer: StageRenderer, before: (InsertPhase, Int)) -> [Lateness] {
        let stage = renderer.inserts.handle
        guard let plan = stage.pointee.plan?.pointee else {
            return .init(repeating: Lateness(from: 0, to: 0), count: renderer.inserts.places.count)
        }
        let (phase, position) = (stage.pointee.phase, stage.pointee.position)
        var begun: Int?
        if phase == .fading && position >= 64 { begun = position - 64 }
        if phase == .steady && before.0 == .fading { begun = before.1 }
        return (0..<plan.count).map { place in
            let slot = plan.slots[place]
            var late = Lateness(from: slot.fromDelay, to: slot.toDelay, fade: begun.map { $0 - slot.lag })
            for index in 0..<slot.count {
                let change = slot.entries[index].change
                if change.isOld { late.from += change.fromLatency }
                if change.isNew { late.to += change.toLatency }
            }
            if phase == .steady && begun == nil { late.from = late.to }
            return late
        }
    }

    /// Returns a signal through a place: with the old delay, crossfaded to the new one.
    private static func reference(_ signal: [Float], _ slices: [Lateness]) -> [Float] {
        let curve = InsertFade.curve(sampleRate: .studio)
        return signal.indices.map { frame in
            let slice = slices[frame / 64]
            let (old, new) = (frame - slice.from, frame - slice.to)
            let (was, willBe) = (old >= 0 ? signal[old] : 0, new >= 0 ? signal[new] : 0)
            guard let fade = slice.fade, fade + frame % 64 >= 0 else { return was }
            return was + (willBe - was) * curve[min(fade + frame % 64, curve.count - 1)]
        }
    }

    /// Makes one random change at the end of a chain, behind the plugins that stay.
    private static func change(_ chain: inout [InsertRequest], channels: Int, _ dice: inout SplitMix) {
        func plugin(_ dice: inout SplitMix) -> InsertRequest {
            let delay = [0, 1, 64, 240].randomElement(using: &dice) ?? 0
            return FakePlugin(channels: channels, delay: delay).request(channels: channels)
        }
        switch Int.random(in: 0..<4, using: &dice) {
        case 1 where !chain.isEmpty: chain.removeLast()
        case 2 where !chain.isEmpty: chain[chain.count - 1] = plugin(&dice)
        case 3 where !chain.isEmpty: chain[chain.count - 1].isBypassed.toggle()
        default:
            if chain.count > 1 { return chain = [] }
            chain.append(plugin(&dice))
        }
    }

    @Test func `Whatever place changes, all that is heard is the steady stages crossfaded`() throws {
        let isSoak = ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] == "1"
        let (seconds, wanted) = isSoak ? (170, 1000) : (22, 120)
        let programmes = try EffectTests.twoInputs()
        let layout = try Layout.named("stereo")
        let format = try AmbisonicFormat(order: 1, convention: .n3d)
        let poses = try InsertChangeTests.turning(seconds: Double(seconds))
        let renderer = try EffectTests.stage(
            programmes, returning: layout, sends: [(0, 0.5), (1, 1)], poses: poses, field: format)
        let places = renderer.inserts.places
        var dice = SplitMix(state: isSoak ? 1414 : 141)
        var chains = [[InsertRequest]](repeating: [], count: places.count)
        var slices: [[Lateness]] = []
        var (changes, before) = (0, (InsertPhase.steady, 0))
        let tone = (0..<48_000 * seconds).map(InsertChangeTests.tone)
        let field = planeWave(tone, order: 1, azimuth: 50)
        let heard = render(renderer, .init(repeating: tone, count: 7) + field, periods: [64]) { _ in
            PeriodTime()
        } between: { done in
            if done > 0 { slices.append(Self.look(renderer, before: before)) }
            let stage = renderer.inserts.handle
            before = (stage.pointee.phase, stage.pointee.position)
            renderer.inserts.advance()
            if changes < wanted, renderer.inserts.isSettled {
                let kinds = [
                    0, 1, 2, places.loudspeaker(Int.random(in: 0..<9, using: &dice)), places.programme(3), places.ears,
                ]
                let place = kinds.randomElement(using: &dice) ?? 0
                Self.change(&chains[place], channels: places.channels[place], &dice)
                renderer.inserts.ask(for: chains)
                changes += 1
            }
        }
        slices.append(Self.look(renderer, before: before))
        #expect(changes == wanted)

        func through(_ place: Int, _ signal: [Float]) -> [Float] { Self.reference(signal, slices.map { $0[place] }) }
        let (main, talk) = (through(0, tone), through(1, tone))
        let played = [[Float]](repeating: main, count: 6) + [talk]
        let sent = try EffectTests.sent(played, programmes, to: layout, gains: [0.5, 1])
        let fed = (played + sent.map { through(2, $0) }).enumerated().map { through(places.loudspeaker($0), $1) }
        let plain = render(
            try EffectTests.stage(programmes, returning: layout, poses: poses, field: format),
            fed + field.map { through(places.programme(3), $0) }, periods: [64])
        let expected = Ears(left: through(places.ears, plain.left), right: through(places.ears, plain.right))
        let null = heard.error(against: expected)
        #expect(null < -80, "null \(null) dB")
        let high = InsertChangeTests.aboveFourKilohertz(heard, beside: plain)
        #expect(high < -74, "above 4 kHz \(high) dB")
    }
}

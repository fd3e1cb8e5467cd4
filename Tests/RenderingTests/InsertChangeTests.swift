import FakePlugins
import Foundation
import Geometry
import SeamMeasures
import SeededRandom
import Signal
import Soundstage
import Testing

@testable import Inserts
@testable import Rendering

/// Chains that change all the time during a tone, while the head turns.
@Suite struct InsertChangeTests {
    /// A chain's plan in one slice: each insert's mode before and after the change, and the frame of the fade at which
    /// the slice begins; nil without a fade.
    private struct Piece {
        var entries: [(node: ThreadOwned<InsertNode>, from: InsertMode, to: InsertMode, latency: Int)] = []
        var fade: Int?
    }

    /// Returns the plan of a place's chain in the slice just rendered.
    private static func look(_ renderer: StageRenderer, place: Int, before: (InsertPhase, Int)) -> Piece {
        let stage = renderer.inserts.handle
        guard let plan = stage.pointee.plan?.pointee else { return Piece() }
        let (phase, position) = (stage.pointee.phase, stage.pointee.position)
        var piece = Piece()
        if phase == .fading && position >= 64 { piece.fade = position - 64 }
        if phase == .steady && before.0 == .fading { piece.fade = before.1 }
        let isSettled = phase == .steady && piece.fade == nil
        let slot = plan.slots[place]
        piece.entries = (0..<slot.count).map { index in
            let entry = slot.entries[index]
            let change = entry.change
            return (
                entry.node, isSettled ? change.to : change.from, change.to,
                max(change.fromLatency, change.toLatency)
            )
        }
        return piece
    }

    /// Returns a signal through the chain of `pieces`, delays of unity gain. Where inserts come and go there are two
    /// paths, crossfaded before an insert that stays, or at the end.
    private static func reference(_ signal: [Float], _ pieces: [Piece]) -> [Float] {
        let curve = InsertFade.curve(sampleRate: .studio)
        var heard: [ThreadOwned<InsertNode>: (from: Int, input: [Float])] = [:]
        var out = signal
        for (index, piece) in pieces.enumerated() {
            let range = index * 64..<(index + 1) * 64
            var (old, new) = (Array(out[range]), Array(out[range]))
            func join() {
                for i in 0..<64 {
                    let weight = piece.fade.map { curve[min($0 + i, curve.count - 1)] } ?? 0
                    old[i] += (new[i] - old[i]) * weight
                }
                new = old
            }
            for entry in piece.entries {
                if entry.from != .absent && entry.to != .absent { join() }
                if heard[entry.node] == nil { heard[entry.node] = (index * 64, []) }
                heard[entry.node]?.input += entry.from == .absent ? new : old
                guard let (begin, input) = heard[entry.node] else { continue }
                let late = range.map { frame in
                    let at = frame - begin - entry.latency
                    return at >= 0 ? input[at] : 0
                }
                if entry.from != .absent { old = late }
                if entry.to != .absent { new = late }
            }
            join()
            out.replaceSubrange(range, with: old)
        }
        return out
    }

    /// Makes one random change to a chain of plugins of unity gain, some of which delay.
    private static func change(_ chain: inout [InsertRequest], channels: Int, _ dice: inout SplitMix) {
        let count = chain.count
        switch Int.random(in: 0..<4, using: &dice) {
        case 1 where count > 0: chain.remove(at: Int.random(in: 0..<count, using: &dice))
        case 2 where count > 1:
            let request = chain.remove(at: Int.random(in: 0..<count, using: &dice))
            chain.insert(request, at: Int.random(in: 0..<count, using: &dice))
        case 3 where count > 0: chain[Int.random(in: 0..<count, using: &dice)].isBypassed.toggle()
        default:
            if count > 3 { return chain = [] }
            let delay = [0, 1, 64, 240].randomElement(using: &dice) ?? 0
            chain.insert(
                FakePlugin(channels: channels, delay: delay).request(channels: channels),
                at: Int.random(in: 0...count, using: &dice))
        }
    }

    /// Returns a sample of a 1 kHz tone.
    static func tone(_ frame: Int) -> Float {
        Float(0.25 * sin(2 * Double.pi * 1000 * Double(frame) / 48_000))
    }

    /// Returns a head that turns to and fro, 69° each way, with a period of 3.3 s.
    static func turning(seconds: Double) throws -> PoseSource {
        .log(
            try PoseLog(
                (0...Int(seconds * 50) + 50).map {
                    PoseLog.Entry(
                        seconds: Double($0) / 50,
                        headToStage: Rotation(yaw: 1.2 * sin(2 * Double.pi * 0.3 * Double($0) / 50)))
                }))
    }

    private static func stage(seconds: Double) throws -> StageRenderer {
        try ProgrammeTests.stage([try ProgrammeTests.surround()], poses: try turning(seconds: seconds))
    }

    @Test(arguments: [true, false])
    func `Changes are the steady renders crossfaded by the documented curve`(isAfterEars: Bool) throws {
        let (seconds, wanted) = (50, 250)
        let renderer = try Self.stage(seconds: Double(seconds))
        let places = renderer.inserts.places
        let (place, channels) = isAfterEars ? (places.ears, 2) : (places.programme(0), 6)
        var dice = SplitMix(state: 14)
        var chains = [[InsertRequest]](repeating: [], count: places.count)
        // Inserts are kept alive: no later insert gets the address of a removed one.
        var kept: [InsertMember] = []
        var pieces: [Piece] = []
        var (changes, before) = (0, (InsertPhase.steady, 0))
        let tone = (0..<48_000 * seconds).map(Self.tone)
        let heard = render(renderer, .init(repeating: tone, count: 6), periods: [64]) { _ in
            PeriodTime()
        } between: { done in
            if done > 0 { pieces.append(Self.look(renderer, place: place, before: before)) }
            let stage = renderer.inserts.handle
            before = (stage.pointee.phase, stage.pointee.position)
            renderer.inserts.advance()
            if changes < wanted, renderer.inserts.isSettled {
                Self.change(&chains[place], channels: channels, &dice)
                kept += chains[place].map(\.member)
                renderer.inserts.ask(for: chains)
                changes += 1
            }
        }
        pieces.append(Self.look(renderer, place: place, before: before))
        #expect(changes == wanted)
        let fed = isAfterEars ? tone : Self.reference(tone, pieces)
        let plain = render(try Self.stage(seconds: Double(seconds)), .init(repeating: fed, count: 6), periods: [64])
        let expected =
            isAfterEars
            ? Ears(left: Self.reference(plain.left, pieces), right: Self.reference(plain.right, pieces)) : plain
        let null = heard.error(against: expected)
        #expect(null < -80, "null \(null) dB")
        let high = Self.aboveFourKilohertz(heard, beside: plain)
        #expect(high < -74, "above 4 kHz \(high) dB")
    }

    /// Returns the largest sample above 4 kHz after the first 100 ms, dB re the largest sample of the steady render.
    static func aboveFourKilohertz(_ heard: Ears, beside steady: Ears) -> Double {
        zip([heard.left, heard.right], [steady.left, steady.right]).map { ear, steady in
            // Filtered twice: one filter would leave the tone itself at −72 dB.
            let once = HighPass.over(4000, ear, 48_000).map { Float($0) }
            let high = HighPass.over(4000, once, 48_000).dropFirst(4800).map { abs($0) }.max() ?? 1
            return 20 * log10(high / Double(steady.map { abs($0) }.max() ?? 0))
        }.max() ?? 0
    }

    @Test func `The head's pose is forecast for when the sound has passed the plugins after the ears`() throws {
        let renderer = try ProgrammeTests.stage([try ProgrammeTests.surround()], poses: .mailbox)
        // The head turns at 1 rad/s, so the forecast yaw shows for which time the forecast was made.
        renderer.mailbox.store(
            PoseForecast(pose: Rotation(yaw: 0), rate: SIMD3(0, 0, 1), time: 10, horizon: 10))
        func yaw(_ frames: Int) -> Double {
            _ = render(renderer, .init(repeating: .init(repeating: 0, count: 64), count: 6), periods: [64]) { _ in
                PeriodTime(live: true, heardAt: 10 + Double(frames) / 48_000)
            }
            return renderer.telemetry()?.headToStage.yaw ?? .nan
        }
        for frame in 0..<100 { _ = yaw(frame * 64) }
        let without = yaw(100 * 64)
        var chains = [[InsertRequest]](repeating: [], count: renderer.inserts.places.count)
        chains[renderer.inserts.places.ears] = [FakePlugin(channels: 2, delay: 304).request(channels: 2)]
        renderer.inserts.ask(for: chains)
        for frame in 101..<300 {
            _ = yaw(frame * 64)
            renderer.inserts.advance()
        }
        let with = yaw(300 * 64) - 200 * 64 / 48_000.0
        #expect(abs(with - without - 304 / 48_000.0) < 2e-5)
        #expect(renderer.latencyFrames == 304)
    }
}

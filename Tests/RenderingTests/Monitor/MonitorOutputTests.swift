import Foundation
import SeamMeasures
import Signal
import Testing

@testable import Rendering

/// Sound that bypasses the stage: a reference instead of it, and talkback added to it.
@Suite struct MonitorOutputTests {
    /// Plays `stage`; `asking` changes the controls and the gate before each period. Returns `[ear][frame]`.
    private static func play(
        _ stage: [Float], reference: [Float]? = nil, talkback: [Float]? = nil, isGuarded: Bool = false,
        periods: [Int] = [256], asking: (Int, inout MonitorControls, inout Bool) -> Void
    ) -> [[Float]] {
        var output = MonitorOutput(isGuarded: isGuarded, sampleRate: 48_000)
        var (ears, wanted, isOpen) = ([stage, stage], MonitorControls(), true)
        var (done, turn) = (0, 0)
        while done < stage.count {
            let count = min(periods[turn % periods.count], stage.count - done)
            asking(done, &wanted, &isOpen)
            // The right channel of the reference is inverted, to tell it from the left.
            var (left, right) = (Array(ears[0][done..<done + count]), Array(ears[1][done..<done + count]))
            let row = reference.map { Array($0[done..<done + count]) } ?? []
            let (other, voice) = (row.map { -$0 }, talkback.map { Array($0[done..<done + count]) } ?? [])
            row.withUnsafeBufferPointer { row in
                other.withUnsafeBufferPointer { other in
                    voice.withUnsafeBufferPointer { voice in
                        var feed = MonitorFeed()
                        if !row.isEmpty { (feed.left, feed.right) = (row.baseAddress, other.baseAddress) }
                        if !voice.isEmpty { feed.talkback = voice.baseAddress }
                        left.withUnsafeMutableBufferPointer { left in
                            right.withUnsafeMutableBufferPointer { right in
                                guard let l = left.baseAddress, let r = right.baseAddress else { return }
                                output.process(l, r, count: count, wanted: wanted, feed: feed, isOpen: isOpen)
                            }
                        }
                    }
                }
            }
            ears[0].replaceSubrange(done..<done + count, with: left)
            ears[1].replaceSubrange(done..<done + count, with: right)
            done += count
            turn += 1
        }
        return ears
    }

    private static func tone(_ hertz: Double, _ count: Int, peak: Double = 0.5) -> [Float] {
        (0..<count).map { Float(peak * sin(2 * .pi * hertz * Double($0) / 48_000)) }
    }

    @Test func `While it is not wanted, what comes past the stage changes no bit`() {
        let (stage, other) = (Self.tone(440, 4800), Self.tone(1000, 4800))
        let ears = Self.play(stage, reference: other, talkback: other) { _, _, _ in }
        #expect(ears == [stage, stage])
    }

    @Test func `The reference is to the bit what is delivered, and so is the stage afterwards`() {
        let (stage, other) = (Self.tone(440, 24_000), Self.tone(1000, 24_000))
        let ears = Self.play(stage, reference: other) { done, wanted, _ in
            wanted.hearsReference = (4800..<14_000).contains(done)
        }
        let (during, after) = (4800 + 256 + 960..<14_000, 14_000 + 256 + 960..<24_000)
        #expect(Array(ears[0][during]) == Array(other[during]))
        #expect(Array(ears[1][during]) == other[during].map { -$0 })
        #expect(Array(ears[0][after]) == Array(stage[after]))
    }

    @Test(arguments: [100.0, 440, 1000])
    func `It is heard to come and go by what it brings alone`(hertz: Double) {
        let (stage, other) = (Self.tone(hertz, 48_000), Self.tone(hertz, 48_000, peak: 0.2))
        let ears = Self.play(stage, reference: other, talkback: other) { done, wanted, _ in
            wanted.hearsReference = done > 9000 && done < 21_000
            wanted.talkbackGain = done > 15_000 && done < 33_000 ? 0.7 : 0
        }
        for ear in ears {
            // Filtered twice: one filter would leave the tone itself at −72 dB.
            let high = HighPass.over(4000, HighPass.over(4000, ear, 48_000).map { Float($0) }, 48_000)
            let tone = stage[2400..<7200].reduce(0.0) { $0 + Double($1) * Double($1) } / 4800
            for moment in [9216, 15_104, 21_248, 33_280] {
                let window = moment - 480..<moment + 3360
                let energy = window.reduce(0.0) { $0 + high[$1] * high[$1] } / Double(window.count)
                let level = 10 * log10(energy / tone)
                #expect(level < -74, "\(hertz) Hz at \(moment): \(level) dB")
            }
        }
    }

    @Test func `A voice is over what the monitor plays, however loud that is, and cuts make no difference`() {
        let (stage, voice) = (Self.tone(440, 12_000), Self.tone(1000, 12_000))
        func ears(_ periods: [Int]) -> [[Float]] {
            Self.play(stage, talkback: voice, periods: periods) { done, wanted, _ in
                (wanted.level, wanted.isMono) = (0.1, true)
                if done >= 2400 { wanted.talkbackGain = 0.5 }
            }
        }
        let heard = ears([240])
        for frame in 2400 + 240 + 960..<12_000 {
            #expect(abs(heard[0][frame] - (0.1 * stage[frame] + 0.5 * voice[frame])) < 1e-7)
        }
        #expect(heard[0] == heard[1])
        #expect(heard == ears([48, 16, 96, 80]))
    }

    @Test func `The sum stays within full scale where the ears are guarded`() {
        let loud = Self.tone(440, 24_000, peak: 0.99)
        let hot = loud.map { $0 * 4 }
        let ears = Self.play(loud, reference: hot, talkback: hot, isGuarded: true) { done, wanted, _ in
            wanted.hearsReference = done > 6000 && done < 12_000
            wanted.talkbackGain = done > 9000 && done < 18_000 ? 2 : 0
        }
        #expect(ears.joined().allSatisfy { abs($0) <= 1 })
        #expect(Array(ears[0][..<6000]) == Array(loud[..<6000]))
    }

    @Test func `What is no number is silence, and a closed gate closes all`() {
        var broken = Self.tone(440, 9600)
        for frame in stride(from: 0, to: 9600, by: 7) { broken[frame] = frame % 2 == 0 ? .nan : .infinity }
        let silence = [Float](repeating: 0, count: 9600)
        let ears = Self.play(silence, reference: broken, talkback: broken) { done, wanted, isOpen in
            (wanted.hearsReference, wanted.talkbackGain, isOpen) = (true, 1, done < 4800)
        }
        #expect(ears.joined().allSatisfy { abs($0) <= 1 })
        #expect(ears[0][2400..<4800].contains { $0 != 0 })
        let shut = 4800 + 256 + 240..<9600
        #expect(ears.allSatisfy { $0[shut].allSatisfy { $0 == 0 } })
    }
}

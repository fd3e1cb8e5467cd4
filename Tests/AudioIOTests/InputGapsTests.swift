import Testing

@testable import AudioIO

@Suite struct InputGapsTests {
    /// Feeds periods of 64 frames of two inputs; returns the gap found at the end of each.
    private func gaps(_ periods: [(Int, Int) -> Float]) -> [Int] {
        var gaps = InputGaps()
        return periods.map { sample in
            let rows = (0..<2).map { row in (0..<64).map { sample(row, $0) } }
            return rows[0].withUnsafeBufferPointer { first in
                rows[1].withUnsafeBufferPointer { second in
                    var both = [first.baseAddress!, second.baseAddress!]
                    return both.withUnsafeMutableBufferPointer { gaps.look($0.baseAddress!, count: 2, frames: 64) }
                }
            }
        }
    }

    private let sound: (Int, Int) -> Float = { row, _ in row == 1 ? 0.1 : 0 }
    private let silence: (Int, Int) -> Float = { _, _ in 0 }

    @Test func wholePeriodsOfSilenceBetweenSoundAreAGap() {
        #expect(gaps([sound, silence, sound, sound]) == [0, 0, 64, 0])
        #expect(gaps([sound, silence, silence, silence, sound]) == [0, 0, 0, 0, 192])
    }

    @Test func aPauseOfTheProgrammeIsNone() {
        let fading: (Int, Int) -> Float = { _, frame in frame < 32 ? 0.1 : 0 }
        let coming: (Int, Int) -> Float = { _, frame in frame < 32 ? 0 : 0.1 }
        #expect(gaps([fading, silence, sound]) == [0, 0, 0])
        #expect(gaps([sound, silence, coming, sound]) == [0, 0, 0, 0])
        #expect(gaps([silence, sound, fading, coming]) == [0, 0, 0, 0])
    }

    @Test func aPlayerThatWasStoppedIsNone() {
        let pause = Array(repeating: silence, count: 16_384 / 64 + 1)
        #expect(gaps([sound] + pause + [sound]).allSatisfy { $0 == 0 })
        #expect(gaps([sound] + pause.dropLast() + [sound]).last == 16_384)
    }
}

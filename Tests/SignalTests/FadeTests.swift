import Foundation
import Testing

@testable import Signal

@Suite struct FadeTests {
    @Test func aSoundComesInAndGoesInSoManyFrames() {
        var fade = Fade(length: 4, isIn: false)
        #expect((0..<6).map { fade.line(ahead: $0, comes: true) } == [0.25, 0.5, 0.75, 1, 1, 1])
        #expect(fade.isOut && !fade.isIn)
        fade.advance(3, comes: true)
        #expect([true, false].map { fade.line(ahead: -1, comes: $0) } == [0.75, 0.75])
        #expect((0..<4).map { fade.line(ahead: $0, comes: false) } == [0.5, 0.25, 0, 0])
        fade.advance(9, comes: true)
        #expect(fade.isIn && fade.position == 4)
        fade.jump(isIn: false)
        #expect(fade.isOut)
    }

    @Test func whereAStreamIsCutMakesNoDifferenceToABit() {
        func gains(_ pieces: [Int]) -> [Float] {
            var fade = Fade(length: 37, isIn: false)
            var (heard, done): ([Float], Int) = ([], 0)
            for piece in pieces {
                // The fade reverses after 20 frames and after 30.
                let comes = done < 20 || done >= 30
                heard += (0..<piece).map { fade.smooth(ahead: $0, comes: comes) }
                fade.advance(piece, comes: comes)
                done += piece
            }
            return heard
        }
        let whole = gains([20, 10, 70])
        #expect(gains([1, 19, 3, 7, 64, 6]) == whole)
        #expect(whole.last == 1 && zip(whole, whole.dropFirst()).allSatisfy { abs($0 - $1) < 2 / 37 })
    }

    @Test func theSmoothCourseHasNoCorners() {
        let fade = Fade(length: 1000, isIn: false)
        let gains = (0..<1000).map { Double(fade.smooth(ahead: $0, comes: true)) }
        #expect(gains[999] == 1 && gains[499] == 0.5)
        let slopes = zip(gains, gains.dropFirst()).map { $1 - $0 }
        #expect(slopes[0] < 1e-5 && slopes[998] < 1e-5 && slopes.allSatisfy { $0 > -1e-6 })
    }

    @Test func aRaisedCosineRisesFromNothingToAll() {
        #expect(RaisedCosine.value(0) == 0 && RaisedCosine.value(1) == 1 && RaisedCosine.value(2) == 1)
        #expect(RaisedCosine.value(-1) == 0 && abs(RaisedCosine.value(0.5) - 0.5) < 1e-15)
        for i in 0...10 { #expect(abs(RaisedCosine.value(i, of: 10) - RaisedCosine.value(Double(i) / 10)) < 1e-15) }
    }
}

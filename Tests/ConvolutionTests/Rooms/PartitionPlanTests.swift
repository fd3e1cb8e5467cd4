import Testing

@testable import Convolution

@Suite struct PartitionPlanTests {
    @Test(arguments: [64, 128, 256], [1, 100, 3840, 8192, 24_000, 96_000, 200_000])
    func levelsCoverEveryTapOnceAndAreNeverLate(_ slice: Int, _ taps: Int) {
        for sources in [1, 2, 6, 12, 64] {
            let levels = PartitionPlan(taps: 0..<taps, slice: slice, sources: sources).levels
            #expect(levels.first?.block == slice && levels.first?.taps.lowerBound == 0)
            for (level, next) in zip(levels, levels.dropFirst()) {
                #expect(level.taps.upperBound == next.taps.lowerBound && level.block < next.block)
                #expect(next.taps.lowerBound >= 2 * next.block)
            }
            guard let last = levels.last else { continue }
            #expect(last.taps.upperBound >= taps && last.taps.upperBound < taps + last.block)
        }
    }

    @Test func aTailBeginsAtItsFirstTap() {
        for start in [512, 3840, 10_000] {
            let levels = PartitionPlan(taps: start..<50_000, slice: 256, sources: 1).levels
            guard let first = levels.first else {
                Issue.record("no level")
                continue
            }
            #expect(first.taps.contains(start) && first.first >= 2)
        }
    }

    @Test(arguments: [64, 256], [1, 12])
    func everyUnitOfWorkIsSmallAndEachBinIsWorkedOnOnce(_ slice: Int, _ sources: Int) {
        for level in PartitionPlan(taps: 0..<96_000, slice: slice, sources: sources).levels.dropFirst() {
            let radix = PartitionLevel.radix(block: level.block)
            let work = LevelWork(level: level, slice: slice, sources: sources, radix: radix)
            let sums = work.perState.filter { $0.kind == .sum }
            #expect(sums.first?.from == 0 && sums.last?.to == level.block / 16)
            for (unit, next) in zip(sums, sums.dropFirst()) { #expect(unit.to == next.from) }
            let transformed = work.forward.filter { $0.kind == .transform }.reduce(0) { $0 + $1.to - $1.from }
            #expect(transformed == sources * radix)
            #expect(work.perState.filter { $0.kind == .restore }.reduce(0) { $0 + $1.to - $1.from } == 2 * radix)
            for unit in work.forward + work.perState { #expect(unit.cost < 4000) }
        }
    }
}

@Suite struct YawSpanTests {
    @Test func weightsOfASpanAddUpToOneWhereverItIsHeard() {
        for position in stride(from: -7.0, through: 9.0, by: 0.13) {
            let span = YawSpan(at: position)
            #expect(span.covers(position) && span.count <= 2)
            let sum = (0..<span.count).reduce(Float(0)) { $0 + span.weight($1, at: position) }
            #expect(abs(sum - 1) < 1e-6)
        }
        #expect(YawSpan(at: -1).row(0, of: 12) == 11 && YawSpan(at: 12).row(0, of: 12) == 0)
    }

    @Test func aSpanForABlockToComeSharesAYawWithTheOneBefore() {
        var before = YawSpan(at: 0)
        for (start, end) in [(0.0, 0.2), (0.3, 1.9), (3.0, 7.5), (20, 20.5), (9, 2), (-30, -31), (-30, -30)] {
            let span = YawSpan(from: start, to: end, margin: 0.1, after: before)
            #expect((1...YawSpan.most).contains(span.count))
            #expect(max(span.low, before.low) <= min(span.high, before.high))
            before = span
        }
    }

    @Test func aFadeFollowsTheStraightWayAcrossYaws() {
        let span = YawSpan(from: 1.5, to: 3.6)
        for (start, end) in [(1.5, 3.6), (3.6, 1.5), (2, 3), (3, 2), (2.5, 2.5)] {
            var passed = 0
            while passed < 64 {
                let fade = YawFade(from: start, to: end, frames: 64, passed: passed, wanted: 64 - passed)
                for i in 0..<fade.frames {
                    let position = start + (end - start) * Double(passed + i) / 64
                    for yaw in 0..<span.count {
                        let (gain, step) = fade.gain(of: yaw, in: span)
                        #expect(abs(gain + step * Float(i) - span.weight(yaw, at: position)) < 1e-5)
                    }
                }
                passed += fade.frames
            }
            #expect(passed == 64)
        }
    }
}

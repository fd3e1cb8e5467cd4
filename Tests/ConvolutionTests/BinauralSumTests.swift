import Signal
import Testing

@testable import Convolution

/// A reproducible signal in −1…1 (linear congruence, Knuth's MMIX constants).
private func noise(_ count: Int, seed: Int) -> [Float] {
    var state = UInt64(seed) &* 2_862_933_555_777_941_757 &+ 3_037_000_493
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }
}

/// Inputs and filters of a stage for tests: `[source][frame]`, `[state][source][ear][tap]`.
private struct Stage {
    var inputs: [[Float]]
    var filters: [[[[Float]]]]

    init(sources: Int, frames: Int, taps: Int, states: Int) {
        inputs = (0..<sources).map { noise(frames, seed: $0) }
        filters = (0..<states).map { state in
            (0..<sources).map { source in
                (0..<2).map { ear in noise(taps, seed: 1000 + 100 * state + 2 * source + ear) }
            }
        }
    }

    /// One ear in one state, by the definition of convolution in double precision.
    func defined(state: Int, ear: Int) -> [Double] {
        (0..<inputs[0].count).map { frame in
            var sum = 0.0
            for (source, x) in inputs.enumerated() {
                let h = filters[state][source][ear]
                for k in 0..<min(h.count, frame + 1) { sum += Double(h[k]) * Double(x[frame - k]) }
            }
            return sum
        }
    }

    /// Both ears in one state, slice by slice; a slice is cut at the given frames, if any.
    func summed(slice: Int, cuts: [Int] = []) -> [[[Float]]] {
        let states = filters.count
        let shape = LaneShape(sourceCount: inputs.count, slice: slice)
        let fourier = LaneFourier(length: 2 * slice, lanes: shape.lanes)
        let filters = StageFilters(shape: shape, tapCount: self.filters[0][0][0].count, stateCount: states)
        for (state, sources) in self.filters.enumerated() {
            for (source, pair) in sources.enumerated() {
                filters.setTaps(source: source, gain: 1, left: pair[0], right: pair[1], count: pair[0].count)
            }
            filters.refresh(state: state, with: fourier)
        }
        var history = InputHistory(shape: shape, capacity: filters.partitions)
        let sum = BinauralSum(shape: shape)
        let views = (0..<states).map { FilterState(filters, state: $0) }
        var result = (0..<states).map { _ in [[Float]](repeating: [], count: 2) }
        for start in stride(from: 0, to: inputs[0].count, by: slice) {
            for (source, x) in inputs.enumerated() {
                for i in 0..<slice { history.samples(ofSource: source)[i] = x[start + i] }
            }
            var from = 0
            for to in cuts + [slice] {
                history.transform(from: from, to: to, with: fourier)
                if from == 0 && to == slice {
                    sum.whole(history, views, count: states, with: fourier)
                } else {
                    sum.part(history, views, count: states, isFirst: from == 0, with: fourier)
                }
                for state in 0..<states {
                    var (left, right) = ([Float](repeating: 0, count: slice), [Float](repeating: 0, count: slice))
                    sum.state(state, of: states, from: from, count: to - from, left: &left, right: &right)
                    result[state][0] += left[..<(to - from)]
                    result[state][1] += right[..<(to - from)]
                }
                from = to
            }
            history.advance()
        }
        return result
    }
}

@Suite struct BinauralSumTests {
    @Test(arguments: [1, 4, 5, 12, 16, 17, 40], [64, 128, 256])
    func everyStateAndEarEqualsDirectConvolution(_ sources: Int, _ slice: Int) {
        for (taps, states) in [(1, 1), (slice, 2), (slice + 1, 3), (300, 2)] {
            let stage = Stage(sources: sources, frames: 768, taps: taps, states: states)
            let whole = stage.summed(slice: slice)
            let parts = stage.summed(slice: slice, cuts: [1, 17, slice / 2])
            for state in 0..<states {
                for ear in 0..<2 {
                    let exact = stage.defined(state: state, ear: ear)
                    let power = exact.reduce(0) { $0 + $1 * $1 }
                    for got in [whole[state][ear], parts[state][ear]] {
                        let error = zip(got, exact).reduce(0.0) { $0 + (Double($1.0) - $1.1) * (Double($1.0) - $1.1) }
                        #expect(error < 1e-12 * power, "taps \(taps), state \(state), ear \(ear)")
                    }
                }
            }
        }
    }

    @Test func fewSourcesCarryFewEmptyLanes() {
        for (sources, lanes, groups) in [
            (0, 4, 1), (1, 4, 1), (4, 4, 1), (5, 8, 1), (8, 8, 1), (9, 16, 1), (17, 16, 2),
        ] {
            let shape = LaneShape(sourceCount: sources, slice: 64)
            #expect(shape.lanes == lanes && shape.groups == groups)
        }
    }

    @Test func aResetHistoryIsSilent() {
        let shape = LaneShape(sourceCount: 3, slice: 64)
        let fourier = LaneFourier(length: 128, lanes: shape.lanes)
        var history = InputHistory(shape: shape, capacity: 4)
        let filters = StageFilters(shape: shape, tapCount: 200, stateCount: 1)
        let response = noise(200, seed: 4)
        for source in 0..<3 { filters.setTaps(source: source, gain: 2, left: response, right: response, count: 200) }
        filters.refresh(state: 0, with: fourier)
        let sum = BinauralSum(shape: shape)
        for round in 0..<6 {
            if round == 4 { history.reset() }
            for i in 0..<64 { history.samples(ofSource: 1)[i] = round < 4 ? Float(i) : 0 }
            history.transform(from: 0, to: 64, with: fourier)
            sum.whole(history, [FilterState(filters, state: 0)], count: 1, with: fourier)
            var (left, right) = ([Float](repeating: 9, count: 64), [Float](repeating: 9, count: 64))
            sum.ears(from: 0, count: 64, states: 1, fade: 64, left: &left, right: &right)
            #expect(left.contains { $0 != 0 } == (round < 4) && right.contains { $0 != 0 } == (round < 4))
            history.advance()
        }
    }
}

import Signal
import Testing

@testable import Convolution

/// Returns a reproducible signal in −1…1 (linear congruence, Knuth's MMIX constants).
private func noise(_ count: Int, seed: Int) -> [Float] {
    var state = UInt64(seed) &* 2_862_933_555_777_941_757 &+ 3_037_000_493
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }
}

/// Inputs and filters of a test stage: `[source][frame]`, `[state][source][ear][tap]`.
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

    /// Returns one ear's output in one state, by the definition of convolution, in double precision.
    func defined(state: Int, ear: Int) -> [Double] {
        (0..<(inputs.first?.count ?? 0)).map { frame in
            var sum = 0.0
            for (source, x) in inputs.enumerated() {
                let h = filters[state][source][ear]
                for k in 0..<min(h.count, frame + 1) { sum += Double(h[k]) * Double(x[frame - k]) }
            }
            return sum
        }
    }

    /// Returns both ears' outputs, `[state][ear][frame]`, rendered slice by slice. Slices are split at the frames in
    /// `cuts`. A slice renders only the states in `heard`; the other states are silent in it.
    func rendered(slice: Int, cuts: [Int] = [], heard: (Int) -> Range<Int>? = { _ in nil }) -> [[[Float]]] {
        let (states, count) = (filters.count, inputs.count)
        let taps = filters[0].first?[0].count ?? 1
        let form = FilterForm(slice: slice, tapCount: taps)
        let convolver = BinauralConvolver(sourceCount: count, form: form)
        let spectra = StageFilters(sourceCount: count, chunks: form.chunks, versionCount: states)
        let fourier = OddFourier(length: form.length)
        for (state, sources) in filters.enumerated() {
            for (source, pair) in sources.enumerated() {
                let at = spectra.filter(ofSource: source, version: state)
                let padded = pair.map { row in
                    row.map { $0 / Float(form.bins) } + [Float](repeating: 0, count: fourier.length - row.count)
                }
                padded[0].withUnsafeBufferPointer { left in
                    padded[1].withUnsafeBufferPointer { right in
                        fourier.forward(
                            count: 2, rows: [left.baseAddress, right.baseAddress], spectra: [at, at + 32],
                            stride: spectra.stride)
                    }
                }
            }
        }
        let lists = (0..<states).map { state in
            (0..<count).map { UnsafePointer<Float>?(UnsafePointer(spectra.filter(ofSource: $0, version: state))) } + [
                nil
            ]
        }
        let pointers = lists.map { list in
            let memory = UnsafeMutablePointer<UnsafePointer<Float>?>.allocate(capacity: list.count)
            memory.initialize(from: list, count: list.count)
            return memory
        }
        defer { for pointer in pointers { pointer.deallocate() } }
        var history = SourceHistory(sourceCount: count, slice: slice, kept: form.reach)
        let ears = StageEars(slice: slice)
        var result = (0..<states).map { _ in [[Float]](repeating: [], count: 2) }
        let frames = inputs.first?.count ?? 4 * slice
        for start in stride(from: 0, to: frames, by: slice) {
            var from = 0
            for to in cuts + [slice] {
                for (source, x) in inputs.enumerated() {
                    for i in from..<to { history.samples(ofSource: source)[i] = x[start + i] }
                }
                history.complete(upTo: to)
                convolver.analyse(history)
                let range = heard(start / slice) ?? 0..<states
                convolver.render(
                    pointers[range].map { FilterList($0) }, count: range.count, stride: spectra.stride, into: ears,
                    first: 0)
                for state in 0..<states {
                    let row = state - range.lowerBound
                    for ear in 0..<2 {
                        result[state][ear] += (from..<to).map { range.contains(state) ? ears.row(row, ear)[$0] : 0 }
                    }
                }
                from = to
            }
            history.advance()
        }
        return result
    }
}

@Suite struct BinauralConvolverTests {
    @Test(arguments: [0, 1, 2, 6, 12, 16, 17, 40], [64, 128, 256])
    func everyStateAndEarEqualsDirectConvolution(_ sources: Int, _ slice: Int) {
        for (taps, states) in [(1, 1), (slice, 2), (slice + 1, 3), (300, 1), (300, 2)] {
            let stage = Stage(sources: sources, frames: 5376, taps: taps, states: states)
            let whole = stage.rendered(slice: slice)
            let parts = stage.rendered(slice: slice, cuts: [1, 17, slice / 2])
            for state in 0..<states {
                for ear in 0..<2 {
                    let exact = stage.defined(state: state, ear: ear)
                    let power = exact.reduce(0) { $0 + $1 * $1 }
                    for got in [whole[state][ear], parts[state][ear]] {
                        let error = zip(got, exact).reduce(0.0) { $0 + (Double($1.0) - $1.1) * (Double($1.0) - $1.1) }
                        #expect(error <= 1e-12 * power, "taps \(taps), state \(state), ear \(ear)")
                    }
                }
            }
        }
    }

    @Test(arguments: [1, 2, 7, 16], [64, 128])
    func filtersThatRestMoveAndRestAgainEqualDirectConvolution(_ sources: Int, _ slice: Int) {
        for taps in [slice + 1, 256, 512] {
            let stage = Stage(sources: sources, frames: 120 * slice, taps: taps, states: 2)
            let heard: (Int) -> Range<Int>? = { index in
                // The old filters, a fade, the new filters, and the old ones again without a fade.
                index < 45 ? 0..<1 : index < 46 ? 0..<2 : index < 95 ? 1..<2 : 0..<1
            }
            for cuts in [[], [1, slice / 2]] {
                let got = stage.rendered(slice: slice, cuts: cuts, heard: heard)
                for state in 0..<2 {
                    for ear in 0..<2 {
                        let exact = stage.defined(state: state, ear: ear)
                        let power = exact.reduce(0) { $0 + $1 * $1 } / 120
                        for index in 0..<120 where heard(index)!.contains(state) {
                            let error = (index * slice..<(index + 1) * slice).reduce(0.0) { sum, frame in
                                let off = Double(got[state][ear][frame]) - exact[frame]
                                return sum + off * off
                            }
                            #expect(error <= 1e-12 * power, "taps \(taps), ear \(ear), slice \(index)")
                        }
                    }
                }
            }
        }
    }

    @Test func filtersThatStayAreHeardThroughShorterTransformsInTime() {
        let convolver = BinauralConvolver(sourceCount: 6, form: FilterForm(slice: 64, tapCount: 256))
        #expect(convolver.slicesToRest == 23)
        #expect(BinauralConvolver(sourceCount: 6, form: FilterForm(slice: 256, tapCount: 256)).slicesToRest == 0)
    }

    @Test func transformsAreAsShortAsTheirFilterAllows() {
        for (slice, taps, length) in [
            (64, 256, 320), (64, 257, 320), (64, 258, 384), (128, 256, 384), (256, 512, 768), (64, 1, 64),
        ] {
            #expect(FilterForm(slice: slice, tapCount: taps).length == length)
        }
    }

    @Test func aResetHistoryIsSilent() {
        var history = SourceHistory(sourceCount: 2, slice: 64, kept: 200)
        for round in 0..<40 {
            for i in 0..<64 { history.samples(ofSource: 1)[i] = Float(64 * round + i) }
            let window = history.window(200)
            #expect((max(0, 136 - 64 * round)..<200).allSatisfy { window[1]?[$0] == Float(64 * round + $0 - 136) })
            history.advance()
        }
        history.reset()
        #expect((0..<200).allSatisfy { history.window(200)[1]?[$0] == 0 })
    }

    @Test func earsFadeFromStateToStateWithoutAStep() {
        let ears = StageEars(slice: 256)
        for state in 0..<3 {
            for ear in 0..<2 { for i in 0..<256 { ears.row(state, ear)[i] = Float(state + 10 * ear) } }
        }
        var (left, right) = ([Float](repeating: 9, count: 256), [Float](repeating: 9, count: 256))
        for (start, count) in [(0, 100), (100, 30), (130, 126)] {
            left.withUnsafeMutableBufferPointer { left in
                right.withUnsafeMutableBufferPointer { right in
                    ears.mix(
                        from: start, count: count, states: 3, fade: 128, left: left.baseAddress! + start,
                        right: right.baseAddress! + start)
                }
            }
        }
        for i in 0..<256 {
            let wanted = Float(i) / 128
            #expect(abs(left[i] - wanted) < 1e-5 && abs(right[i] - 10 - wanted) < 1e-5)
        }
    }
}

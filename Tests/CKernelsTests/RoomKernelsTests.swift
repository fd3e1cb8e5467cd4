import CKernels
import Foundation
import Testing

/// Sixteen-bin chunks of reproducible values in −1…1, 64-byte aligned.
private final class Row {
    let start: UnsafeMutablePointer<Float>
    let count: Int

    init(_ count: Int, seed: UInt64 = 0) {
        self.count = count
        start = UnsafeMutableRawPointer.allocate(byteCount: max(64, 4 * count), alignment: 64)
            .bindMemory(to: Float.self, capacity: max(16, count))
        var state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493
        for i in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            start[i] = seed == 0 ? 0 : Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
        }
    }

    deinit { start.deallocate() }

    /// Bin `k` of a spectrum whose chunks are `stride` floats apart.
    func bin(_ k: Int, stride: Int = 32, from offset: Int = 0) -> (re: Double, im: Double) {
        let at = offset + k / 16 * stride + k % 16
        return (Double(start[at]), Double(start[at + 16]))
    }
}

private let sets = ["sse2", "avx2", "avx512"].compactMap { (name: String) in prk_table_named(name)?.pointee.rooms }

@Suite struct RoomKernelsTests {
    @Test func sumsAreProductsOfSpectraInBothForms() {
        // Three partitions of two sources in a ring of three slots, the second being the newest; four chunks.
        let (chunks, sources, partitions) = (4, 2, 3)
        let inputs = Row(chunks * partitions * sources * 32, seed: 1)
        let filters = Row(chunks * partitions * sources * 64, seed: 2)
        let (inputStride, filterStride) = (partitions * sources * 32, partitions * sources * 64)
        /// Σ over partitions `range`, inputs `late` blocks later, in double precision.
        func defined(_ k: Int, ear: Int, _ range: Range<Int>, late: Int) -> (re: Double, im: Double) {
            var sum = (re: 0.0, im: 0.0)
            for p in range {
                for s in 0..<sources {
                    let slot = (1 + p - late) % partitions
                    let x = inputs.bin(k, stride: inputStride, from: (slot * sources + s) * 32)
                    let h = filters.bin(k, stride: filterStride, from: (p * sources + s) * 64 + ear * 32)
                    sum.re += x.re * h.re - x.im * h.im
                    sum.im += x.re * h.im + x.im * h.re
                }
            }
            return sum
        }
        for kernels in sets {
            let ears = [Row(chunks * 32), Row(chunks * 32)]
            var job = prk_room_sum()
            job.chunks = chunks
            job.terms = (2 * sources, sources)
            job.inputs = (UnsafePointer(inputs.start) + sources * 32, UnsafePointer(inputs.start))
            job.input_stride = inputStride
            job.filters = UnsafePointer(filters.start)
            job.filter_stride = filterStride
            job.results = (ears[0].start, ears[1].start)
            for onto in 0..<2 {
                job.onto = Int32(onto)
                kernels.sum(&job)
                for ear in 0..<2 {
                    for k in 0..<16 * chunks {
                        let (got, exact) = (ears[ear].bin(k), defined(k, ear: ear, 0..<3, late: 0))
                        #expect(abs(got.re - exact.re * Double(onto + 1)) < 2e-6)
                        #expect(abs(got.im - exact.im * Double(onto + 1)) < 2e-6)
                    }
                }
            }
            let ahead = [Row(chunks * 32, seed: 7), Row(chunks * 32, seed: 8)]
            let before = [Row(chunks * 32, seed: 7), Row(chunks * 32, seed: 8)]
            var pair = prk_room_pair()
            pair.chunks = chunks
            pair.runs = 4
            let (a, b) = (UnsafePointer(inputs.start) + sources * 32, UnsafePointer(inputs.start))
            let one = sources * 32
            pair.terms = (sources, sources, sources, 0)
            pair.inputs = (a, a + one, b, b + one)
            pair.later = (nil, a, a + one, b)
            pair.input_stride = inputStride
            pair.filters = job.filters
            pair.filter_stride = filterStride
            pair.results = job.results
            pair.ahead = (ahead[0].start, ahead[1].start)
            kernels.pair(&pair)
            for ear in 0..<2 {
                for k in 0..<16 * chunks {
                    let isAhead = k / 16 % 2 == 0
                    let exact = defined(k, ear: ear, isAhead ? 0..<3 : 0..<1, late: 0)
                    let kept = isAhead ? (0, 0) : before[ear].bin(k)
                    let got = ears[ear].bin(k)
                    #expect(abs(got.re - exact.re - kept.0) < 2e-6 && abs(got.im - exact.im - kept.1) < 2e-6)
                    guard isAhead else { continue }
                    let (next, made) = (defined(k, ear: ear, 1..<3, late: 1), ahead[ear].bin(k))
                    #expect(abs(made.re - next.re) < 2e-6 && abs(made.im - next.im) < 2e-6)
                }
            }
        }
    }

    @Test(arguments: [2, 4, 8]) func shortTransformsMakeALongOneAndBack(_ radix: Int) {
        let (short, chunks) = (64, 2)
        let length = short * radix
        let samples = Row(length, seed: 3)
        let (lanes, bases) = (Row(32 * radix), Row(2 * chunks * radix))
        prk_room_fill_turns(radix, chunks, lanes.start, bases.start)
        var turns = prk_room_turns(
            radix: radix, chunks: chunks, lanes: UnsafePointer(lanes.start), bases: UnsafePointer(bases.start))
        for kernels in sets {
            let (rows, spectra) = ((0..<radix).map { _ in Row(short + 3) }, (0..<radix).map { _ in Row(short) })
            var written: [UnsafeMutablePointer<Float>?] = rows.map(\.start)
            // In two pieces, the second of them off the registers' grid.
            kernels.split(radix, 5, samples.start, 0, &written)
            kernels.split(radix, short - 5, samples.start + 5 * radix, 5, &written)
            for s in 0..<radix {
                for j in 0..<short { #expect(rows[s].start[j] == samples.start[radix * j + s]) }
                // The definition: bin k at θ = 2π(2k + ½)/n.
                for k in 0..<short / 2 {
                    var (re, im) = (0.0, 0.0)
                    for j in 0..<short {
                        let angle = -2 * Double.pi * (2 * Double(k) + 0.5) * Double(j) / Double(short)
                        re += cos(angle) * Double(rows[s].start[j])
                        im += sin(angle) * Double(rows[s].start[j])
                    }
                    spectra[s].start[k / 16 * 32 + k % 16] = Float(re)
                    spectra[s].start[k / 16 * 32 + k % 16 + 16] = Float(im)
                }
            }
            let stride = 96
            let joined = Row(chunks * radix * stride)
            let read: [UnsafePointer<Float>?] = spectra.map { UnsafePointer($0.start) }
            kernels.join(&turns, 0, 1, read, joined.start, stride)
            kernels.join(&turns, 1, chunks, read, joined.start, stride)
            let dense = Row(length)
            for k in 0..<length / 2 {
                var (re, im) = (0.0, 0.0)
                for j in 0..<length {
                    let angle = -2 * Double.pi * (2 * Double(k) + 0.5) * Double(j) / Double(length)
                    re += cos(angle) * Double(samples.start[j])
                    im += sin(angle) * Double(samples.start[j])
                }
                let got = joined.bin(k, stride: stride)
                #expect(abs(got.re - re) < 2e-5 && abs(got.im - im) < 2e-5)
                dense.start[k / 16 * 32 + k % 16] = Float(got.re)
                dense.start[k / 16 * 32 + k % 16 + 16] = Float(got.im)
            }
            let parts = (0..<radix).map { _ in Row(short) }
            var parted: [UnsafeMutablePointer<Float>?] = parts.map(\.start)
            kernels.part(&turns, 0, chunks, dense.start, &parted)
            for s in 0..<radix {
                for i in 0..<short {
                    #expect(abs(parts[s].start[i] - Float(radix) * spectra[s].start[i]) < 1e-4)
                }
            }
        }
    }

    @Test(arguments: [1, 2, 4, 8]) func interleavedRowsAreAddedWithARamp(_ radix: Int) {
        let rows = (0..<radix).map { Row(100, seed: UInt64($0 + 1)) }
        let read: [UnsafePointer<Float>?] = rows.map { UnsafePointer($0.start) }
        for kernels in sets {
            for (at, n) in [(0, 64), (3, 17), (16, 7), (8, 0), (24, 65)] {
                let y = Row(n, seed: 9)
                let before = (0..<n).map { y.start[$0] }
                kernels.weave(radix, at, n, read, 0.25, 0.01, y.start)
                for i in 0..<n {
                    let x = rows[(at + i) % radix].start[(at + i) / radix]
                    #expect(abs(y.start[i] - before[i] - (0.25 + 0.01 * Float(i)) * x) < 1e-6)
                }
            }
        }
    }
}

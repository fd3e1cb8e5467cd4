import CKernels
import Foundation
import Testing

/// Memory at a 64-byte boundary, freed with the value.
final class Aligned {
    let base: UnsafeMutablePointer<Float>
    let count: Int
    init(_ values: [Float]) {
        count = values.count
        base = UnsafeMutableRawPointer.allocate(byteCount: max(1, count) * 4, alignment: 64)
            .bindMemory(to: Float.self, capacity: max(1, count))
        for i in 0..<count { base[i] = values[i] }
    }
    convenience init(count: Int) { self.init([Float](repeating: 0, count: count)) }
    deinit { base.deallocate() }
    subscript(i: Int) -> Float { base[i] }
}

/// Rows or spectra in memory of their own, and their pointers.
final class Rows {
    let rows: [Aligned]
    init(_ count: Int, of length: Int) { rows = (0..<count).map { _ in Aligned(count: length) } }
    init(_ values: [[Float]]) { rows = values.map(Aligned.init) }
    var inputs: [UnsafePointer<Float>?] { rows.map { UnsafePointer($0.base) } }
    var outputs: [UnsafeMutablePointer<Float>?] { rows.map { $0.base } }
}

/// Bin k of a spectrum in chunks.
func bin(_ spectrum: Aligned, _ k: Int) -> (re: Double, im: Double) {
    (Double(spectrum[k / 16 * 32 + k % 16]), Double(spectrum[k / 16 * 32 + k % 16 + 16]))
}

/// The row's spectrum at θ_k = 2π(2k + ½)/n by its definition, in double precision.
func definedOddBin(_ x: [Float], _ k: Int) -> (re: Double, im: Double) {
    var (re, im) = (0.0, 0.0)
    for (j, value) in x.enumerated() {
        // (4k + 1)·j quarters of a step, modulo a whole turn.
        let angle = -2 * Double.pi * Double((4 * k + 1) * j % (2 * x.count)) / Double(2 * x.count)
        re += Double(value) * cos(angle)
        im += Double(value) * sin(angle)
    }
    return (re, im)
}

@Suite struct OddTransformTests {
    @Test(arguments: instructionSets) func spectraEqualTheirDefinitionForAnyNumberOfRows(_ name: String) throws {
        let table = try #require(prk_table_named(name)).pointee
        for (n, count) in [
            (32, 1), (64, 3), (96, 5), (128, 2), (160, 16), (192, 4), (256, 33), (320, 17), (384, 7), (640, 2),
            (1024, 5),
        ] {
            let plan = try #require(prk_odd_create(n))
            defer { prk_odd_destroy(plan) }
            let values = (0..<count).map { noise(n, seed: UInt64(n + $0)) }
            let (rows, spectra, work) = (Rows(values), Rows(count, of: n), Aligned(count: prk_odd_work(n)))
            table.odd_forward(plan, count, rows.inputs, spectra.outputs, 32, work.base)
            for row in 0..<count {
                for k in stride(from: 0, to: n / 2, by: n > 256 ? 7 : 1) {
                    let (wanted, got) = (definedOddBin(values[row], k), bin(spectra.rows[row], k))
                    let error = max(abs(got.re - wanted.re), abs(got.im - wanted.im))
                    #expect(error < 2e-7 * Double(n), "\(n) samples, row \(row) of \(count), bin \(k)")
                }
            }
        }
    }

    @Test(arguments: instructionSets) func theInverseReturnsAnyPartOfTheRowHalfItsLengthTimes(_ name: String) throws {
        let table = try #require(prk_table_named(name)).pointee
        for (n, count, from, frames) in [
            (32, 1, 0, 32), (128, 2, 64, 64), (192, 4, 100, 50), (320, 4, 256, 64), (320, 2, 256, 64), (640, 3, 3, 637),
            (2048, 5, 1000, 100), (16384, 1, 8191, 3),
        ] {
            let plan = try #require(prk_odd_create(n))
            defer { prk_odd_destroy(plan) }
            let values = (0..<count).map { noise(n, seed: UInt64(n + $0)) }
            let (rows, spectra, back) = (Rows(values), Rows(count, of: n), Rows(count, of: frames + 1))
            let work = Aligned(count: prk_odd_work(n))
            table.odd_forward(plan, count, rows.inputs, spectra.outputs, 32, work.base)
            for row in back.rows { row.base[frames] = 7 }
            table.odd_inverse(
                plan, count, spectra.rows.map { UnsafePointer($0.base) }, 32, from, frames, back.outputs, work.base)
            for row in 0..<count {
                let error = (0..<frames).map { abs(back.rows[row][$0] / Float(n / 2) - values[row][from + $0]) }.max()
                #expect(error! < 2e-6, "\(n) samples, row \(row) of \(count)")
                #expect(back.rows[row][frames] == 7, "nothing is written past the end")
            }
        }
    }

    @Test func impossibleLengthsAreRefused() {
        for n in [0, 16, 48, 100, 224, 288, 262_144] { #expect(prk_odd_create(n) == nil, "\(n)") }
    }

    @Test(arguments: instructionSets) func sumsOfProductsEqualTheirDefinition(_ name: String) throws {
        let table = try #require(prk_table_named(name)).pointee
        for (bins, terms, states) in [(16, 1, 1), (48, 3, 2), (160, 5, 2), (64, 0, 1), (128, 16, 1)] {
            let inputs = Rows((0..<terms).map { noise(2 * bins, seed: UInt64($0 + 1)) })
            let filters = Rows((0..<(states * terms)).map { noise(4 * bins, seed: UInt64($0 + 99)) })
            let results = Rows((0..<(2 * states)).map { noise(2 * bins, seed: UInt64($0 + 999)) })
            let before = results.rows.map { row in (0..<(2 * bins)).map { row[$0] } }
            for onto in [true, false] {
                let (x, h, y) = (inputs.inputs, filters.inputs, results.outputs)
                x.withUnsafeBufferPointer { x in
                    h.withUnsafeBufferPointer { h in
                        y.withUnsafeBufferPointer { y in
                            var job = prk_products(
                                bins: bins, terms: terms, states: states, inputs: x.baseAddress, filters: h.baseAddress,
                                input_stride: 32, filter_stride: 64, results: y.baseAddress, onto: onto ? 1 : 0)
                            table.sum_products(&job)
                        }
                    }
                }
                for (output, k) in (0..<(2 * states)).flatMap({ o in (0..<bins).map { (o, $0) } }) {
                    let (state, ear, place) = (output / 2, output % 2, k / 16 * 32 + k % 16)
                    var (re, im) = (0.0, 0.0)
                    if onto { (re, im) = (Double(before[output][place]), Double(before[output][place + 16])) }
                    for t in 0..<terms {
                        let x = bin(inputs.rows[t], k)
                        let h = filters.rows[state * terms + t]
                        let at = k / 16 * 64 + k % 16 + 32 * ear
                        let (hr, hi) = (Double(h[at]), Double(h[at + 16]))
                        re += x.re * hr - x.im * hi
                        im += x.re * hi + x.im * hr
                    }
                    let got = bin(results.rows[output], k)
                    #expect(abs(got.re - re) < 1e-5 && abs(got.im - im) < 1e-5)
                }
            }
        }
    }

    @Test(arguments: instructionSets) func steeredFiltersEqualTheirDefinition(_ name: String) throws {
        let table = try #require(prk_table_named(name)).pointee
        for (bins, count, delayed, onto, blended) in [
            (16, 4, true, false, 0..<1), (160, 4, true, true, 4..<6), (320, 2, true, false, 0..<20),
            (48, 1, false, true, 0..<0),
        ] {
            let rows = Rows((0..<count).map { noise(4 * bins, seed: UInt64($0 + 5)) })
            let images = Aligned(noise(32 * max(1, blended.count), seed: 77))
            let squares = Aligned((0..<bins).map { Float($0 % 7) })
            let stretch: (Float, Float) = onto ? (0, 0) : (0.02, 0.05)
            let result = Aligned(noise(4 * bins + 64, seed: 3))
            let before = (0..<(4 * bins)).map { result[$0] }
            let weights: [Float] = [0.5, 0.25, 0.125, 0.125]
            let delays = [37.3, 0.8]
            var job = prk_steering()
            job.bins = bins
            job.count = count
            let inputs = rows.inputs + [nil, nil, nil, nil]
            job.rows = (inputs[0], inputs[1], inputs[2], inputs[3])
            job.weights = (weights[0], weights[1], weights[2], weights[3])
            job.gain = 0.7
            job.delayed = delayed ? 1 : 0
            job.delays = (delays[0], delays[1])
            (job.blend_from, job.blend_to) = (blended.lowerBound, blended.upperBound)
            job.images = UnsafePointer(images.base)
            job.stretch = stretch
            job.squares = UnsafePointer(squares.base)
            job.onto = onto ? 1 : 0
            job.result = result.base
            job.stride = 64
            table.steer(&job)
            for (k, ear) in (0..<bins).flatMap({ k in (0..<2).map { (k, $0) } }) {
                let at = k / 16 * 64 + k % 16 + 32 * ear
                var (re, im) = (0.0, 0.0)
                for r in 0..<count {
                    re += Double(weights[r] * rows.rows[r][at])
                    im += Double(weights[r] * rows.rows[r][at + 16])
                }
                if delayed {
                    let theta = Double.pi * (2 * Double(k) + 0.5) / Double(bins)
                    var (main, image) = k / 16 < blended.lowerBound ? (1.0, 0.0) : (0.0, 1.0)
                    if blended.contains(k / 16) {
                        let at = (k / 16 - blended.lowerBound) * 32 + k % 16
                        (main, image) = (Double(images[at]), Double(images[at + 16]))
                    }
                    let turn = 2 * Double.pi * delays[ear]
                    let (dr, di) = (main + image * cos(turn), image * sin(turn))
                    let (pr, pi) = (cos(theta * delays[ear]), -sin(theta * delays[ear]))
                    let (fr, fi) = (pr * dr - pi * di, pr * di + pi * dr)
                    let more = 1 + Double(ear == 0 ? stretch.0 : stretch.1) * Double(squares[k])
                    (re, im) = ((re * fr - im * fi) * more, (re * fi + im * fr) * more)
                }
                let was = onto ? (Double(before[at]), Double(before[at + 16])) : (0, 0)
                #expect(abs(Double(result[at]) - was.0 - 0.7 * re) < 2e-6)
                #expect(abs(Double(result[at + 16]) - was.1 - 0.7 * im) < 2e-6)
            }
        }
    }
}

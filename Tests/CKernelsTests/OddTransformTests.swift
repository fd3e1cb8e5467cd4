import CKernels
import Foundation
import Testing

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
}

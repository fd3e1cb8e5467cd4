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

/// The real signal's spectrum by its definition, in double precision: bins 0…n/2.
func definedSpectrum(_ x: [Double]) -> [(re: Double, im: Double)] {
    let n = x.count
    let turn = (0..<n).map { (cos(-2 * .pi * Double($0) / Double(n)), sin(-2 * .pi * Double($0) / Double(n))) }
    return (0...n / 2).map { k in
        var (re, im) = (0.0, 0.0)
        for j in 0..<n {
            let (c, s) = turn[j * k % n]
            re += x[j] * c
            im += x[j] * s
        }
        return (re, im)
    }
}

struct Setting: CustomStringConvertible, Sendable {
    var name: String
    var index: Int
    var lanes: Int { [4, 8, 16][index] }
    var description: String { "\(name), \(lanes) lanes" }
    func kernels() throws -> prk_lane_kernels {
        let lanes = try #require(prk_table_named(name)).pointee.lanes
        return [lanes.0, lanes.1, lanes.2][index]
    }
}

let settings = instructionSets.flatMap { name in (0..<3).map { Setting(name: name, index: $0) } }

@Suite struct LaneKernelsTests {
    @Test(arguments: settings) func theTransformOfEveryLaneEqualsItsDefinition(_ setting: Setting) throws {
        let (kernels, lanes) = (try setting.kernels(), setting.lanes)
        for n in [32, 64, 128, 256, 512] {
            let plan = try #require(prk_fourier_create(n))
            defer { prk_fourier_destroy(plan) }
            for zeros in [false, true] {
                var values = noise(n * lanes, seed: UInt64(n))
                if zeros { for i in n / 2 * lanes..<n * lanes { values[i] = 0 } }
                let (x, work) = (Aligned(values), Aligned(count: prk_fourier_work(n, lanes)))
                let spectrum = Aligned(count: n * lanes)
                kernels.forward(plan, x.base, zeros ? nil : x.base + n / 2 * lanes, spectrum.base, work.base)
                for lane in 0..<lanes {
                    let exact = definedSpectrum((0..<n).map { Double(values[$0 * lanes + lane]) })
                    for k in 0..<n / 2 {
                        let re = Double(spectrum[2 * k * lanes + lane])
                        let im = Double(spectrum[(2 * k + 1) * lanes + lane])
                        let wanted = k == 0 ? (exact[0].re, exact[n / 2].re) : (exact[k].re, exact[k].im)
                        #expect(abs(re - wanted.0) < 4e-7 * Double(n) && abs(im - wanted.1) < 4e-7 * Double(n))
                    }
                }
            }
        }
    }

    @Test(arguments: settings) func theInverseReturnsTheSignalTimesItsLength(_ setting: Setting) throws {
        let (kernels, lanes) = (try setting.kernels(), setting.lanes)
        for exponent in 5...14 {
            let n = 1 << exponent
            let plan = try #require(prk_fourier_create(n))
            defer { prk_fourier_destroy(plan) }
            let values = noise(n * lanes, seed: 11)
            let (x, work) = (Aligned(values), Aligned(count: prk_fourier_work(n, lanes)))
            let (spectrum, y) = (Aligned(count: n * lanes), Aligned(count: n * lanes))
            kernels.forward(plan, x.base, x.base + n / 2 * lanes, spectrum.base, work.base)
            kernels.inverse(plan, spectrum.base, y.base, work.base)
            var worst: Float = 0
            for i in 0..<n * lanes { worst = max(worst, abs(y[i] / Float(n) - values[i])) }
            #expect(worst < 1.5e-6)
        }
    }

    @Test func transformsOfOtherLengthsAreRefused() {
        for length in [0, 1, 16, 31, 33, 96, 1000, 131_072] { #expect(prk_fourier_create(length) == nil) }
    }

    @Test(arguments: settings) func spectralSumsEqualTheSumOverPartitionsGroupsAndLanes(_ setting: Setting) throws {
        let (kernels, lanes) = (try setting.kernels(), setting.lanes)
        for (bins, groups, partitions) in [(16, 1, 1), (17, 2, 3), (64, 1, 5)] {
            let stride = 2 * lanes * bins + 16 * (groups - 1)
            let inputs = (0..<partitions).map { Aligned(noise(groups * stride, seed: UInt64($0) + 1)) }
            let starts = inputs.map { UnsafePointer<Float>?.some(UnsafePointer($0.base)) }
            for states in 1...3 {
                let size = 2 * partitions * groups * stride
                let filters = (0..<states).map { Aligned(noise(size, seed: UInt64($0) + 50)) }
                let width = states < 3 ? 4 : 8
                let before = noise(2 * width * bins, seed: 99)
                for onto in [false, true] {
                    let result = Aligned(before)
                    starts.withUnsafeBufferPointer { pointers in
                        var job = prk_spectral_sum()
                        (job.bins, job.groups, job.partitions, job.states) = (bins, groups, partitions, states)
                        (job.group_stride, job.partition_stride) = (stride, groups * stride)
                        job.ear_stride = partitions * groups * stride
                        job.inputs = pointers.baseAddress
                        job.filters = (
                            UnsafePointer(filters[0].base), UnsafePointer(filters[min(1, states - 1)].base),
                            UnsafePointer(filters[states - 1].base)
                        )
                        (job.result, job.result_lanes, job.onto) = (result.base, width, onto ? 1 : 0)
                        kernels.spectral_sum(&job)
                    }
                    for bin in 0..<bins {
                        for state in 0..<states {
                            for ear in 0..<2 {
                                var (re, im) = (0.0, 0.0)
                                for p in 0..<partitions {
                                    for g in 0..<groups {
                                        for lane in 0..<lanes {
                                            let at = g * stride + 2 * lanes * bin + lane
                                            let xr = Double(inputs[p][at]), xi = Double(inputs[p][at + lanes])
                                            let there = (ear * partitions + p) * groups * stride + at
                                            let hr = Double(filters[state][there])
                                            let hi = Double(filters[state][there + lanes])
                                            re += bin == 0 ? xr * hr : xr * hr - xi * hi
                                            im += bin == 0 ? xi * hi : xr * hi + xi * hr
                                        }
                                    }
                                }
                                let at = 2 * width * bin + 2 * state + ear
                                if onto { (re, im) = (re + Double(before[at]), im + Double(before[at + width])) }
                                #expect(abs(Double(result[at]) - re) < 2e-5)
                                #expect(abs(Double(result[at + width]) - im) < 2e-5)
                            }
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: settings) func interleavingPutsEverySampleInItsLane(_ setting: Setting) throws {
        let (kernels, lanes) = (try setting.kernels(), setting.lanes)
        for n in lengths {
            let rows = (0..<lanes).map { Aligned(noise(n + 1, seed: UInt64($0))) }
            let y = Aligned([Float](repeating: 9, count: (n + 1) * lanes))
            kernels.interleave(n, rows.map { .some(UnsafePointer($0.base + 1)) } + [nil], y.base)
            for i in 0..<n { for lane in 0..<lanes { #expect(y[i * lanes + lane] == rows[lane][i + 1]) } }
            for lane in 0..<lanes { #expect(y[n * lanes + lane] == 9) }
        }
    }

    @Test(arguments: instructionSets) func earsAreTakenAndFadedFromTheirLanes(_ name: String) throws {
        let table = try #require(prk_table_named(name)).pointee
        for n in lengths {
            for lanes in [4, 8] {
                let x = noise(max(1, n * lanes))
                var (left, right) = ([Float](repeating: 9, count: n + 1), [Float](repeating: 9, count: n + 1))
                table.pick_ears(n, lanes, x, &left, &right)
                for i in 0..<n { #expect(left[i] == x[i * lanes] && right[i] == x[i * lanes + 1]) }
                table.fade_ears(n, lanes, 0.25, 0.001, x, &left, &right)
                for i in 0..<n {
                    let w = 0.25 + 0.001 * Float(i)
                    #expect(abs(left[i] - (x[i * lanes] * (1 - w) + x[i * lanes + 2] * w)) < 1e-6)
                    #expect(abs(right[i] - (x[i * lanes + 1] * (1 - w) + x[i * lanes + 3] * w)) < 1e-6)
                }
                #expect(left[n] == 9 && right[n] == 9)
            }
            let (a, b) = (Aligned(noise(n + 1, seed: 1)), Aligned(noise(n + 1, seed: 2)))
            var top = [Float](repeating: 9, count: n + 1)
            table.envelope(n, 2, [.some(UnsafePointer(a.base)), .some(UnsafePointer(b.base))], &top)
            for i in 0..<n { #expect(top[i] == max(abs(a[i]), abs(b[i]))) }
            #expect(top[n] == 9)
        }
    }
}

import CKernels
import Testing

/// Every instruction set this processor has.
let instructionSets: [String] = ["sse2", "portable", "avx2", "avx512"].filter { (name: String) in
    prk_table_named(name) != nil
}

/// Row lengths that reach every tail of every register width.
let lengths = [0, 1, 2, 3, 5, 7, 8, 13, 16, 17, 31, 33, 63, 64, 65, 127, 130, 257]

/// A reproducible signal in −1…1 (linear congruence, Knuth's MMIX constants).
func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
    var state = seed
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }
}

@Suite struct SimpleKernelsTests {
    @Test func aSetTheProcessorHasIsChosenAtLoad() {
        #expect(instructionSets.contains(String(cString: prk_instruction_set())))
        #expect(prk_table_named("mmx") == nil)
    }

    @Test(arguments: instructionSets) func firEqualsTheSumOverItsTaps(_ name: String) throws {
        let table = try #require(prk_table_named(name)).pointee
        for n in lengths {
            for taps in [1, 2, 17, 64, 131] {
                let (x, h) = (noise(n + taps, seed: 3), noise(taps, seed: 4))
                var y = [Float](repeating: 9, count: n + 1)
                x.withUnsafeBufferPointer { table.fir(n, taps, $0.baseAddress! + 1, h, &y) }
                for i in 0..<n {
                    let exact = (0..<taps).reduce(0.0) { $0 + Double(h[$1]) * Double(x[1 + i + taps - 1 - $1]) }
                    #expect(abs(Double(y[i]) - exact) < 2e-7 * Double(taps))
                }
                #expect(y[n] == 9)
            }
        }
    }

    @Test(arguments: instructionSets) func blendEqualsTheWeightedSumOfItsRows(_ name: String) throws {
        let table = try #require(prk_table_named(name)).pointee
        for n in lengths {
            for count in [0, 1, 4, 9] {
                let rows = (0..<count).map { noise(n + 1, seed: UInt64($0) + 7) }
                let weights = noise(max(1, count), seed: 5)
                let starts = rows.map { row in
                    let copy = UnsafeMutablePointer<Float>.allocate(capacity: n + 1)
                    for i in 0...n { copy[i] = row[i] }
                    return UnsafePointer(copy)
                }
                defer { for start in starts { start.deallocate() } }
                var y = [Float](repeating: 9, count: n + 1)
                table.blend(n, count, starts.map { .some($0 + 1) } + [nil], weights, &y)
                for i in 0..<n {
                    let exact = (0..<count).reduce(0.0) { $0 + Double(weights[$1]) * Double(rows[$1][i + 1]) }
                    #expect(abs(Double(y[i]) - exact) < 1e-6)
                }
                #expect(y[n] == 9)
            }
        }
    }

    @Test(arguments: instructionSets) func gainsApplyToEverySampleAndNothingElse(_ name: String) throws {
        let table = try #require(prk_table_named(name)).pointee
        for n in lengths {
            let x = noise(n + 1)
            var sum = noise(n + 1, seed: 2)
            let before = sum
            var scaled = [Float](repeating: 9, count: n + 1)
            var ramped = scaled
            table.multiply_add(n, 0.3, x, &sum)
            table.scale(n, -2, x, &scaled)
            table.ramp(n, 1, 3, x, &ramped)
            for i in 0..<n {
                #expect(abs(sum[i] - (before[i] + 0.3 * x[i])) < 1e-6)
                #expect(scaled[i] == -2 * x[i])
                #expect(abs(ramped[i] - x[i] * (1 + 2 * Float(i) / Float(n))) < 2e-6)
            }
            #expect(sum[n] == before[n] && scaled[n] == 9 && ramped[n] == 9)
        }
    }

    @Test(arguments: instructionSets) func peakAndEnergyMeasureTheWholeRow(_ name: String) throws {
        let table = try #require(prk_table_named(name)).pointee
        for n in lengths {
            var x = noise(n)
            #expect(table.peak(n, x) == x.map(abs).max() ?? 0)
            #expect(abs(table.energy(n, x) - x.reduce(0.0) { $0 + Double($1) * Double($1) }) < 1e-9)
            guard n > 0 else { continue }
            x[n - 1] = -7
            #expect(table.peak(n, x) == 7)
            x[n / 2] = .nan
            #expect(table.peak(n, x) == (n == 1 ? 0 : 7) || n / 2 == n - 1)
            x[0] = -.infinity
            #expect(table.peak(n, x) == .infinity)
        }
    }

    @Test(arguments: instructionSets) func cleansingReplacesOnlyWhatIsNotFinite(_ name: String) throws {
        let table = try #require(prk_table_named(name)).pointee
        for n in lengths where n > 3 {
            var x = noise(n)
            let original = x
            x[0] = .nan
            x[n / 2] = .infinity
            x[n - 1] = -.infinity
            var y = [Float](repeating: 9, count: n + 1)
            #expect(table.cleanse(n, x, &y) == 3)
            for i in 0..<n { #expect(y[i] == ([0, n / 2, n - 1].contains(i) ? 0 : original[i])) }
            #expect(y[n] == 9)
            var (again, peak) = ([Float](repeating: 9, count: n + 1), Float(9))
            #expect(table.take(n, x, &again, &peak) == 3)
            #expect(again == y && peak == y[..<n].map(abs).max())
        }
        let loud: [Float] = [PRK_LOUDEST, -PRK_LOUDEST.nextUp, 1e37, -3e38, .greatestFiniteMagnitude, 0.5, -1]
        var held = [Float](repeating: 9, count: loud.count)
        #expect(table.cleanse(loud.count, loud, &held) == 4)
        #expect(held == [PRK_LOUDEST, -PRK_LOUDEST, PRK_LOUDEST, -PRK_LOUDEST, PRK_LOUDEST, 0.5, -1])
        var most = Float(9)
        #expect(table.take(loud.count, loud, &held, &most) == 4 && most == PRK_LOUDEST)
        var (nothing, kept, peak) = (Float.nan, Float(9), Float(9))
        #expect(table.cleanse(0, &nothing, &kept) == 0)
        #expect(table.take(0, &nothing, &kept, &peak) == 0)
        #expect(kept == 9 && peak == 0)
    }
}

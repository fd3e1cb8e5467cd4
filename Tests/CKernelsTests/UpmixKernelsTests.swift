import CKernels
import Testing

/// Rows of floats at 64-byte boundaries, freed with the object.
private final class AlignedRows {
    let starts: [UnsafeMutablePointer<Float>]

    init(_ rows: [[Float]]) {
        starts = rows.map { row in
            let memory = UnsafeMutableRawPointer.allocate(byteCount: max(64, row.count * 4), alignment: 64)
                .bindMemory(to: Float.self, capacity: max(16, row.count))
            for (i, value) in row.enumerated() { (memory + i).initialize(to: value) }
            return memory
        }
    }

    convenience init(_ count: Int, of length: Int, seed: UInt64) {
        self.init((0..<count).map { noise(length, seed: seed + UInt64($0)) })
    }

    deinit { for start in starts { start.deallocate() } }

    subscript(_ row: Int) -> UnsafeMutablePointer<Float> { starts[row] }
    func row(_ index: Int, _ count: Int) -> [Float] { Array(UnsafeBufferPointer(start: starts[index], count: count)) }
    /// Pointers to the rows, as the kernels take them.
    var pointers: [UnsafeMutablePointer<Float>?] { starts.map(Optional.some) }
}

/// Kernels of the upmix against their definitions in double precision, on every instruction set.
@Suite struct UpmixKernelsTests {
    /// Bins, multiples of 32: of transforms of 64, 576, 640 and 1024 samples.
    private static let sizes = [32, 288, 320, 512]

    /// Returns the position in a spectrum of bin `j` in order of frequency, and whether it is stored as its conjugate.
    private func place(_ j: Int, _ bins: Int) -> (bin: Int, isConjugate: Bool) {
        j % 2 == 0 ? (j / 2, false) : (bins - 1 - j / 2, true)
    }

    private func value(_ spectrum: UnsafeMutablePointer<Float>, _ bin: Int) -> (re: Double, im: Double) {
        (Double(spectrum[bin / 16 * 32 + bin % 16]), Double(spectrum[bin / 16 * 32 + bin % 16 + 16]))
    }

    @Test(arguments: instructionSets) func powersAndRowsComeInTheOrderOfFrequencyAndGoBack(_ name: String) throws {
        let kernels = try #require(prk_table_named(name)).pointee.upmix
        for bins in Self.sizes {
            let spectra = AlignedRows(2, of: 2 * bins, seed: 11)
            let rows = AlignedRows(4, of: bins, seed: 1)
            kernels.powers(bins, spectra[0], spectra[1], rows.pointers)
            for j in 0..<bins {
                let (bin, isConjugate) = place(j, bins)
                let (a, b) = (value(spectra[0], bin), value(spectra[1], bin))
                let across = a.im * b.re - a.re * b.im
                let exact = [
                    a.re * a.re + a.im * a.im, b.re * b.re + b.im * b.im, a.re * b.re + a.im * b.im,
                    isConjugate ? -across : across,
                ]
                for row in 0..<4 { #expect(abs(Double(rows[row][j]) - exact[row]) < 5e-7) }
            }
            for chunk in [16, 32] {
                let ordered = AlignedRows([[Float](repeating: 9, count: chunk * bins / 16)])
                kernels.order(bins, rows[0], chunk, ordered[0])
                for j in 0..<bins {
                    let bin = place(j, bins).bin
                    #expect(ordered[0][bin / 16 * chunk + bin % 16] == rows[0][j])
                }
            }
        }
    }

    @Test(arguments: instructionSets) func boxesAreMeansOverTheirOwnWidths(_ name: String) throws {
        let kernels = try #require(prk_table_named(name)).pointee.upmix
        for bins in Self.sizes {
            let x = noise(bins + 257, seed: 5)
            let halves = (0..<(bins / 16)).map { UInt8([0, 1, 5, 22, 128][$0 % 5]) }
            let (shares, y) = (AlignedRows(1, of: bins, seed: 6), AlignedRows(1, of: bins, seed: 7))
            x.withUnsafeBufferPointer { kernels.box(bins, halves, shares[0], $0.baseAddress! + 128, y[0]) }
            for j in 0..<bins {
                let half = Int(halves[j / 16])
                let sum = (128 + j - half...128 + j + half).reduce(0.0) { $0 + Double(x[$1]) }
                #expect(abs(Double(y[0][j]) - sum * Double(shares[0][j])) < 1e-5)
            }
        }
    }

    @Test(arguments: instructionSets) func productsAreTheSumsTheySay(_ name: String) throws {
        let kernels = try #require(prk_table_named(name)).pointee.upmix
        for bins in Self.sizes {
            let spectra = AlignedRows(2, of: 2 * bins, seed: 21)
            let masks = AlignedRows(1, of: 10 * bins, seed: 23)
            for isComplex in [false, true] {
                let results = AlignedRows(3, of: 2 * bins, seed: 29)
                (isComplex ? kernels.complex : kernels.real)(
                    bins, masks[0], spectra[0], spectra[1], results.pointers)
                for k in 0..<bins {
                    func mask(_ index: Int) -> (re: Double, im: Double) {
                        isComplex ? value(masks[0] + 2 * index * bins, k) : (Double(masks[0][index * bins + k]), 0)
                    }
                    func times(_ m: (re: Double, im: Double), _ x: (re: Double, im: Double)) -> SIMD2<Double> {
                        SIMD2(m.re * x.re - m.im * x.im, m.re * x.im + m.im * x.re)
                    }
                    let (a, b) = (value(spectra[0], k), value(spectra[1], k))
                    let exact = [
                        times(mask(0), a) + times(mask(1), b), times(mask(2), a) + times(mask(3), b),
                        times(mask(3), a) + times(mask(4), b),
                    ]
                    for row in 0..<3 {
                        let found = value(results[row], k)
                        #expect(abs(found.re - exact[row].x) + abs(found.im - exact[row].y) < 2e-6)
                    }
                }
            }
        }
    }

    /// Two frames' masks, by the formulas of `PrimaryAmbientMasks` in double precision.
    @Test(arguments: instructionSets) func masksFollowTheirFormulas(_ name: String) throws {
        let kernels = try #require(prk_table_named(name)).pointee.upmix
        for (bins, isSquared, roots) in [(32, false, 3), (64, true, 2), (320, true, 0)] {
            // Covariances of left and right that some bins share, some not, and some are silent.
            let (a, b) = (noise(2 * bins, seed: 31), noise(2 * bins, seed: 32))
            var smooth = [[Float]](repeating: [], count: 4)
            for j in 0..<bins {
                let scale: Float = j % 7 == 3 ? 0 : 1
                let (p, q) = (a[j] * a[j] + 0.01, b[j] * b[j] + 0.01)
                let cross = (p * q).squareRoot() * a[bins + j]
                smooth[0].append(scale * p)
                smooth[1].append(scale * q)
                smooth[2].append(scale * cross)
                smooth[3].append(scale * 0.3 * b[bins + j] * (p * q).squareRoot())
            }
            let wide = (0..<bins).map { smooth[0][$0] + smooth[1][$0] }
            let (covariances, memory) = (
                AlignedRows(smooth), AlignedRows([[Float]](repeating: [Float](repeating: 0.02, count: bins), count: 4))
            )
            let others = AlignedRows([
                wide, (0..<bins).map { 0.04 + 3 * abs(b[$0]) }, [Float](repeating: 0, count: bins),
                [Float](repeating: 0.05, count: bins), [Float](repeating: 0.1, count: bins),
                [Float](repeating: 0.2, count: bins),
            ])
            let masks = AlignedRows([[Float]](repeating: [Float](repeating: 9, count: bins), count: 5))
            func four(_ r: AlignedRows) -> (
                UnsafeMutablePointer<Float>?, UnsafeMutablePointer<Float>?, UnsafeMutablePointer<Float>?,
                UnsafeMutablePointer<Float>?
            ) {
                (r[0], r[1], r[2], r[3])
            }
            var job = prk_upmix_masks(
                bins: bins,
                smooth: (.init(covariances[0]), .init(covariances[1]), .init(covariances[2]), .init(covariances[3])),
                wide: .init(others[0]), wide_memory: .init(others[1]), memory: four(memory), power: others[2],
                level: others[3], ambience_bias: .init(others[4]), centre_bias: .init(others[5]),
                masks: (masks[0], masks[1], masks[2], masks[3], masks[4]),
                floor: (1e-9, 2e-9, 1e-9, 0), total: (0, 0, 0, 0), forgetting: 0.8, fall_ratio: 10,
                level_forgetting: 0.7, rise: 1.2, similarity: 0.3, similarity_scale: 1 / 0.69,
                centre_rest: 0.25, centre_load: 1.5, centre_squared: isSquared ? 1 : 0,
                primary_roots: Int32(roots))
            kernels.masks(&job)
            var totals = [0.0, 0, 0, 0]
            for j in 0..<bins {
                let kept: Double = min(1, Double(wide[j]) * 10 / Double(others[1][j])) * 0.8
                let now: [Double] = (0..<4).map { 0.02 * kept + Double(smooth[$0][j]) * 0.2 }
                for row in 0..<4 {
                    totals[row] += now[row]
                    #expect(abs(Double(memory[row][j]) - now[row]) < 1e-6)
                }
                #expect(abs(Double(others[2][j]) - now[0] - now[1]) < 1e-6)
                let (left, right, along, across) = (now[0] + 1e-9, now[1] + 2e-9, now[2] + 1e-9, now[3])
                let coherence = min(1, (along * along + across * across) / (left * right))
                func debiased(_ bias: Double) -> Double {
                    along * (max(0, (coherence - bias) / (1 - bias)) / (coherence + 1e-12)).squareRoot()
                }
                func spread(_ cross: Double) -> Double {
                    ((left - right) * (left - right) + 4 * cross * cross).squareRoot() + 1e-30
                }
                let middle: Double = debiased(0.2)
                let shared: Double = max(0, min(middle, left, right))
                let rest: (left: Double, right: Double) = (left - shared, right - shared)
                let load: Double = 1.5 * max(0, left + right - spread(middle)) + 1e-6 * (left + right)
                let ofLeft: Double = (rest.right + load) / (rest.left + rest.right + 2 * load)
                let own: Double = shared * (rest.left + rest.right) + 1e-37
                var centre: Double = own / (own + 0.25 * rest.left * rest.right)
                if isSquared { centre *= centre }
                let weight: Double = max(0, min(1, (2 * middle / spread(middle) - 0.3) / 0.69))
                centre *= weight * weight * (3 - 2 * weight) * 2.0.squareRoot()
                let cross: Double = debiased(0.1)
                var primary: Double = min(1, 2 * spread(cross) / (left + right + spread(cross)))
                for _ in 0..<roots { primary.formSquareRoot() }
                let held: Double = min(1, 1.2 * 0.05 / (Double(wide[j]) + 1e-14))
                let leftShare: Double = 0.5 * (1 + (left - right) / spread(cross))
                let exact: [Double] = [
                    centre * ofLeft, centre * (1 - ofLeft), held * (1 - primary * leftShare),
                    -held * primary * cross / spread(cross),
                    held * (1 - primary * (1 - leftShare)),
                ]
                for row in 0..<5 { #expect(abs(Double(masks[row][j]) - exact[row]) < 2e-4, "\(row) \(j)") }
                #expect(abs(Double(others[3][j]) - 0.05 * 0.7 - Double(wide[j]) * 0.3) < 1e-6)
            }
            let sums = [job.total.0, job.total.1, job.total.2, job.total.3]
            for row in 0..<4 { #expect(abs(Double(sums[row]) - totals[row]) < 1e-4 * (1 + abs(totals[row]))) }
        }
    }

    @Test(arguments: instructionSets) func channelsAreTheirSumsWithGainsThatGoInALine(_ name: String) throws {
        let kernels = try #require(prk_table_named(name)).pointee.upmix
        for frames in [16, 32, 512] {
            let (input, field) = (AlignedRows(2, of: frames + 1, seed: 41), AlignedRows(3, of: frames, seed: 51))
            let rows = AlignedRows(5, of: frames, seed: 61)
            var job = prk_upmix_mix(
                frames: frames, left: .init(input[0] + 1), right: .init(input[1] + 1),
                field: (.init(field[0]), .init(field[1]), .init(field[2])), from: (0.2, 0.5, 0.7),
                step: (0.001, -0.0005, 0), root: 0.7071, rows: (rows[0], rows[1], rows[2], rows[3], rows[4]))
            kernels.mix(&job)
            for i in 0..<frames {
                let at = Double(i + 1)
                let middle = Double(field[0][i]) * (0.2 + 0.001 * at)
                let given = 0.5 - 0.0005 * at
                let (a, b) = (Double(field[1][i]), Double(field[2][i]))
                let exact: [Double] = [
                    Double(input[0][i + 1]) - 0.7071 * middle - 0.7 * a,
                    Double(input[1][i + 1]) - 0.7071 * middle - 0.7 * b, middle, given * a, given * b,
                ]
                for row in 0..<5 { #expect(abs(Double(rows[row][i]) - exact[row]) < 1e-6) }
            }
        }
    }

    @Test(arguments: instructionSets) func sectionsAndLowPassesFollowTheirRecurrencesInBlocksOfAnyLength(
        _ name: String
    ) throws {
        let kernels = try #require(prk_table_named(name)).pointee.upmix
        let sections = Int(PRK_DISPERSION_SECTIONS), share: Float = 0.0535
        let first = (0..<sections).map { -1.95 + 0.004 * Double($0) },
            second = (0..<sections).map { 0.996 - 0.003 * Double($0) }
        var job = prk_upmix_split()
        job.share = share
        withUnsafeMutableBytes(of: &job.first) { row in first.withUnsafeBytes { row.copyMemory(from: $0) } }
        withUnsafeMutableBytes(of: &job.second) { row in second.withUnsafeBytes { row.copyMemory(from: $0) } }
        let (left, right, count) = (noise(700, seed: 81), noise(700, seed: 82), 700)

        // The sections one after the other, each delayed by two samples, then the low-passes.
        var dispersed = right.map(Double.init)
        for section in 0..<sections {
            let x = section == 0 ? dispersed : [0, 0] + dispersed.dropLast(2)
            var y = [Double](repeating: 0, count: count)
            for n in 0..<count {
                let (x1, x2) = (n > 0 ? x[n - 1] : 0, n > 1 ? x[n - 2] : 0)
                let (y1, y2) = (n > 0 ? y[n - 1] : 0, n > 1 ? y[n - 2] : 0)
                y[n] = second[section] * (x[n] - y2) + first[section] * (x1 - y1) + x2
            }
            dispersed = y
        }
        func low(_ row: [Double]) -> [Double] {
            var state = 0.0
            return row.map { sample in
                state += Double(share) * (sample - state)
                return state
            }
        }
        let exact = [left.map(Double.init), dispersed]
        let lows = exact.map(low)

        let rows = AlignedRows([left, right]), taken = AlignedRows(2, of: count, seed: 91)
        var done = 0
        for block in [1, 2, 61, 0, 128, 500, 8] {
            kernels.split(&job, block, rows[0] + done, rows[1] + done, taken[0] + done, taken[1] + done)
            done += block
        }
        #expect(done == count)
        for channel in 0..<2 {
            for n in 0..<count {
                #expect(abs(Double(taken[channel][n]) - lows[channel][n]) < 2e-6)
                #expect(abs(Double(rows[channel][n]) + Double(taken[channel][n]) - exact[channel][n]) < 2e-6)
            }
        }
    }

    @Test(arguments: instructionSets) func rowsAreMultipliedInPlaceToo(_ name: String) throws {
        let table = try #require(prk_table_named(name)).pointee
        for n in lengths {
            let (x, w) = (noise(n + 1, seed: 71), noise(n + 1, seed: 72))
            var (inPlace, apart, scaled) = (x, [Float](repeating: 9, count: n + 1), x)
            apart.withUnsafeMutableBufferPointer { table.multiply(n, x, w, $0.baseAddress) }
            inPlace.withUnsafeMutableBufferPointer { table.multiply(n, $0.baseAddress, w, $0.baseAddress) }
            scaled.withUnsafeMutableBufferPointer { table.scale(n, 0.3, $0.baseAddress, $0.baseAddress) }
            for i in 0..<n {
                #expect(inPlace[i] == x[i] * w[i] && apart[i] == inPlace[i] && scaled[i] == x[i] * 0.3)
            }
            #expect(inPlace[n] == x[n] && apart[n] == 9 && scaled[n] == x[n])
        }
    }
}

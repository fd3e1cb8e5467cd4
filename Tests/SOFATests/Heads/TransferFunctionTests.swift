import Foundation
import Geometry
import Testing

@testable import SOFA

@Suite("Transfer functions become responses") struct TransferFunctionTests {
    /// Returns the bins of a transform of `length` samples at 48 kHz, hertz.
    private func bins(_ length: Int) -> [Double] { (0...(length / 2)).map { Double($0) * 48_000 / Double(length) } }

    @Test("as they were transformed, whatever the length", arguments: [32, 45, 50, 64, 97])
    func lengths(_ length: Int) throws {
        let rows = HeadDraft.rows(length)
        for convention in ["SimpleFreeFieldHRTF", "SimpleFreeFieldTF", "GeneralTF"] {
            let set = try HeadDraft.spectral(rows, at: bins(length), as: convention).read()
            #expect(set.sampleCount == length && set.sampleRate == 48_000)
            #expect(HeadDraft.difference(set, rows) < -120)
            #expect(set.remarks.contains { $0.contains("converted to responses of \(length) samples") })
        }
    }

    @Test("in any order") func unsorted() throws {
        let rows = HeadDraft.rows(64)
        let set = try HeadDraft.spectral(rows, at: bins(64).reversed()).read()
        #expect(HeadDraft.difference(set, rows) < -120)
        #expect(set.remarks.contains { $0.contains("sorted") })
    }

    @Test("without the bins at 0 Hz or half the rate, which change by little") func missingBins() throws {
        let rows = HeadDraft.rows(128)
        for frequencies in [Array(bins(128).dropFirst()), Array(bins(128).dropLast()), Array(bins(128)[1..<64])] {
            let set = try HeadDraft.spectral(rows, at: frequencies).read()
            #expect(set.sampleCount == 128 && set.sampleRate == 48_000)
            // At half the rate the click's spectrum is 2.5 times its mean: the bin changes a sample by 2.5/128 at most.
            #expect(HeadDraft.difference(set, rows) < -45, "\(HeadDraft.difference(set, rows))")
        }
    }

    @Test("spaced by their logarithm, in magnitude and phase") func logarithmic() throws {
        // The rows have nothing at half the rate, where no bin is stored.
        let rows = HeadDraft.rows().map { row in
            (0..<34).map { n in
                [0.25, 0.5, 0.25].enumerated().reduce(0) { sum, tap in
                    row.indices.contains(n - tap.offset) ? sum + tap.element * row[n - tap.offset] : sum
                }
            }
        }
        let frequencies = (0..<200).map { 50 * pow(400, Double($0) / 199) }
        let set = try HeadDraft.spectral(rows, at: frequencies).read()
        #expect(set.sampleRate == 44_100)
        for (index, row) in rows.enumerated() {
            let found = set.response(index / 2, receiver: index % 2).map(Double.init)
            let probes = [200.0, 1000, 4000, 10_000, 16_000]
            let (a, b) = (
                HeadDraft.spectrum(found, at: probes, rate: 44_100), HeadDraft.spectrum(row, at: probes)
            )
            for (x, y) in zip(a, b) {
                let error = ((x - y) * (x - y)).sum().squareRoot() / (y * y).sum().squareRoot()
                #expect(error < 0.05, "\(error)")
            }
        }
    }

    @Test("unless the phase turns too far between them") func thirds() throws {
        // An echo 20 ms later: over a third of an octave at 10 kHz its phase turns 46 times.
        let rows = HeadDraft.rows().map { row in
            row + [Double](repeating: 0, count: 960 - row.count) + row.map { 0.9 * $0 }
        }
        let frequencies = (0..<28).map { 50 * pow(400, Double($0) / 27) }
        let error = try HeadDraft.spectral(rows, at: frequencies).complaint()
        #expect(error?.reason.contains("too far apart") == true, "\(String(describing: error))")
    }

    @Test("simulated ones, which begin before time 0, are delayed alike") func centred() throws {
        let rows = HeadDraft.rows(64)
        // The clicks are at samples 5 to 15; ten samples earlier, those of the nearer ears wrap to the end.
        let early = rows.map { Array($0[10...] + $0[..<10]) }
        let set = try HeadDraft.spectral(early, at: bins(64)).read()
        #expect(set.remarks.contains { $0.contains("before time 0") })
        let onsets = (0..<12).map { index in
            set.response(index / 2, receiver: index % 2).map(abs).enumerated().max { $0.element < $1.element }!.offset
        }
        let shift = onsets[0] - 10
        for (index, row) in rows.enumerated() { #expect(onsets[index] == row.firstIndex(of: 1)! + shift) }
        #expect(onsets.max()! < 40)
    }

    @Test("conjugated ones, in which the louder ear comes later, are turned round") func conjugated() throws {
        // At the sides the nearer ear's click is three times as high.
        let rows = HeadDraft.rows(64).enumerated().map { index, row in
            let (near, side) = (index % 2 == 0 ? 1.0 : -1, sin([0.0, 45, 90, 180, 270, 315][index / 2] * .pi / 180))
            return row.map { $0 * pow(3, near * side / 2) }
        }
        for isConjugated in [false, true] {
            var draft = HeadDraft.spectral(rows, at: bins(64))
            if isConjugated { for i in 0..<(12 * 33) { draft.variables["Data.Imag"]!.values[i] *= -1 } }
            let set = try draft.read()
            #expect(HeadDraft.difference(set, rows) < -120, "\(isConjugated)")
            #expect(set.remarks.contains { $0.contains("conjugated") } == isConjugated)
        }
    }

    @Test("what makes no sense is refused with its reason") func faults() throws {
        let rows = HeadDraft.rows()
        var draft = HeadDraft.spectral(rows, at: bins(32))
        draft.variables["N"] = nil
        #expect(try draft.complaint()?.reason.contains("variable N") == true)
        draft = HeadDraft.spectral(rows, at: bins(32))
        draft.variables["N"]?.values = [Double](repeating: 0, count: 17)
        #expect(try draft.complaint()?.reason.contains("all zeros") == true)
        draft.variables["N"] = ([100, 200], [2], [])
        #expect(try draft.complaint()?.reason.contains("17 frequencies") == true)
        draft = HeadDraft.spectral(rows, at: bins(32))
        draft.variables["Data.Imag"]?.values[40] = .nan
        #expect(try draft.complaint()?.reason.contains("measurement 1") == true)
        draft.variables["Data.Imag"] = nil
        #expect(try draft.complaint()?.reason.contains("Data.Imag") == true)
        draft = HeadDraft.spectral(rows, at: [100, 200, 300, 400])
        #expect(try draft.complaint()?.reason.contains("only 4") == true)
        draft = HeadDraft.spectral(rows, at: (1...16).map { Double($0) * 100 })
        #expect(try draft.complaint()?.reason.contains("too low") == true)
        draft = HeadDraft.spectral(rows, at: (0..<16).map { 5000 + Double($0) * 100 })
        #expect(try draft.complaint()?.reason.contains("begins at 5000") == true)
    }

    @Test(
        "a simulation of another program is read, and called dull",
        .enabled(if: ReadingTests.data != nil, "PROSCENIUM_DATA does not name a folder of evaluation data"))
    func mesh() throws {
        let folder = try #require(ReadingTests.data)
        let set = try FreeFieldHRIR(contentsOf: "\(folder)/sofa/mesh2hrtf__HRTF_FourPointHorPlane_r100cm.sofa")
        #expect(set.sampleRate == 12_000 && set.sampleCount == 120 && set.measurementCount == 4)
        #expect(set.remarks.contains { $0.contains("dull") } && set.remarks.contains { $0.contains("conjugated") })
        // For a source at the left the left ear's peak is first.
        func peak(_ receiver: Int) -> Int {
            set.response(1, receiver: receiver).map(abs).enumerated().max { $0.element < $1.element }!.offset
        }
        #expect(peak(0) < peak(1) && abs(set.directions[1].unit.y - 1) < 1e-6)
    }
}

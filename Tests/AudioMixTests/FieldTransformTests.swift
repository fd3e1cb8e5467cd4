import Foundation
import SeededRandom
import Signal
import Testing

@testable import AudioMix

@Suite struct FieldTransformTests {
    @Test(arguments: AudioMixLatency.allCases)
    func framesThatAreNotChangedAddUpToTheInput(_ latency: AudioMixLatency) throws {
        let tuning = AudioMixTuning(latency, sampleRate: .studio)
        let windows = FieldTransform.windows(frame: tuning.frame, hop: tuning.hop, heard: tuning.heard)
        let transform = FieldTransform(window: windows.analysis, bins: tuning.frame / 2)
        let synthesis = StemSynthesis(tuning, window: windows.synthesis)
        let hops = 12, frames = tuning.frame + hops * tuning.hop
        var random = SplitMix(state: 5)
        let input = UnsafeRows(4, frames)
        for c in 0..<4 { for i in 0..<frames { input[c][i] = Float(random.unit() - 0.5) } }
        let spectra = Row(tuning.frame / 2, Quad.zero), row = Row(tuning.frame / 2, Complex(re: 0, im: 0))
        let half = Row(tuning.frame / 2, Complex(re: 0, im: 0)), out = UnsafeRows(2, tuning.hop)
        let pointers = UnsafeMutablePointer<UnsafePointer<Float>?>.allocate(capacity: 4)
        defer { pointers.deallocate() }
        for hop in 0...hops {
            for c in 0..<4 { pointers[c] = UnsafePointer(input[c] + hop * tuning.hop) }
            transform.forward(UnsafePointer(pointers), into: spectra.base)
            for bin in 0..<row.count {
                row.base[bin] = spectra.base[bin][3] * 0.577_350_27
                half.base[bin] = row.base[bin] * 0.5
            }
            synthesis.add(UnsafePointer(row.base), UnsafePointer(half.base), transform)
            synthesis.next(out[0], out[1])
            // Complete once every frame that covers it has come.
            guard hop >= tuning.heard / tuning.hop - 1 else { continue }
            let first = hop * tuning.hop + tuning.frame - tuning.heard
            let error = (0..<tuning.hop).map { abs(out[0][$0] - input[3][first + $0]) }.max() ?? 1
            #expect(error < 2e-6)
            let halved = (0..<tuning.hop).map { abs(out[1][$0] - 0.5 * out[0][$0]) }.max() ?? 1
            #expect(halved < 1e-6)
        }
    }

    @Test func aToneStandsInItsBin() {
        let transform = FieldTransform(window: [Float](repeating: 1, count: 1024), bins: 512)
        let input = UnsafeRows(4, 1024), spectra = Row(512, Quad.zero)
        for bin in [7, 8, 301] {
            for i in 0..<1024 {
                let angle = 2 * Double.pi * (Double(bin) + 0.5) * Double(i) / 1024
                input[0][i] = Float(cos(angle))
            }
            let optional = UnsafeRawPointer(input.inputs).assumingMemoryBound(to: UnsafePointer<Float>?.self)
            transform.forward(optional, into: spectra.base)
            let strongest = (0..<512).max { spectra.base[$0][0].power < spectra.base[$1][0].power }
            #expect(strongest == bin)
            let value = spectra.base[bin][0]
            #expect(value.im.magnitude < 0.5)
            #expect(value.re > 400)
        }
    }
}

import Foundation
import HRTF
import SOFA

/// Drawing of a room or a headphone for `sofa plot`: level over frequency, energy over time, and a room's decay.
struct ResponsePlot {
    /// Pairs of responses; only the first pair's energy and decay are drawn.
    let pairs: [(left: ArraySlice<Float>, right: ArraySlice<Float>)]
    /// Delays of the first pair, left and right, samples.
    let delays: [Double]
    let sampleRate: Double
    /// Whether the responses are those of a room; then the decay is drawn too.
    let isRoom: Bool

    private static let words = ["left ear", "right ear"]

    private static var legend: [(word: String, colour: String, dashes: String?)] {
        words.enumerated().map { ($0.element, SVGDrawing.ears[$0.offset], nil) }
    }

    /// Returns the drawing; `detail` is the line below the title.
    func drawing(title: String, detail: String) -> SVGDrawing {
        var drawing = SVGDrawing(width: 1000, height: isRoom ? 1010 : 700)
        drawing.write(title, 70, 30, size: 17)
        drawing.write(detail, 70, 50, colour: SVGDrawing.grey)
        let count = pairs.first?.left.count ?? 0
        var curves = ResponseCurves(sampleRate: sampleRate, sampleCount: count)
        let looked = pairs.map { curves.look(at: $0.left, $0.right) }
        levels(looked, curves.frequencies, in: &drawing)
        if let first = looked.first {
            energy(first, in: &drawing)
            if isRoom { decay(in: &drawing) }
        }
        return drawing
    }

    private func levels(_ looked: [ResponseCurves.Pair], _ frequencies: [Double], in drawing: inout SVGDrawing) {
        let mean = (0..<2).map { ear in
            frequencies.indices.map { f in
                10 * log10(looked.reduce(0) { $0 + pow(10, $1.levels[ear][f] / 10) } / Double(looked.count))
            }
        }
        let most = ((mean.joined().max() ?? 0) / 10).rounded(.up) * 10
        let panel = PlotPanel(
            x: 70, y: 95, width: 880, height: 240,
            horizontal: .frequency(frequencies[0], frequencies[frequencies.count - 1]),
            vertical: .linear(most - 60, most, "dB"),
            title: looked.count > 1 ? "Level: mean power, and each of \(looked.count) refits" : "Level")
        panel.frame(in: &drawing)
        for ear in 0..<2 {
            if looked.count > 1 {
                for pair in looked.prefix(64) {
                    panel.curve(
                        Array(zip(frequencies, pair.levels[ear])), in: &drawing, colour: SVGDrawing.ears[ear],
                        width: 0.8,
                        opacity: 0.3)
                }
            }
            panel.curve(
                Array(zip(frequencies, mean[ear])), in: &drawing, colour: SVGDrawing.ears[ear],
                width: ear == 0 ? 3 : 1.4)
        }
        panel.legend(Self.legend, in: &drawing)
    }

    /// Draws the squared envelope over time: the peak within each of at most 2000 time steps.
    private func energy(_ pair: ResponseCurves.Pair, in drawing: inout SVGDrawing) {
        let loudest = pair.energies.joined().max() ?? 1
        let count = pair.energies[0].count
        let step = max(1, count / 1000)
        let length = Double(count) / sampleRate * 1e3
        let panel = PlotPanel(
            x: 70, y: 410, width: 880, height: 230, horizontal: .linear(0, length, "ms"),
            vertical: .linear(isRoom ? -90 : -80, 0, "dB below the peak"), title: "Energy over time")
        panel.frame(in: &drawing)
        for ear in 0..<2 {
            let points = stride(from: 0, to: count, by: step).map { n -> (Double, Double) in
                let peak = pair.energies[ear][n..<min(count, n + step)].max() ?? 0
                let time = min(length, max(0, (Double(n) + delays[ear]) / sampleRate * 1e3))
                return (time, 10 * log10(max(peak / loudest, 1e-20)))
            }
            panel.curve(points, in: &drawing, colour: SVGDrawing.ears[ear], width: 1, opacity: 0.8)
        }
        panel.legend(Self.legend, in: &drawing)
    }

    /// Draws each ear's decay curve by backward integration, dB re the ear's whole energy (M. R. Schroeder, "New method
    /// of measuring reverberation time", JASA 37 (1965)).
    private func decay(in drawing: inout SVGDrawing) {
        guard let pair = pairs.first else { return }
        let count = pair.left.count
        let panel = PlotPanel(
            x: 70, y: 720, width: 880, height: 230,
            horizontal: .linear(0, Double(count) / sampleRate * 1e3, "ms"), vertical: .linear(-60, 0, "dB"),
            title: "Decay (backward integration)")
        panel.frame(in: &drawing)
        for (ear, row) in [pair.left, pair.right].enumerated() {
            var rest = 0.0
            var curve: [Double] = []
            for value in row.reversed() {
                rest += Double(value) * Double(value)
                curve.append(rest)
            }
            curve.reverse()
            let step = max(1, count / 1000)
            let points = stride(from: 0, to: count, by: step).map {
                (Double($0) / sampleRate * 1e3, 10 * log10(max(curve[$0] / max(rest, 1e-30), 1e-20)))
            }
            panel.curve(points, in: &drawing, colour: SVGDrawing.ears[ear])
        }
        panel.legend(Self.legend, in: &drawing)
    }
}

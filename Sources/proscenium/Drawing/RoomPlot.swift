import Session
import Stages

/// Plot of a room: the octaves' decay and reverberation times, and the coherence between the ears.
struct RoomPlot {
    private let figures: RoomFigures
    private let title: String

    /// A plot of a room's measured figures.
    init(_ figures: RoomFigures, title: String) { (self.figures, self.title) = (figures, title) }

    /// The drawing.
    var drawing: SVGDrawing {
        var drawing = SVGDrawing(width: 1000, height: 760)
        drawing.write(title, 70, 30, size: 17)
        decays(in: &drawing)
        times(in: &drawing)
        coherences(in: &drawing)
        return drawing
    }

    private static func colour(_ index: Int) -> String {
        // The palette's six colours, then grey.
        index < SVGDrawing.others.count ? SVGDrawing.others[index] : SVGDrawing.grey
    }

    private static func word(_ hertz: Double) -> String {
        hertz < 1000 ? "\(Int(hertz)) Hz" : "\(Int(hertz / 1000)) kHz"
    }

    private func decays(in drawing: inout SVGDrawing) {
        let longest = Double(figures.octaves.map(\.decay.count).max() ?? 1) * RoomFigures.decayStep
        let panel = PlotPanel(
            x: 70, y: 75, width: 900, height: 290, horizontal: .linear(0, max(0.05, longest), "time, s"),
            vertical: .linear(-60, 0, "dB"), title: "Energy decay by octaves (backward integration)")
        panel.frame(in: &drawing)
        for (index, octave) in figures.octaves.enumerated() {
            let points = octave.decay.enumerated().map { (Double($0.offset) * RoomFigures.decayStep, $0.element) }
            panel.curve(points.filter { $0.1 >= -60 }, in: &drawing, colour: Self.colour(index), width: 1.6)
        }
        panel.legend(
            figures.octaves.enumerated().map { (Self.word($0.element.hertz), Self.colour($0.offset), nil) },
            isInside: true, in: &drawing)
    }

    private var octaves: PlotAxis {
        let centres = figures.octaves.map(\.hertz)
        return PlotAxis(
            from: (centres.first ?? 125) / 1.4, to: (centres.last ?? 8000) * 1.4, isLogarithmic: true,
            ticks: centres.map { ($0, $0 < 1000 ? "\(Int($0))" : "\(Int($0 / 1000))k") }, label: "octave, Hz")
    }

    private func times(in drawing: inout SVGDrawing) {
        let points = figures.octaves.compactMap { octave in octave.reverberationTime.map { (octave.hertz, $0) } }
        let most = max(0.1, 1.15 * (points.map(\.1).max() ?? 0))
        let panel = PlotPanel(
            x: 70, y: 440, width: 400, height: 250, horizontal: octaves, vertical: .linear(0, most, "s"),
            title: points.isEmpty ? "No octave falls by 35 dB" : "Reverberation time (T30)")
        panel.frame(in: &drawing)
        panel.curve(points, in: &drawing, colour: SVGDrawing.others[0], width: 2)
        drawing.dots(points.map { panel.place($0.0, $0.1) }, colour: SVGDrawing.others[0], diameter: 7)
    }

    private func coherences(in drawing: inout SVGDrawing) {
        let early = figures.octaves.map { ($0.hertz, $0.earlyCoherence) }
        let late = figures.octaves.compactMap { octave in octave.lateCoherence.map { (octave.hertz, $0) } }
        let panel = PlotPanel(
            x: 570, y: 440, width: 400, height: 250, horizontal: octaves, vertical: .linear(0, 1, "coherence"),
            title: "Coherence between the ears")
        panel.frame(in: &drawing)
        panel.curve(early, in: &drawing, colour: SVGDrawing.others[1], width: 1.5, dashes: "6 4")
        panel.curve(late, in: &drawing, colour: SVGDrawing.others[0], width: 2)
        panel.legend(
            [("to 80 ms", SVGDrawing.others[1], "6 4"), ("after", SVGDrawing.others[0], nil)], in: &drawing)
    }
}

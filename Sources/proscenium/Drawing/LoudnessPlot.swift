import Metering

/// Loudness over time: momentary, short-term, and the integrated loudness as a line.
struct LoudnessPlot {
    /// Range of the plot, LUFS.
    private static let range = (low: -60.0, high: 0.0)
    /// Greatest number of points of a curve. Each point is the loudest of neighbouring readings.
    private static let mostPoints = 1600

    /// Title above the plot.
    var title = ""
    /// Integrated loudness, LUFS; nil if no block passed the gates.
    var integrated: Double?
    private var momentary: [(seconds: Double, loudness: Double)] = []
    private var shortTerm: [(seconds: Double, loudness: Double)] = []

    /// Adds a meter's readings, in order of time.
    mutating func add(_ readings: LoudnessReadings) {
        momentary.append((readings.seconds, readings.momentary ?? -200))
        shortTerm.append((readings.seconds, readings.shortTerm ?? -200))
    }

    /// The drawing.
    var drawing: SVGDrawing {
        var drawing = SVGDrawing(width: 1000, height: 420)
        let seconds = max(0.1, momentary.last?.seconds ?? 0)
        let panel = PlotPanel(
            x: 70, y: 60, width: 900, height: 300, horizontal: .linear(0, seconds, "time, s"),
            vertical: .linear(Self.range.low, Self.range.high, "LUFS"), title: title)
        panel.frame(in: &drawing)
        panel.curve(Self.thinned(momentary), in: &drawing, colour: SVGDrawing.others[5], width: 1)
        panel.curve(Self.thinned(shortTerm), in: &drawing, colour: SVGDrawing.others[0], width: 2)
        if let integrated {
            panel.curve(
                [(0, integrated), (seconds, integrated)], in: &drawing, colour: SVGDrawing.others[1], width: 1.5,
                dashes: "6 4")
        }
        panel.legend(
            [
                ("momentary", SVGDrawing.others[5], nil), ("short-term", SVGDrawing.others[0], nil),
                ("integrated", SVGDrawing.others[1], "6 4"),
            ], isInside: true, in: &drawing)
        return drawing
    }

    private static func thinned(_ points: [(seconds: Double, loudness: Double)]) -> [(Double, Double)] {
        let step = max(1, (points.count + mostPoints - 1) / mostPoints)
        return stride(from: 0, to: points.count, by: step).compactMap { first in
            points[first..<min(points.count, first + step)].max { $0.loudness < $1.loudness }
                .map { (points[first].seconds, $0.loudness) }
        }
    }
}

/// Plot of the head's angles over time; the times without fresh packets are shaded.
struct PosePlot {
    /// A longer curve is thinned to between once and twice this number of points.
    private static let leastPoints = 4000
    private var points: [(seconds: Double, angles: [Double], isFresh: Bool)] = []

    /// Adds a pose, in order of time: seconds; yaw, pitch, roll in degrees; whether the tracker's data were fresh.
    mutating func add(_ seconds: Double, _ angles: [Double], isFresh: Bool) {
        points.append((seconds, angles, isFresh))
    }

    /// The drawing.
    func drawing(title: String) -> SVGDrawing {
        var drawing = SVGDrawing(width: 1000, height: 420)
        let seconds = max(0.1, points.last?.seconds ?? 0)
        let reach = max(30, points.flatMap(\.angles).map { abs($0) }.max() ?? 0)
        let most = (reach / 30).rounded(.up) * 30
        let panel = PlotPanel(
            x: 70, y: 60, width: 900, height: 300, horizontal: .linear(0, seconds, "time, s"),
            vertical: .linear(-most, most, "degrees"), title: title)
        shade(panel, in: &drawing)
        panel.frame(in: &drawing)
        let step = max(1, points.count / Self.leastPoints)
        let names = ["yaw", "pitch", "roll"]
        for axis in 0..<3 {
            for line in lines(axis, step) {
                panel.curve(line, in: &drawing, colour: SVGDrawing.others[axis], width: axis == 0 ? 2 : 1.2)
            }
        }
        panel.legend(names.enumerated().map { ($0.element, SVGDrawing.others[$0.offset], nil) }, in: &drawing)
        return drawing
    }

    /// Returns the curve of an axis, broken where the angle wraps.
    private func lines(_ axis: Int, _ step: Int) -> [[(Double, Double)]] {
        var lines: [[(Double, Double)]] = [[]]
        for index in stride(from: 0, to: points.count, by: step) {
            let angle = points[index].angles[axis]
            if let last = lines[lines.count - 1].last, abs(angle - last.1) > 180 { lines.append([]) }
            lines[lines.count - 1].append((points[index].seconds, angle))
        }
        return lines
    }

    /// Shades the times without fresh packets.
    private func shade(_ panel: PlotPanel, in drawing: inout SVGDrawing) {
        var boxes: [(x: Double, y: Double, width: Double, height: Double)] = []
        for (point, next) in zip(points, points.dropFirst()) where !point.isFresh {
            let (left, right) = (panel.place(point.seconds, 0).x, panel.place(next.seconds, 0).x)
            boxes.append((left, panel.y, right - left, panel.height))
        }
        drawing.boxes(boxes, colour: "#fbe3c0")
    }
}

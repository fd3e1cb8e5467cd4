import Foundation
import HRTF
import SOFA

/// Drawing of a head for `sofa plot`: levels, ITD and energy over azimuth in the horizontal plane.
struct SOFAPlot {
    private let plane: HorizontalPlane

    /// Greatest extent of a direction's column to either side, degrees; azimuths beyond all columns stay white.
    private static let reach = 10.0
    /// Range of the level colours, dB; all lower levels have the darkest colour.
    private static let depth = 50.0

    init(_ plane: HorizontalPlane) { self.plane = plane }

    /// Returns the drawing; `detail` is the beginning of the line below the title.
    func drawing(title: String, detail: String) -> SVGDrawing {
        var drawing = SVGDrawing(width: 1000, height: 1040)
        drawing.write(title, 70, 30, size: 17)
        let within = plane.tolerance > 1 ? " (elevations within \(SVGDrawing.number(plane.tolerance))°)" : ""
        let far = plane.distance.map { String(format: " at %.3g m", $0) } ?? ""
        drawing.write(
            "\(detail); \(plane.azimuths.count) directions of the horizontal plane\(within)\(far)", 70, 50,
            colour: SVGDrawing.grey)
        levels(in: &drawing, top: 95)
        delays(in: &drawing, top: 430)
        front(in: &drawing, top: 430)
        energies(in: &drawing, top: 735)
        return drawing
    }

    private static let columns = [70.0, 505]
    private static let width = 365.0
    private static let words = ["left ear", "right ear"]

    /// Returns each direction's column: from halfway to one neighbour to halfway to the other, at most `reach` to
    /// either side.
    private func columns(_ values: [[Double]]) -> [(from: Double, to: Double, values: [Double])] {
        let azimuths = plane.azimuths
        return azimuths.indices.flatMap { index -> [(from: Double, to: Double, values: [Double])] in
            let before = index > 0 ? azimuths[index - 1] : (azimuths.last ?? 0) - 360
            let after = index + 1 < azimuths.count ? azimuths[index + 1] : azimuths[0] + 360
            let azimuth = azimuths[index]
            let low = max(azimuth - Self.reach, (before + azimuth) / 2)
            let high = min(azimuth + Self.reach, (after + azimuth) / 2)
            var parts = [(from: max(-180, low), to: min(180, high), values: values[index])]
            // A column across the back (±180°) continues at the other edge.
            if low < -180 { parts.append((low + 360, 180, values[index])) }
            if high > 180 { parts.append((-180, high - 360, values[index])) }
            return parts
        }
    }

    private func levels(in drawing: inout SVGDrawing, top: Double) {
        let f = plane.frequencies
        let largest = plane.levels.joined().joined().max() ?? 0
        let most = (largest / 5).rounded(.up) * 5
        let scale = ColourScale(range: (most - Self.depth)...most)
        let ratio = f.count > 1 ? (f[1] / f[0]).squareRoot() : 1
        let edges = f.map { $0 / ratio } + [(f.last ?? 1) * ratio]
        for ear in 0..<2 {
            let panel = PlotPanel(
                x: Self.columns[ear], y: top, width: Self.width, height: 250, horizontal: .azimuth,
                vertical: .frequency(edges[0], edges[edges.count - 1]), title: "Level, \(Self.words[ear])")
            panel.map(columns(plane.levels[ear]), edges: edges, scale: scale, in: &drawing)
            panel.frame(in: &drawing, isOver: true)
            if ear == 1 { panel.key(scale, "dB", in: &drawing) }
        }
    }

    private func delays(in drawing: inout SVGDrawing, top: Double) {
        let values = plane.interauralDelays.map { $0 * 1e6 }
        let most = max(800, ((values.map { abs($0) }.max() ?? 0) / 200).rounded(.up) * 200)
        let panel = PlotPanel(
            x: Self.columns[0], y: top, width: Self.width, height: 220, horizontal: .azimuth,
            vertical: .linear(-most, most, "µs"), title: "Interaural time difference (above 0: left ear first)")
        panel.frame(in: &drawing)
        // R. S. Woodworth's formula (Experimental Psychology, 1938) for a sphere: radius 87.5 mm, speed of sound 343
        // m/s.
        let sphere = stride(from: -180.0, through: 180, by: 3).map { azimuth -> (Double, Double) in
            let lateral = asin(sin(azimuth * .pi / 180))
            return (azimuth, 1e6 * 0.0875 / 343 * (lateral + sin(lateral)))
        }
        panel.curve(sphere, in: &drawing, colour: SVGDrawing.grey, width: 1, dashes: "5 4")
        let points = Array(zip(plane.azimuths, values))
        // The line is interrupted at gaps over 30°.
        var run: [(Double, Double)] = []
        for point in points {
            if let last = run.last, point.0 - last.0 > 3 * Self.reach {
                panel.curve(run, in: &drawing, colour: SVGDrawing.ink)
                run = []
            }
            run.append(point)
        }
        panel.curve(run, in: &drawing, colour: SVGDrawing.ink)
        drawing.dots(points.map { panel.place($0.0, $0.1) }, colour: SVGDrawing.ink, diameter: 3)
        panel.legend(
            [("measured", SVGDrawing.ink, nil), ("sphere, radius 87.5 mm", SVGDrawing.grey, "5 4")], isInside: true,
            in: &drawing)
    }

    /// Draws both ears' levels at the direction nearest to the front, as curves.
    private func front(in drawing: inout SVGDrawing, top: Double) {
        guard let index = plane.azimuths.indices.min(by: { abs(plane.azimuths[$0]) < abs(plane.azimuths[$1]) }) else {
            return
        }
        let f = plane.frequencies
        let rows = (0..<2).map { plane.levels[$0][index] }
        let most = ((rows.joined().max() ?? 0) / 10).rounded(.up) * 10
        let panel = PlotPanel(
            x: Self.columns[1], y: top, width: Self.width, height: 220,
            horizontal: .frequency(f[0], f[f.count - 1]), vertical: .linear(most - 50, most, "dB"),
            title: "Level at azimuth \(SVGDrawing.number(plane.azimuths[index]))°")
        panel.frame(in: &drawing)
        // The left curve is wider, so that an equal right curve does not hide it.
        for ear in 0..<2 {
            panel.curve(Array(zip(f, rows[ear])), in: &drawing, colour: SVGDrawing.ears[ear], width: ear == 0 ? 3 : 1.3)
        }
        let words = Self.words.enumerated().map {
            (word: $0.element, colour: SVGDrawing.ears[$0.offset], dashes: String?.none)
        }
        panel.legend(words, in: &drawing)
    }

    private func energies(in drawing: inout SVGDrawing, top: Double) {
        let scale = ColourScale(range: -60...0)
        let step = plane.times.count > 1 ? plane.times[1] - plane.times[0] : 1e-3
        let edges = (0...plane.times.count).map { Double($0) * step * 1e3 }
        for ear in 0..<2 {
            let panel = PlotPanel(
                x: Self.columns[ear], y: top, width: Self.width, height: 250, horizontal: .azimuth,
                vertical: .linear(0, edges[edges.count - 1], "ms"), title: "Energy over time, \(Self.words[ear])")
            panel.map(columns(plane.energies[ear]), edges: edges, scale: scale, in: &drawing)
            panel.frame(in: &drawing, isOver: true)
            if ear == 1 { panel.key(scale, "dB", in: &drawing) }
        }
    }
}

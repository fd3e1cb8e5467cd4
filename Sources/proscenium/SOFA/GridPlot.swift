import Foundation
import Gate
import Geometry

/// Plot of a set's directions: elevation over azimuth in the head's coordinates, with left on the left.
struct GridPlot: Sendable {
    let directions: [Direction<Head>]
    /// Distances of the directions, metres; 0 if unknown.
    let distances: [Double]

    /// Number of columns of 5° and of rows of 10°.
    private static let (columns, rows) = (72, 19)

    /// The plot as text, at most 86 columns wide: a character for the number of directions in each field of 5° × 10°.
    var lines: [String] {
        var counts = [[Int]](
            repeating: [Int](repeating: 0, count: Self.columns + 1), count: Self.rows)
        for direction in directions {
            let azimuth = direction.azimuth * 180 / .pi
            let column = Int(clamping: (180 - azimuth) / 5, to: 0...Self.columns)
            let row = Int(clamping: (90 - direction.elevation * 180 / .pi) / 10, to: 0...Self.rows - 1)
            // The back (±180°) is at both edges.
            counts[row][column] += 1
            if column == 0 { counts[row][Self.columns] += 1 } else if column == Self.columns { counts[row][0] += 1 }
        }
        var lines = counts.enumerated().map { row, fields in
            let elevation = 90 - 10 * row
            let label = elevation % 30 == 0 ? (elevation > 0 ? "+" : "") + "\(elevation)°" : ""
            let marks = fields.map { $0 == 0 ? " " : $0 == 1 ? "." : $0 < 4 ? ":" : "#" }.joined()
            return String(repeating: " ", count: 5 - label.count) + label + " |" + marks + "|"
        }
        lines.append("       180°            left 90°            front 0°           right -90°         -180°")
        lines.append("       directions in 5° of azimuth × 10° of elevation: . one  : two or three  # more")
        return lines
    }

    /// Returns a drawing of all directions; two to six distances have colours of their own.
    func drawing(title: String) -> SVGDrawing {
        var drawing = SVGDrawing(width: 900, height: 480)
        let elevation = PlotAxis(
            from: -90, to: 90,
            ticks: stride(from: -90.0, through: 90, by: 30).map { ($0, "\(Int(clamping: $0, to: -90...90))°") },
            label: "elevation")
        let panel = PlotPanel(
            x: 70, y: 60, width: 780, height: 360, horizontal: .azimuth, vertical: elevation,
            title: "\(directions.count) directions, relative to the head")
        drawing.write(title, 70, 28, size: 16)
        panel.frame(in: &drawing)
        let diameter = directions.count > 3000 ? 2.2 : directions.count > 500 ? 3.5 : 5
        // Distances of the same centimetre form one group.
        var shells: [Int: [Int]] = [:]
        for index in directions.indices {
            shells[Int(clamping: distances[index] * 100, to: 0...1_000_000), default: []].append(index)
        }
        let isFew = shells.count <= SVGDrawing.others.count
        var legend: [(word: String, colour: String, dashes: String?)] = []
        for (place, shell) in shells.sorted(by: { $0.key < $1.key }).enumerated() {
            let colour = SVGDrawing.others[isFew ? place : 0]
            // Dots of nearer distances are larger, because those of farther distances are drawn over them.
            let margin = isFew ? 3 * Double(shells.count - 1 - place) : 0
            drawing.dots(
                shell.value.map { index in
                    panel.place(directions[index].azimuth * 180 / .pi, directions[index].elevation * 180 / .pi)
                }, colour: colour, diameter: diameter + margin)
            if isFew, shells.count > 1 {
                legend.append((String(format: "%.2f m", Double(shell.key) / 100), colour, nil))
            }
        }
        if legend.isEmpty, let least = distances.min(), let most = distances.max() {
            let ends = [least, most].map { String(format: "%.3g", $0) }
            let text = (ends[0] == ends[1] ? ends[0] : "\(ends[0])…\(ends[1])") + " m"
            drawing.write(most > 0 ? "distance \(text)" : "distance not known", 850, 52, anchor: "end", size: 11)
        } else {
            // The legend is above the panel, where no dots are.
            for (row, entry) in legend.enumerated() {
                let x = 850 - 75 * Double(legend.count - 1 - row)
                drawing.dots([(x - 50, 48)], colour: entry.colour, diameter: 7)
                drawing.write(entry.word, x, 52, anchor: "end", size: 11)
            }
        }
        return drawing
    }
}

import Foundation

/// One axis of a panel.
struct PlotAxis {
    /// First and last value of the axis; the first may be the larger one.
    let from: Double
    let to: Double
    var isLogarithmic = false
    /// Values with a grid line and a label.
    let ticks: [(value: Double, label: String)]
    let label: String

    /// Returns a value's position along the axis: 0 at `from`, 1 at `to`.
    func share(_ value: Double) -> Double {
        isLogarithmic ? log(value / from) / log(to / from) : (value - from) / (to - from)
    }

    /// Axis of azimuth in the head's coordinates, with left on the left.
    static let azimuth = PlotAxis(
        from: 180, to: -180,
        ticks: [(180, "180°"), (90, "90° left"), (0, "0° front"), (-90, "-90° right"), (-180, "-180°")],
        label: "azimuth")

    /// Returns a logarithmic axis of frequency, hertz.
    static func frequency(_ from: Double, _ to: Double) -> PlotAxis {
        let places = [20.0, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000].filter {
            $0 >= from && $0 <= to * 1.001
        }
        return PlotAxis(
            from: from, to: to, isLogarithmic: true,
            ticks: places.map { ($0, $0 < 1000 ? "\(Int($0))" : "\(Int($0 / 1000))k") }, label: "frequency, Hz")
    }

    /// Returns a linear axis with three to eight ticks at round values.
    static func linear(_ from: Double, _ to: Double, _ label: String) -> PlotAxis {
        let size = abs(to - from) / 7
        let power = pow(10, floor(log10(max(size, 1e-12))))
        let step = [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 >= size * 0.999 } ?? power
        let (low, high) = (min(from, to), max(from, to))
        let first = Int((low / step - 1e-9).rounded(.up))
        let last = Int((high / step + 1e-9).rounded(.down))
        let ticks = first <= last ? (first...last).map { Double($0) * step } : []
        return PlotAxis(from: from, to: to, ticks: ticks.map { ($0, String(format: "%.6g", $0)) }, label: label)
    }
}

/// Panel of a drawing: a frame with two axes.
struct PlotPanel {
    let (x, y): (Double, Double)
    let (width, height): (Double, Double)
    let horizontal: PlotAxis
    let vertical: PlotAxis
    let title: String

    /// Returns the position of a pair of values.
    func place(_ h: Double, _ v: Double) -> (x: Double, y: Double) {
        (x + width * horizontal.share(h), y + height * (1 - vertical.share(v)))
    }

    /// Draws lines and labels. `isOver`: with white lines, on top of the panel's content.
    func frame(in drawing: inout SVGDrawing, isOver: Bool = false) {
        let colour = isOver ? "#ffffff" : SVGDrawing.faint
        for tick in horizontal.ticks {
            let place = x + width * horizontal.share(tick.value)
            drawing.line([(place, y), (place, y + height)], colour: colour, width: 0.7, opacity: isOver ? 0.35 : 1)
            drawing.write(tick.label, place, y + height + 16, anchor: "middle", size: 11)
        }
        for tick in vertical.ticks {
            let place = y + height * (1 - vertical.share(tick.value))
            drawing.line([(x, place), (x + width, place)], colour: colour, width: 0.7, opacity: isOver ? 0.35 : 1)
            drawing.write(tick.label, x - 6, place + 4, anchor: "end", size: 11)
        }
        let (left, top) = (SVGDrawing.number(x), SVGDrawing.number(y))
        drawing.add(
            "<rect x=\"\(left)\" y=\"\(top)\" width=\"\(SVGDrawing.number(width))\" height=\"\(SVGDrawing.number(height))\" "
                + "fill=\"none\" stroke=\"\(SVGDrawing.grey)\"/>")
        drawing.write(title, x, y - 8, size: 13)
        drawing.write(horizontal.label, x + width, y + height + 32, anchor: "end", size: 11, colour: SVGDrawing.grey)
        drawing.write(
            vertical.label, x - 44, y + height / 2, anchor: "middle", size: 11, colour: SVGDrawing.grey, turned: true)
    }

    /// Draws a curve; values beyond the vertical axis are drawn at its end.
    func curve(
        _ points: [(Double, Double)], in drawing: inout SVGDrawing, colour: String, width: Double = 1.5,
        dashes: String? = nil, opacity: Double = 1
    ) {
        let (low, high) = (min(vertical.from, vertical.to), max(vertical.from, vertical.to))
        drawing.line(
            points.map { place($0.0, max(low, min(high, $0.1))) }, colour: colour, width: width, dashes: dashes,
            opacity: opacity)
    }

    /// Draws the legend of colours above the panel's upper right corner, in one row. `isInside`: below this corner, one
    /// entry under the other, for long titles.
    func legend(
        _ entries: [(word: String, colour: String, dashes: String?)], isInside: Bool = false,
        in drawing: inout SVGDrawing
    ) {
        for (row, entry) in entries.enumerated() {
            let right = isInside ? x + width - 8 : x + width - 90 * Double(entries.count - 1 - row)
            let height = isInside ? y + 14 + 16 * Double(row) : y - 12
            drawing.line([(right - 20, height), (right, height)], colour: entry.colour, width: 2, dashes: entry.dashes)
            drawing.write(entry.word, right - 25, height + 4, anchor: "end", size: 11)
        }
    }

    /// Draws values as colours. Each range of azimuth is a column; each value of a column is a row between two
    /// neighbouring `edges` on the vertical axis. Adjacent rows of one colour become one box.
    func map(
        _ columns: [(from: Double, to: Double, values: [Double])], edges: [Double], scale: ColourScale,
        in drawing: inout SVGDrawing
    ) {
        var boxes = [[(x: Double, y: Double, width: Double, height: Double)]](repeating: [], count: ColourScale.steps)
        for column in columns {
            let left = min(place(column.from, edges[0]).x, place(column.to, edges[0]).x)
            let right = max(place(column.from, edges[0]).x, place(column.to, edges[0]).x)
            var row = 0
            while row < column.values.count {
                let step = scale.step(column.values[row])
                var end = row + 1
                while end < column.values.count, scale.step(column.values[end]) == step { end += 1 }
                let (bottom, top) = (place(column.from, edges[row]).y, place(column.from, edges[end]).y)
                boxes[step].append((left, top, right - left, bottom - top))
                row = end
            }
        }
        for (step, boxes) in boxes.enumerated() { drawing.boxes(boxes, colour: ColourScale.colour(step)) }
    }

    /// Draws the colours of a scale beside the panel, with their values.
    func key(_ scale: ColourScale, _ label: String, in drawing: inout SVGDrawing) {
        let (left, step) = (x + width + 16, height / Double(ColourScale.steps))
        for index in 0..<ColourScale.steps {
            drawing.boxes(
                [(left, y + height - Double(index + 1) * step, 14, step + 0.3)], colour: ColourScale.colour(index))
        }
        let axis = PlotAxis.linear(scale.range.lowerBound, scale.range.upperBound, label)
        for tick in axis.ticks {
            drawing.write(tick.label, left + 20, y + height * (1 - axis.share(tick.value)) + 4, size: 11)
        }
        drawing.write(label, left, y - 8, size: 11, colour: SVGDrawing.grey)
    }
}

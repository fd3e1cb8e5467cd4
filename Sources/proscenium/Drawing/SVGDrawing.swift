import Foundation

/// Builder of an SVG 1.1 drawing.
struct SVGDrawing {
    let width: Double
    let height: Double
    private var elements: [String] = []

    /// The left and the right ear: blue and vermilion of Okabe and Ito's palette, which colour-blind people tell apart
    /// ("Color Universal Design", 2008).
    static let ears = ["#0072b2", "#d55e00"]
    /// Six colours of that palette, the ears' first.
    static let others = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
    static let ink = "#222", faint = "#e2e2e2", grey = "#777"

    init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

    /// Text of the whole SVG file.
    var text: String {
        let size = "width=\"\(Int(width))\" height=\"\(Int(height))\" viewBox=\"0 0 \(Int(width)) \(Int(height))\""
        return
            ([
                "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) font-family=\"sans-serif\" font-size=\"12\">",
                "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
            ] + elements + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    mutating func add(_ element: String) { elements.append(element) }

    /// Adds text at a position; `anchor`: start, middle or end.
    mutating func write(
        _ words: String, _ x: Double, _ y: Double, anchor: String = "start", size: Double = 12,
        colour: String = SVGDrawing.ink, turned: Bool = false
    ) {
        let turn = turned ? " transform=\"rotate(-90 \(Self.number(x)) \(Self.number(y)))\"" : ""
        add(
            "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor)\" font-size=\"\(Self.number(size))\" "
                + "fill=\"\(colour)\"\(turn)>\(Self.escaped(words))</text>")
    }

    /// Adds a line of segments.
    mutating func line(
        _ points: [(x: Double, y: Double)], colour: String, width: Double = 1.5, dashes: String? = nil,
        opacity: Double = 1
    ) {
        guard points.count > 1 else { return }
        let text = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
        let extra =
            (dashes.map { " stroke-dasharray=\"\($0)\"" } ?? "")
            + (opacity < 1 ? " stroke-opacity=\"\(Self.number(opacity))\"" : "")
        add(
            "<polyline points=\"\(text)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"\(Self.number(width))\" "
                + "stroke-linejoin=\"round\"\(extra)/>")
    }

    /// Adds dots of one colour.
    mutating func dots(_ points: [(x: Double, y: Double)], colour: String, diameter: Double) {
        guard !points.isEmpty else { return }
        let path = points.map { "M\(Self.number($0.x)) \(Self.number($0.y))h0" }.joined()
        add(
            "<path d=\"\(path)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"\(Self.number(diameter))\" "
                + "stroke-linecap=\"round\"/>")
    }

    /// Adds rectangles of one colour.
    mutating func boxes(_ boxes: [(x: Double, y: Double, width: Double, height: Double)], colour: String) {
        guard !boxes.isEmpty else { return }
        // Edges are rounded to 0.1, so that neighbouring boxes share them exactly.
        func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
        let path = boxes.map { box in
            let (x, y) = (rounded(box.x), rounded(box.y))
            let (width, height) = (rounded(box.x + box.width) - x, rounded(box.y + box.height) - y)
            return "M\(Self.number(x)) \(Self.number(y))h\(Self.number(width))v\(Self.number(height))"
                + "h\(Self.number(-width))z"
        }.joined()
        add("<path d=\"\(path)\" fill=\"\(colour)\" shape-rendering=\"crispEdges\"/>")
    }

    /// Returns a number as text, rounded to a tenth of a unit.
    static func number(_ value: Double) -> String {
        let text = String(format: "%.1f", value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

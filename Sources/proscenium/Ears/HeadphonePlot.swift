import Foundation
import Headphones
import Signal

/// Gain of a headphone filter over frequency for both ears, as numbers and as a drawing.
struct HeadphonePlot {
    /// Frequencies, hertz, about 24 per octave from 20 Hz to 20 kHz or to 0.45 of the sample rate, whichever is lower.
    let hertz: [Double]
    /// Gains at these frequencies, dB, `[ear][frequency]`.
    let decibels: [[Double]]

    /// Computes the gains of a filter.
    init(_ filter: HeadphoneFilter) {
        let top = min(20_000, 0.45 * filter.sampleRate.hertz)
        let steps = max(1, Int(24 * log2(top / 20)))
        let places = (0...steps).map { 20 * pow(top / 20, Double($0) / Double(steps)) }
        hertz = places
        decibels = (0..<2).map { ear in places.map { filter.decibels(ear: ear, at: $0) } }
    }

    /// Gains at every eighth frequency, in steps of about a third of an octave, for a table.
    var thirds: [(hertz: Double, left: Double, right: Double)] {
        stride(from: 0, to: hertz.count, by: 8).map { (hertz[$0], decibels[0][$0], decibels[1][$0]) }
    }

    /// Returns a drawing as SVG: the left ear in blue, the right one in red.
    func svg(title: String) -> String {
        let (width, height, margin) = (800.0, 400.0, 50.0)
        let all = decibels.joined()
        let low = max(-60, ((all.min() ?? 0) / 5).rounded(.down) * 5 - 5)
        let high = max(low + 10, ((all.max() ?? 0) / 5).rounded(.up) * 5 + 5)
        let top = hertz[hertz.count - 1]
        func x(_ hertz: Double) -> Double { margin + (width - 2 * margin) * log(hertz / 20) / log(top / 20) }
        func y(_ value: Double) -> Double {
            margin + (height - 2 * margin) * (high - max(low, min(high, value))) / (high - low)
        }
        func number(_ value: Double) -> String { String(format: "%.1f", value) }
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width)) \(Int(height))\" "
                + "font-family=\"sans-serif\" font-size=\"12\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
            "<text x=\"\(margin)\" y=\"24\" font-size=\"16\">\(Self.escaped(title))</text>",
        ]
        for value in stride(from: low, through: high, by: 5) {
            lines.append(
                "<path d=\"M\(margin) \(number(y(value)))H\(width - margin)\" stroke=\"\(value == 0 ? "#888" : "#ddd")\"/>"
                    + "<text x=\"8\" y=\"\(number(y(value) + 4))\">\(Int(value)) dB</text>")
        }
        for place in [20.0, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000] where place <= top {
            let label = place < 1000 ? "\(Int(place))" : "\(Int(place / 1000))k"
            lines.append(
                "<path d=\"M\(number(x(place))) \(margin)V\(height - margin)\" stroke=\"#ddd\"/>"
                    + "<text x=\"\(number(x(place)))\" y=\"\(height - margin + 18)\" text-anchor=\"middle\">\(label)</text>"
            )
        }
        for (ear, colour) in ["#1f5fbf", "#c0392b"].enumerated() {
            let points = zip(hertz, decibels[ear]).map { "\(number(x($0))),\(number(y($1)))" }.joined(separator: " ")
            lines.append("<polyline points=\"\(points)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"1.5\"/>")
        }
        lines.append(
            "<text x=\"\(width - margin)\" y=\"24\" text-anchor=\"end\"><tspan fill=\"#1f5fbf\">left</tspan> "
                + "<tspan fill=\"#c0392b\">right</tspan></text></svg>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

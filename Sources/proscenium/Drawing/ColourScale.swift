import Foundation

/// Colour scale of numbers from dark to light: dark blue, blue, green, yellow. Lightness rises almost evenly, so that
/// the scale is readable in grey and for colour-blind people.
struct ColourScale {
    let range: ClosedRange<Double>

    /// Number of colour steps.
    static let steps = 32

    /// Points of the scale in Oklab: lightness and the two hue axes (B. Ottosson, "A perceptual color space for
    /// image processing", 2020).
    private static let stops: [(Double, Double, Double)] = [
        (0.20, 0.010, -0.090), (0.42, -0.030, -0.120), (0.60, -0.090, -0.030), (0.78, -0.080, 0.090),
        (0.96, -0.020, 0.100),
    ]

    /// Returns the step of a value. Values outside the range have the first or the last step.
    func step(_ value: Double) -> Int {
        let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        return max(0, min(Self.steps - 1, Int(share * Double(Self.steps))))
    }

    /// Returns the colour of a step, in SVG's notation.
    static func colour(_ step: Int) -> String {
        let place = Double(step) / Double(steps - 1) * Double(stops.count - 1)
        let index = min(stops.count - 2, Int(place))
        let (from, to, part) = (stops[index], stops[index + 1], place - Double(index))
        let l = from.0 + (to.0 - from.0) * part
        let a = from.1 + (to.1 - from.1) * part
        let b = from.2 + (to.2 - from.2) * part
        // Ottosson's inverse matrices.
        let long = pow(l + 0.3963377774 * a + 0.2158037573 * b, 3)
        let medium = pow(l - 0.1055613458 * a - 0.0638541728 * b, 3)
        let short = pow(l - 0.0894841775 * a - 1.2914855480 * b, 3)
        let linear = [
            4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
        ]
        let bytes = linear.map { value -> Int in
            let v = max(0, min(1, value))
            return Int((255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055)).rounded())
        }
        return "#" + bytes.map { String(format: "%02x", $0) }.joined()
    }
}

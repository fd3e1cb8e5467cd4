/// A constant of the orientation filter that can be set by name, with the data on which it was chosen.
///
/// `all` contains the constants of `InertialOptions` that were chosen by experiment, and some from data sheets or cited
/// papers. `proscenium fuse --set NAME=VALUE` sets one; `--constants` lists them.
package struct InertialConstant: Sendable {
    /// Name of the constant: words joined by hyphens.
    package let name: String
    /// Unit of `value(in:)`, as text.
    package let unit: String
    /// Data on which the value was chosen.
    package let chosenOn: String
    /// Permitted values, in the constant's unit.
    package let range: ClosedRange<Double>
    private let path: any WritableKeyPath<InertialOptions, Double> & Sendable
    /// Size of the constant's unit in the units of `InertialOptions`.
    private let scale: Double

    /// Returns the constant's value in `options`, in the constant's unit.
    package func value(in options: InertialOptions) -> Double { options[keyPath: path] / scale }

    /// Sets the constant, in its own unit. Outside the range it returns false and changes nothing.
    package func set(_ value: Double, in options: inout InertialOptions) -> Bool {
        guard range.contains(value) else { return false }
        options[keyPath: path] = value * scale
        return true
    }

    /// All constants, in the order of the list.
    package static let all: [InertialConstant] = {
        typealias Path = any WritableKeyPath<InertialOptions, Double> & Sendable
        let degree = Double.pi / 180
        let broad = "BROAD trials 01, 06, 11, 21, 26, 30"
        let generated = "BROAD's six, RepoIMU's Pendulum and generated motion"
        let ring = "RING and OpenAXES (odd-numbered trials), generated motion"
        let planted = "planted magnets, seeds below 1000"
        let magnets = "BROAD's six and trials 25, 27, 29, 31, 33, 35, planted magnets"
        func row(
            _ name: String, _ unit: String, _ range: ClosedRange<Double>, _ path: Path, _ chosenOn: String,
            scale: Double = 1
        ) -> InertialConstant {
            InertialConstant(
                name: name, unit: unit, chosenOn: chosenOn, range: range, path: path, scale: scale)
        }
        return [
            row("inclination-time", "s", 0.1...1000, \.inclinationTime, "Laidig & Seel 2023"),
            row("heading-time", "s", 0.1...1000, \.headingTime, broad),
            row("scale-deviation", "%", 0.001...20, \.scaleDeviation, "data sheets; kept on \(broad)", scale: 0.01),
            row(
                "misalignment-deviation", "degrees", 0.001...10, \.misalignmentDeviation,
                "data sheets; kept on \(broad)", scale: degree),
            row("force-bias-deviation", "m/s²", 0.001...5, \.forceBiasDeviation, "data sheets"),
            row("bias-wander", "°/s/√s", 0...1, \.biasWander, "data sheets", scale: degree),
            row("largest-bias", "°/s", 0.1...100, \.largestBias, "data sheets", scale: degree),
            row("sway", "m/s·√s", 0.001...10, \.sway, broad),
            row("sway-of-motion", "s", 0...10, \.swayOfMotion, broad),
            row("sway-of-speed", "√s", 0...10, \.swayOfSpeed, broad),
            row("misfit-window", "s", 0.1...60, \.misfitWindow, generated),
            row("misfit-memory", "s", 0.1...600, \.misfitMemory, generated),
            row("misfit-turning", "°/√s", 0...100, \.misfitTurning, generated, scale: degree),
            row("place-strength", "%", 0.1...1000, \.placeStrength, planted, scale: 0.01),
            row("place-dip", "degrees", 0.1...1000, \.placeDip, magnets, scale: degree),
            row("place-time", "s", 1...10_000, \.placeTime, magnets),
            row("field-correlation", "s", 0.1...1000, \.fieldCorrelation, magnets),
            row("calibration-offset", "%", 0.001...100, \.calibrationOffset, magnets, scale: 0.01),
            row("magnet-strength", "%", 0...1000, \.magnetStrength, planted, scale: 0.01),
            row("field-scatter", "%", 0.1...100, \.fieldScatter, planted, scale: 0.01),
            row("field-time", "s", 0.01...10, \.fieldTime, planted),
            row("magnet-misfit", "times", 1...100, \.magnetMisfit, planted),
            row("magnet-threshold", "%", 1...100, \.magnetThreshold, planted, scale: 0.01),
            row("magnet-gain", "times", 1...100, \.magnetGain, planted),
            row("magnet-evidence", "s", 0.1...100, \.magnetEvidence, planted),
            row("magnet-proof", "s", 0.01...100, \.magnetProof, planted),
            row("initial-gain", "times", 1...100, \.initialGain, magnets),
            row("magnet-step", "%", 0.1...100, \.magnetStep, planted, scale: 0.01),
            row("seen-gain", "times", 1...100, \.seenGain, planted),
            row("seen-misfit", "times", 1...100, \.seenMisfit, planted),
            row("magnet-certainty", "degrees", 0.1...90, \.magnetCertainty, planted, scale: degree),
            row("magnet-agreement", "degrees", 0.1...90, \.magnetAgreement, planted, scale: degree),
            row("magnet-turning", "s", 0.1...60, \.magnetTurning, planted),
            row("rest-rate", "°/s", 0.1...50, \.restRate, "Laidig & Seel 2023", scale: degree),
            row("rest-force", "m/s²", 0.01...5, \.restForce, "Laidig & Seel 2023"),
            row("rest-time", "s", 0.1...60, \.restTime, "Laidig & Seel 2023"),
            row("brief-rest-time", "s", 0.1...60, \.briefRestTime, ring),
            row("rest-noise", "°/s·√s", 0.001...10, \.restNoise, ring, scale: degree),
            row("rest-sway", "degrees", 0...90, \.restSway, ring, scale: degree),
            row("rest-sway-time", "s", 0...1000, \.restSwayTime, ring),
        ]
    }()
}

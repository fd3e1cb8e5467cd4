import Foundation
import Rendering

/// The largest levels since the last reset, from telemetry of single periods.
struct Meters {
    private var inputPeaks = [Float](repeating: 0, count: 64)
    private var outputPeaks: SIMD2<Float> = .zero
    private var guardGain: Float = 1

    /// Takes one period's levels.
    mutating func take(_ telemetry: Telemetry) {
        for channel in inputPeaks.indices {
            inputPeaks[channel] = max(inputPeaks[channel], telemetry.inputPeaks[channel])
        }
        outputPeaks = pointwiseMax(outputPeaks, telemetry.outputPeaks)
        guardGain = min(guardGain, telemetry.guardGain)
    }

    /// Starts anew.
    mutating func reset() { self = Meters() }

    /// dBFS of the first `count` inputs; −200 for silence.
    func inputs(_ count: Int) -> [Double] { inputPeaks.prefix(count).map(Self.decibels) }

    /// dBFS of the two ears.
    var outputs: [Double] { [Self.decibels(outputPeaks.x), Self.decibels(outputPeaks.y)] }

    /// dB of the output guard, 0 or less.
    var gainReduction: Double { Self.decibels(guardGain) }

    private static func decibels(_ amplitude: Float) -> Double {
        amplitude > 0 ? max(-200, 20 * log10(Double(amplitude))) : -200
    }
}

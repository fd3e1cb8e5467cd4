import AudioIO
import Glibc

/// Peaks of a recording at the microphones of the two ears, dBFS; −180 in silence.
package struct EarPeaks: Sendable, Equatable {
    /// Peak at the left and at the right ear.
    package let left: Double, right: Double

    /// Sets both peaks.
    package init(left: Double, right: Double) { (self.left, self.right) = (left, right) }

    /// Finds the peaks of a recording. O(n); off the audio thread.
    init(_ take: ExchangedTake) {
        func decibels(_ row: [Float]) -> Double { 20 * log10(max(1e-9, Double(row.reduce(0) { max($0, abs($1)) }))) }
        self.init(left: decibels(take.left), right: decibels(take.right))
    }

    /// The higher peak of both.
    package var highest: Double { max(left, right) }
}

/// Limits of the values in a file or from a process that reads it.
package enum SOFALimits {
    /// Range of sample rates, hertz.
    package static let sampleRates = 8_000.0...768_000.0
    /// Range of the number of samples of one response. No file of a readable size exceeds it.
    package static let samples = 1...(1 << 30)
}

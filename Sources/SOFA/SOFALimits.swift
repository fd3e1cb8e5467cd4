/// Accepted ranges of values from a SOFA file, whether this process reads the file or another process passes them on.
package enum SOFALimits {
    /// Range of sample rates, hertz.
    package static let sampleRates = 8_000.0...768_000.0
    /// Range of the number of samples of one response. No file of a readable size exceeds it.
    package static let samples = 1...(1 << 30)
}

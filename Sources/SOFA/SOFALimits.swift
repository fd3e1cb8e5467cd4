/// What a file, or a process that reads it, may say at most.
package enum SOFALimits {
    /// Sample rates, hertz.
    package static let sampleRates = 8_000.0...768_000.0
    /// Samples of one response: more than any file of a size that is read could hold.
    package static let samples = 1...(1 << 30)
}

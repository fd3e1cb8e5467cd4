/// Responses of a headphone at its wearer's ears to be written: a SimpleHeadphoneIR file (AES69-2022, convention 1.0).
package struct WrittenHeadphones {
    /// Texts of the file besides the convention's own: Title, License, SourceModel, ...
    package var attributes: [String: String]
    /// Sample rate, hertz.
    package var sampleRate: Double
    /// Responses `[fit][ear][sample]`; ear 0 is the left.
    package var responses: [[[Float]]]

    /// Makes the content of a file; all responses must be equally long, and there must be at least one fit.
    package init(attributes: [String: String], sampleRate: Double, responses: [[[Float]]]) {
        precondition(!responses.isEmpty && responses.allSatisfy { $0.count == 2 })
        precondition(responses.joined().allSatisfy { $0.count == responses[0][0].count })
        (self.attributes, self.sampleRate, self.responses) = (attributes, sampleRate, responses)
    }

    /// Writes the file, which gets its name only when it is complete. O(size).
    ///
    /// - Parameter isReplacing: whether an existing file at `path` is replaced.
    /// - Throws: `occupied` for an existing file that must not be replaced; `unwritable` if the file cannot be written.
    package func write(to path: String, isReplacing: Bool = false) throws(SOFAError) {
        let file = CleanFile.headphones(
            attributes: attributes, sampleRate: sampleRate, fits: responses.count, sampleCount: responses[0][0].count,
            delays: [Double](repeating: 0, count: 2 * responses.count))
        try file.write(to: path, isReplacing: isReplacing) { slab in
            responses[slab.measurements].joined().joined().map(Double.init)
        }
    }
}

extension CleanFile {
    /// Returns a SimpleHeadphoneIR file. `delays`: `[fit][ear]`, samples.
    static func headphones(
        attributes: [String: String], sampleRate: Double, fits: Int, sampleCount: Int, delays: [Double]
    ) -> CleanFile {
        let metres = Variable.cartesian
        let ears: [Double] = [0, 0.09, 0, 0, -0.09, 0]
        return CleanFile(
            convention: "SimpleHeadphoneIR", attributes: attributes, measurements: fits, sampleCount: sampleCount,
            variables: [
                .init(name: "ListenerPosition", values: [0, 0, 0], axes: ["I", "C"], attributes: metres),
                .init(name: "ReceiverPosition", values: ears, axes: ["R", "C", "I"], attributes: metres),
                .init(name: "SourcePosition", values: [0, 0, 0], axes: ["I", "C"], attributes: Variable.spherical),
                .init(name: "EmitterPosition", values: ears, axes: ["E", "C", "I"], attributes: metres),
                .rate(sampleRate), .delays(delays),
            ])
    }
}

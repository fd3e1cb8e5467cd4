extension HeadphoneResponses {
    /// All properties except the samples, for transfer between processes.
    package struct Facts: Codable, Sendable {
        let path: String
        let attributes: [String: String]
        let sampleRate: Double
        let sampleCount: Int
        let delays: [Double]
        let remarks: [String]
        let refits: [Int]

        /// Number of samples of all responses; 0 if the stated sizes are invalid.
        package var responseCount: Int {
            let (count, overflow) = sampleCount.multipliedReportingOverflow(by: 2 * refits.count)
            return overflow || sampleCount < 2 ? 0 : count
        }
    }

    /// All properties except the samples.
    package var facts: Facts {
        Facts(
            path: path, attributes: attributes, sampleRate: sampleRate, sampleCount: sampleCount, delays: delays,
            remarks: remarks, refits: refits)
    }

    /// Restores responses from another process. Nil if sizes disagree, if the sample rate is out of range, or if values
    /// are not finite.
    package init?(_ facts: Facts, responses: [Float]) {
        guard facts.responseCount > 0, responses.count == facts.responseCount,
            SOFALimits.sampleRates.contains(facts.sampleRate), facts.delays.count == 2 * facts.refits.count,
            facts.delays.allSatisfy(\.isFinite), responses.allSatisfy(\.isFinite)
        else { return nil }
        (path, attributes, remarks) = (facts.path, facts.attributes, facts.remarks)
        (sampleRate, sampleCount) = (facts.sampleRate, facts.sampleCount)
        (self.responses, delays, refits) = (responses, facts.delays, facts.refits)
    }
}

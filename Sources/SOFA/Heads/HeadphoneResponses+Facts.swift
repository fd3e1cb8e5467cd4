extension HeadphoneResponses {
    /// All but the samples, as one process tells it to another.
    package struct Facts: Codable, Sendable {
        let path: String
        let attributes: [String: String]
        let sampleRate: Double
        let sampleCount: Int
        let delays: [Double]
        let remarks: [String]
        let refits: [Int]

        /// Samples of all responses together; 0 where that is no number of any.
        package var responseCount: Int {
            let (count, overflow) = sampleCount.multipliedReportingOverflow(by: 2 * refits.count)
            return overflow || sampleCount < 2 ? 0 : count
        }
    }

    /// Remarks.
    package var facts: Facts {
        Facts(
            path: path, attributes: attributes, sampleRate: sampleRate, sampleCount: sampleCount, delays: delays,
            remarks: remarks, refits: refits)
    }

    /// Responses as they were told; nil where they are none: too few or too many samples, or what is no number.
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

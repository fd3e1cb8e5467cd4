import SOFA

/// Measured headphones as SOFA has them.
extension HeadphoneInverse.Measurement {
    /// The refits of a SimpleHeadphoneIR. Delays are left out: only magnitude counts.
    package init(_ file: HeadphoneResponses) {
        self.init(
            (0..<file.refitCount).map { refit in (0..<2).map { Array(file.response(refit, ear: $0)) } },
            sampleRate: file.sampleRate)
    }
}

extension HeadphoneInverse {
    /// The inverse of a file's headphones, with what was read around in the file.
    ///
    /// - Throws: `implausible` where its responses are silent or no numbers.
    package static func equaliser(_ file: HeadphoneResponses, name: String) throws(HeadphonesError)
        -> HeadphoneEqualiser
    {
        var made = try equaliser(Measurement(file), name: name)
        made.remarks = file.remarks + made.remarks
        return made
    }
}

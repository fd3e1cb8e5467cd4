import SOFA

/// Measured headphones from SOFA files.
extension HeadphoneInverse.Measurement {
    /// Creates a measurement from the refits of a SimpleHeadphoneIR. Delays are ignored, because only the magnitude is
    /// used.
    package init(_ file: HeadphoneResponses) {
        self.init(
            (0..<file.refitCount).map { refit in (0..<2).map { Array(file.response(refit, ear: $0)) } },
            sampleRate: file.sampleRate)
    }
}

extension HeadphoneInverse {
    /// Returns the inverse of a file's headphones, including the remarks on the file.
    ///
    /// - Throws: the errors of `equaliser(_:name:)` for a measurement.
    package static func equaliser(_ file: HeadphoneResponses, name: String) throws(HeadphonesError)
        -> HeadphoneEqualiser
    {
        var made = try equaliser(Measurement(file), name: name)
        made.remarks = file.remarks + made.remarks
        return made
    }
}

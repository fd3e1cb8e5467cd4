import SOFA

/// What can be said of a set without preparing it for playing.
package enum HRTFInspection {
    /// Oddities of the file and of its sound: distances, repeated directions, ears in the wrong order.
    /// Throws where it could not be played. O(directions · n log n).
    package static func remarks(on file: FreeFieldHRIR) throws(HRTFError) -> [String] {
        var set = try MeasuredSet(file)
        if let lead = Alignment(set).lateralLead(set), lead < -50e-6 { set = set.exchangingEars() }
        return set.remarks
    }
}

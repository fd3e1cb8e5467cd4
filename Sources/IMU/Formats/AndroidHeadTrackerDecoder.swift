import Geometry

/// Decoder of headphones with Android's head tracker: rotation vector, angular velocity, and a count of resets.
///
/// Axes: x from the left to the right ear, y from the back to the nose, z from the neck to the crown.
package struct AndroidHeadTrackerDecoder: TrackerDecoder {
    private let tracker: AndroidHeadTracker
    private var resets: Int?

    /// Creates a decoder for a device; nil assumes the usual descriptor.
    package init(_ tracker: AndroidHeadTracker? = nil) {
        guard let tracker = tracker ?? AndroidHeadTracker(descriptor: AndroidHeadTracker.usualDescriptor) else {
            preconditionFailure("the usual descriptor is a head tracker's")
        }
        self.tracker = tracker
    }

    /// Decodes one input report in `bytes`. The report begins with its number if the device uses report numbers.
    package mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        var report = bytes[...]
        if tracker.hasReportNumbers {
            guard let number = report.popFirst() else { return output.faults.append(.malformed) }
            // Other reports of the same device, such as those of its buttons, are skipped.
            guard number == tracker.rotation.report else { return }
        }
        guard let sent = tracker.rotation.numbers(in: report) else { return output.faults.append(.malformed) }
        let v = sent.map(tracker.rotation.value)
        let axes = OrientationProfile.Axes.rightFrontUp
        if let field = tracker.resets, field.report == tracker.rotation.report,
            let count = field.numbers(in: report)?.first
        {
            if let resets, resets != count { output.readings.append(TrackerReading(.discontinuity)) }
            resets = count
        }
        var rate: SIMD3<Double>?
        if let field = tracker.rate, field.report == tracker.rotation.report, let sent = field.numbers(in: report) {
            rate = axes.ours(SIMD3(field.value(sent[0]), field.value(sent[1]), field.value(sent[2])))
        }
        let vector = axes.ours(SIMD3(v[0], v[1], v[2]))
        guard vector.isFinite, vector.greatestMagnitude <= MotionRanges.greatestAngle else {
            return output.faults.append(.implausible)
        }
        output.orientation(Quaternion(rotationVector: vector), rate: rate)
    }
}

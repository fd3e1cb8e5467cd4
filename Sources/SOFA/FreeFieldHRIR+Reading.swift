import Geometry

extension FreeFieldHRIR {
    /// Reads and checks a file of any convention for heads without trust in its content. The remarks list conversions.
    /// O(size); any thread but the audio thread.
    ///
    /// SimpleFreeFieldHRIR, SimpleFreeFieldHRTF and -TF, SimpleFreeFieldHRSOS and -SOS, FreeFieldHRIR and FreeFieldHRTF
    /// (also in spherical harmonics), and GeneralFIR, -TF, -SOS, -FIR-E (FIRE) and -TF-E where their receivers are
    /// ears; all editions of AES69. Sizes come from the data's own shapes; dimension scales are ignored, as half of the
    /// writers leave them out.
    ///
    /// - Parameters:
    ///   - harmonicStep: degrees between the points at which spherical harmonics are evaluated. Long responses are
    ///     evaluated at the steps of the usual grid in any case.
    ///   - progress: receives the share read after each block of data, and may end the reading.
    /// - Throws: an error for a faulty file or for one of another purpose; `cancelled`.
    package init(
        contentsOf path: String, harmonicStep: Double = RingGrid.usualStep,
        progress: @escaping ReadingProgress = { _ in true }
    ) throws(SOFAError) {
        try FileProbe.check(path)
        let file = try HDF5File(path: path)
        let header = try SOFAHeader(file)
        try header.require(.head)
        var reader = HeadReader(file, header, ReadingWatch(path: path, progress), harmonicStep: harmonicStep)
        self = try reader.read().set
    }

    /// Largest number of measurements, 2¹⁸: six times the densest known set (41 527 directions).
    static let mostMeasurements = 1 << 18
    /// Longest response accepted as free-field, seconds; rooms ring longer.
    package static let longestSeconds = 0.1

    /// Returns the set with these measurements only.
    package func keeping(_ measurements: [Int]) -> FreeFieldHRIR {
        var kept: [Float] = []
        kept.reserveCapacity(measurements.count * 2 * sampleCount)
        for index in measurements {
            kept.append(contentsOf: responses[(2 * index * sampleCount)..<(2 * (index + 1) * sampleCount)])
        }
        return FreeFieldHRIR(
            path: path, attributes: attributes, sampleRate: sampleRate, sampleCount: sampleCount,
            directions: measurements.map { directions[$0] }, distances: measurements.map { distances[$0] },
            responses: kept, delays: measurements.flatMap { [delays[2 * $0], delays[2 * $0 + 1]] }, remarks: remarks)
    }
}

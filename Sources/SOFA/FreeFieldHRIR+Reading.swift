import Geometry

extension FreeFieldHRIR {
    /// Reads and checks a file of any convention for heads; its content is not trusted. The remarks list conversions.
    /// Cost: O(size). May be called on any thread but the audio thread.
    ///
    /// Supported are SimpleFreeFieldHRIR, SimpleFreeFieldHRTF and -TF, SimpleFreeFieldHRSOS and -SOS, FreeFieldHRIR and
    /// FreeFieldHRTF (also in spherical harmonics). GeneralFIR, -TF, -SOS, -FIR-E (FIRE) and -TF-E are supported if
    /// their receivers are ears. All editions of AES69 are supported. Sizes come from the shapes of the data; dimension
    /// scales are ignored, because half of the writing programs omit them.
    ///
    /// - Parameters:
    ///   - harmonicStep: degrees between the points at which spherical harmonics are evaluated. Long responses are
    ///     always evaluated at the steps of the usual grid.
    ///   - progress: called after each block of data with the share that has been read. If it returns false, the
    ///     reading ends and throws.
    /// - Throws: an error if the file is faulty or has another purpose; `cancelled` if `progress` returned false.
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
    /// Longest response that is accepted as free-field, seconds. Responses of rooms are longer.
    package static let longestSeconds = 0.1

    /// Returns the set with only these measurements.
    package func keeping(_ measurements: [Int]) -> FreeFieldHRIR {
        var kept: [Float] = []
        kept.reserveCapacity(measurements.count * 2 * sampleCount)
        for index in measurements {
            kept.append(contentsOf: responses[(2 * index * sampleCount)..<(2 * (index + 1) * sampleCount)])
        }
        var set = self
        set.directions = measurements.map { directions[$0] }
        set.distances = measurements.map { distances[$0] }
        set.responses = kept
        set.delays = measurements.flatMap { [delays[2 * $0], delays[2 * $0 + 1]] }
        return set
    }
}

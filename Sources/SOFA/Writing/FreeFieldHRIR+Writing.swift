import Geometry

extension FreeFieldHRIR {
    /// Writes the set as a SimpleFreeFieldHRIR file (AES69-2022, SOFA 2.1, convention 1.0).
    ///
    /// Positions are spherical, in degrees and metres. `attributes` replace the default texts, whose dates are constant
    /// so that equal sets give equal files.
    ///
    /// - Parameter isReplacing: whether an existing file at `path` is replaced.
    /// - Throws: `occupied` if the file exists and must not be replaced; `unwritable` if it cannot be written.
    package func write(to path: String, isReplacing: Bool = false) throws(SOFAError) {
        let file = CleanFile.head(
            attributes: attributes, sampleRate: sampleRate, sampleCount: sampleCount, positions: sphericalPositions,
            delays: delays)
        try file.write(to: path, isReplacing: isReplacing) { slab in
            let row = 2 * sampleCount
            return responses[(slab.measurements.lowerBound * row)..<(slab.measurements.upperBound * row)]
                .map(Double.init)
        }
    }

    /// Azimuth (0…360) and elevation in degrees, and distance in metres, of each measurement.
    var sphericalPositions: [Double] {
        zip(directions, distances).flatMap { direction, distance in
            let degrees = direction.azimuth * 180 / .pi
            return [degrees < 0 ? degrees + 360 : degrees, direction.elevation * 180 / .pi, distance]
        }
    }
}

extension CleanFile {
    /// Returns a SimpleFreeFieldHRIR file. `positions`: azimuth and elevation in degrees and distance in metres of each
    /// measurement. `delays`: `[measurement][ear]`, samples. `receivers`: positions of the ears, metres.
    static func head(
        attributes: [String: String], sampleRate: Double, sampleCount: Int, positions: [Double], delays: [Double],
        receivers: [Double] = [0, 0.09, 0, 0, -0.09, 0]
    ) -> CleanFile {
        let metres = Variable.cartesian
        return CleanFile(
            convention: "SimpleFreeFieldHRIR", attributes: attributes, measurements: positions.count / 3,
            sampleCount: sampleCount,
            variables: [
                Variable(name: "ListenerPosition", values: [0, 0, 0], axes: ["I", "C"], attributes: metres),
                Variable(name: "ListenerView", values: [1, 0, 0], axes: ["I", "C"], attributes: metres),
                Variable(name: "ListenerUp", values: [0, 0, 1], axes: ["I", "C"], attributes: metres),
                Variable(name: "ReceiverPosition", values: receivers, axes: ["R", "C", "I"], attributes: metres),
                Variable(name: "EmitterPosition", values: [0, 0, 0], axes: ["E", "C", "I"], attributes: metres),
                Variable(name: "SourcePosition", values: positions, axes: ["M", "C"], attributes: Variable.spherical),
                Variable.rate(sampleRate), Variable.delays(delays),
            ])
    }
}

extension CleanFile.Variable {
    /// Returns Data.SamplingRate.
    static func rate(_ hertz: Double) -> CleanFile.Variable {
        CleanFile.Variable(name: "Data.SamplingRate", values: [hertz], axes: ["I"], attributes: [("Units", "hertz")])
    }

    /// Returns Data.Delay for `[measurement][ear]`, samples; one row if all measurements are equal.
    static func delays(_ values: [Double]) -> CleanFile.Variable {
        let first = Array(values.prefix(2))
        let isConstant = values.indices.allSatisfy { values[$0] == first[$0 % 2] }
        return CleanFile.Variable(
            name: "Data.Delay", values: isConstant ? first : values, axes: [isConstant ? "I" : "M", "R"])
    }
}

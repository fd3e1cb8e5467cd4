/// Domain in which the data of a head are stored, and the conversion of these data to responses.
struct HeadSignals {
    /// Sample rate, hertz.
    let sampleRate: Double
    /// Number of samples of each response.
    let sampleCount: Int
    let domain: Domain

    enum Domain {
        case responses
        case spectra(SpectrumFilling, ResponseTransform)
        case sections(SectionCascade)
    }

    /// Returns one ear's response of one measurement. `imaginary`: imaginary part of a spectrum, otherwise empty.
    ///
    /// - Throws: `value` if a spectrum contains NaN, an infinity or a fill value, or if its frequencies are too far
    ///   apart to interpolate it.
    func response(
        _ real: ArraySlice<Float>, _ imaginary: ArraySlice<Float>, path: String, measurement: Int
    ) throws(SOFAError) -> [Float] {
        switch domain {
        case .responses: return Array(real)
        case .sections(let cascade): return cascade.response(real)
        case .spectra(let filling, let transform):
            for part in [real, imaginary] {
                guard part.allSatisfy({ abs($0) < 1e30 }) else {
                    throw .value(
                        path: path, variable: "Data.Real or Data.Imag",
                        problem: "holds NaN, an infinity or a fill value in measurement \(measurement); "
                            + "use another file")
                }
            }
            guard let bins = filling.bins(real: real, imaginary: imaginary) else {
                throw .value(
                    path: path, variable: "N",
                    problem: "has frequencies too far apart: what measurement \(measurement) does between them "
                        + "cannot be told from its values")
            }
            return transform.response(bins)
        }
    }
}

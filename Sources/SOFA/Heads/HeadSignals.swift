/// Data of a head in the domain in which they are stored, and their conversion to responses.
struct HeadSignals {
    /// Sample rate, hertz.
    let sampleRate: Double
    /// Samples of each response.
    let sampleCount: Int
    let domain: Domain

    enum Domain {
        case responses
        case spectra(SpectrumFilling, ResponseTransform)
        case sections(SectionCascade)
    }

    /// Returns one ear's response of one measurement. `imaginary`: imaginary part of a spectrum, otherwise empty.
    ///
    /// - Throws: `value` if a spectrum cannot be unwrapped or contains values that are not numbers.
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

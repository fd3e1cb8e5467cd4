/// Data of a head in the stored domain, and their conversion to responses.
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

    /// Returns one ear's response of one measurement. `imaginary` is for spectra, else empty.
    ///
    /// - Throws: `value` if a spectrum cannot be unwrapped or holds values that are not numbers.
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

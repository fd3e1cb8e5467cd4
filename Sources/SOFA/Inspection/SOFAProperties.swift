import Gate
import Geometry

/// Properties of an open file, each read on first request. Not sendable: must be used by one thread at a time.
///
/// A property reads the properties on which it depends; the delays, for example, need the rate. A faulty property
/// throws at each request, and affects only those that depend on it.
final class SOFAProperties {
    let file: HDF5File
    let header: SOFAHeader
    private var kept: (shape: [Int]?, places: SOFAPlaces?, emitters: Int, rate: Double?) = (nil, nil, 1, nil)

    /// Opens the file and reads its texts.
    ///
    /// - Throws: an error if the file is not SOFA, or its own header is damaged.
    init(path: String) throws(SOFAError) {
        try FileProbe.check(path)
        file = try HDF5File(path: path)
        header = try SOFAHeader(file)
    }

    /// Returns the sizes of the data's axes as stored.
    func shape() throws(SOFAError) -> [Int] {
        if let shape = kept.shape { return shape }
        let name = header.dataType.variable
        guard let shape = try file.shape(of: name) else {
            throw .incomplete(path: file.path, missing: "variable \(name)")
        }
        guard shape.count >= 3, shape.allSatisfy({ $0 > 0 }) else {
            throw .shape(path: file.path, variable: name, found: shape, expected: "measurements × receivers × samples")
        }
        kept.shape = shape
        return shape
    }

    /// Returns the sample rate, hertz; for transfer functions, the rate after conversion. Nil unless the file describes
    /// a head or a headphone.
    func sampleRate(_ remarks: inout [String]) throws(SOFAError) -> Double? {
        guard [.head, .headphones].contains(header.convention.purpose) else { return nil }
        if let rate = kept.rate { return rate }
        let shape = try shape()
        let rate =
            header.dataType.isSpectral
            ? try FrequencyAxis(file, count: shape[2], &remarks).sampleRate
            : try SOFAVariables(file: file, measurements: shape[0]).sampleRate()
        kept.rate = rate
        return rate
    }

    /// Returns the positions of a head's sources; nil for other files.
    func places(_ remarks: inout [String]) throws(SOFAError) -> SOFAPlaces? {
        guard header.convention.purpose == .head else { return nil }
        if let places = kept.places { return places }
        let shape = try shape()
        let variables = SOFAVariables(file: file, measurements: shape[0])
        var places = SOFAPlaces()
        if !header.dataType.hasEmitters {
            (places.directions, places.distances) = try variables.directions(&remarks)
        } else {
            switch try EmitterPositions(file, measurements: shape[0], &remarks) {
            case .places(let positions):
                _ = try EmitterAxes(shape, emitters: positions.count, of: header)
                kept.emitters = positions.count
                let found = try HeadDirections(emitters: positions, of: variables, &remarks)
                (places.directions, places.distances) = (found.directions, found.distances)
            case .harmonics(let radius):
                let axes: EmitterAxes = header.hasSamplesLast ? .samplesLast : .emittersLast
                kept.emitters = shape.count == 4 ? axes.counts(shape).emitters : 1
                places.harmonicOrder = Int(clamping: Double(kept.emitters).squareRoot(), to: 0...1 << 20) - 1
                places.distances = [radius]
            }
        }
        kept.places = places
        return places
    }

    /// Returns the smallest and largest delay, samples. Nil for files other than a head's, for transfer functions, and
    /// if positions or rate cannot be read.
    func delays(_ remarks: inout [String]) throws(SOFAError) -> ClosedRange<Double>? {
        guard header.convention.purpose == .head, !header.dataType.isSpectral else { return nil }
        var unheard: [String] = []
        guard (try? places(&unheard)) != nil, let rate = try? sampleRate(&unheard) else { return nil }
        let shape = try shape()
        // The emitters are on the last axis, unless the size of the axis before it equals the number of emitters.
        let emitters = shape.count == 4 ? (kept.emitters == shape[2] ? shape[2] : shape[3]) : 1
        let values = try SOFAVariables(file: file, measurements: shape[0])
            .delays(sampleRate: rate, emitters: emitters, &remarks)
        return (values.min() ?? 0)...(values.max() ?? 0)
    }
}

/// Positions of a head's sources as a file stores them.
package struct SOFAPlaces: Sendable {
    /// Directions relative to the head, `[measurement]` or `[measurement][emitter]`; empty for spherical harmonics.
    package var directions: [Direction<Head>] = []
    /// Distances, metres; for spherical harmonics only the radius.
    package var distances: [Double] = []
    /// Order of the spherical harmonics; nil without them.
    package var harmonicOrder: Int?
}

import Gate
import Geometry

/// Directions of a head's responses: those of measurements, of emitters, or of a grid on which spherical harmonics are
/// evaluated.
struct HeadDirections {
    /// Directions relative to the head, in the order of the responses.
    let directions: [Direction<Head>]
    /// Distances, metres; 0 if unknown.
    let distances: [Double]
    /// Number of directions of each measurement, and how their responses are computed from the measurement's data.
    let perMeasurement: Int
    let mixing: Mixing

    /// Computation of responses from a measurement's data.
    enum Mixing {
        /// Responses as stored, one for each emitter.
        case none
        /// Sums over spherical harmonics of an order at a grid's points.
        case harmonics(order: Int, RingGrid)
    }

    /// Highest order of spherical harmonics, with 4225 harmonics.
    static let highestOrder = 64
    /// Largest number of multiplications for the evaluation: about ten seconds.
    private static let mostProducts = 1 << 34

    /// Reads one direction for each measurement.
    init(measurementsOf variables: SOFAVariables, _ remarks: inout [String]) throws(SOFAError) {
        (directions, distances) = try variables.directions(&remarks)
        (perMeasurement, mixing) = (1, .none)
    }

    /// Computes one direction for each measurement and emitter: R(View, Up)ᵀ·(Source + emitter − Listener),
    /// `[measurement][emitter]`. The columns of R are the head's axes.
    init(
        emitters: [SIMD3<Double>], of variables: SOFAVariables, _ remarks: inout [String]
    ) throws(SOFAError) {
        let file = variables.file
        let count = variables.measurements
        let sources =
            try file.has("SourcePosition") ? variables.positions("SourcePosition", &remarks).map(\.cartesian) : [.zero]
        let listeners =
            try file.has("ListenerPosition")
            ? variables.positions("ListenerPosition", &remarks).map(\.cartesian) : [.zero]
        let heads = try variables.orientation(&remarks)
        let frames = try variables.orientation(&remarks, of: "Source")
        let hasFrames = try file.has("SourceView")
        for rows in [sources.count, listeners.count, heads.count, frames.count] where rows != 1 && rows != count {
            throw .shape(
                path: file.path, variable: "SourcePosition", found: [rows, 3], expected: "1×3 or \(count)×3")
        }
        var directions: [Direction<Head>] = []
        var distances: [Double] = []
        for m in 0..<count {
            let frame = frames[frames.count == 1 ? 0 : m]
            let origin = sources[sources.count == 1 ? 0 : m] - listeners[listeners.count == 1 ? 0 : m]
            for (e, emitter) in emitters.enumerated() {
                let offset = origin + (hasFrames ? frame.toRoom(emitter) : emitter)
                let distance = (offset * offset).sum().squareRoot()
                guard distance > 1e-6 else {
                    throw .value(
                        path: file.path, variable: "EmitterPosition",
                        problem: "of emitter \(e) is at the listener's position: it has no direction")
                }
                directions.append(heads[heads.count == 1 ? 0 : m].direction(ofRoom: offset))
                distances.append(distance)
            }
        }
        (self.directions, self.distances) = (directions, distances)
        (perMeasurement, mixing) = (emitters.count, .none)
    }

    /// Creates the directions for `count` spherical harmonics, one for each emitter of the file. They are the points of
    /// the grid on which a field is played, so that nothing has to be interpolated.
    ///
    /// AES69-2020 and later define the harmonics: real, orthonormal (∫Y² = 1 over the sphere), in ACN order, without
    /// the Condon-Shortley phase, over azimuth and elevation, as `sph2SH` of the SOFA Toolbox computes them. They are
    /// the N3D harmonics of ambisonics divided by √4π. `EmitterPosition` contains their radius, metres.
    ///
    /// - Throws: `value` if `count` is not (order + 1)², if there are several measurements, or if the order or the
    ///   number of values is too large.
    init(
        harmonics count: Int, radius: Double, values: Int, step: Double, of variables: SOFAVariables,
        _ remarks: inout [String]
    ) throws(SOFAError) {
        let path = variables.file.path
        let order = Int(clamping: Double(count).squareRoot(), to: 0...1 << 20) - 1
        guard order >= 0, (order + 1) * (order + 1) == count else {
            throw .value(
                path: path, variable: "EmitterPosition",
                problem: "says spherical harmonics, but \(count) is no number of them (1, 4, 9, 16, …)")
        }
        guard order <= HeadDirections.highestOrder else {
            throw .value(
                path: path, variable: "EmitterPosition",
                problem: "says spherical harmonics of order \(order); \(HeadDirections.highestOrder) is the most")
        }
        guard variables.measurements == 1 else {
            throw .value(
                path: path, variable: "EmitterPosition",
                problem: "says spherical harmonics for \(variables.measurements) measurements; one is read")
        }
        var grid = RingGrid(stepDegrees: step)
        if values / count > HDF5File.largestCount / grid.count { grid = RingGrid(stepDegrees: RingGrid.usualStep) }
        guard values <= HeadDirections.mostProducts / (2 * grid.ringCount) else {
            throw .value(
                path: path, variable: "EmitterPosition",
                problem: "says spherical harmonics of order \(order), whose \(values) values are more than can be "
                    + "evaluated")
        }
        directions = grid.directions(in: Head.self)
        distances = [Double](repeating: radius, count: grid.count)
        perMeasurement = grid.count
        mixing = .harmonics(order: order, grid)
        remarks.append(
            "spherical harmonics of order \(order) were evaluated in \(grid.count) directions, every "
                + "\((grid.step * 1800 / .pi).rounded() / 10)°")
    }
}

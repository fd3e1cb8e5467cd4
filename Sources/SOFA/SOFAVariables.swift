import Geometry

/// The variables other than the data, each with its own checks.
struct SOFAVariables {
    let file: HDF5File
    /// M, the number of measurements.
    let measurements: Int

    /// Returns Data.SamplingRate, hertz: one value, or one per measurement if all of them are equal.
    func sampleRate() throws(SOFAError) -> Double {
        let name = "Data.SamplingRate"
        let (values, shape) = try file.doubles(name, most: measurements)
        guard let rate = values.first, values.count == 1 || values.count == measurements else {
            throw .shape(path: file.path, variable: name, found: shape, expected: "1 or \(measurements) values")
        }
        guard rate.isFinite, SOFALimits.sampleRates.contains(rate) else {
            let hint = (8...768).contains(rate) ? "; is it in kHz?" : ""
            throw .value(path: file.path, variable: name, problem: "is \(rate), not within 8000…768000 Hz\(hint)")
        }
        guard values.allSatisfy({ $0 == rate }) else {
            throw .value(
                path: file.path, variable: name, problem: "differs between measurements; convert the file to one rate")
        }
        if let units = try file.text("Units", of: name), !units.lowercased().hasPrefix("hertz"),
            !units.lowercased().hasPrefix("hz")
        {
            throw .value(path: file.path, variable: name, problem: "is in \"\(units)\"; AES69 asks for hertz")
        }
        return rate
    }

    /// Returns direction and distance of each measurement's source relative to the head: R(View, Up)ᵀ·(Source −
    /// Listener). The columns of R are the head's axes.
    func directions(_ remarks: inout [String]) throws(SOFAError) -> ([Direction<Head>], [Double]) {
        let source = try positions("SourcePosition", &remarks)
        let listener = try file.has("ListenerPosition") ? positions("ListenerPosition", &remarks) : nil
        let orientation = try orientation(&remarks)
        let moved = listener.map { $0.contains { $0.cartesian != SIMD3(0, 0, 0) } } ?? false
        let rows = max(source.count, moved ? listener?.count ?? 1 : 1, orientation.count)
        guard rows == measurements else {
            throw .shape(
                path: file.path, variable: "SourcePosition", found: [source.count, 3], expected: "\(measurements)×3")
        }
        var directions: [Direction<Head>] = []
        var distances: [Double] = []
        directions.reserveCapacity(measurements)
        var atListener = 0
        for index in 0..<measurements {
            let place = source[source.count == 1 ? 0 : index]
            var offset = place.cartesian
            var unit = place.unit
            if moved, let listener {
                offset -= listener[listener.count == 1 ? 0 : index].cartesian
                unit = offset
            }
            var distance = (offset * offset).sum().squareRoot()
            if distance < 1e-6 {
                // A spherical position of radius 0 still has a direction.
                atListener += 1
                distance = 0
                unit = place.unit
            }
            guard (unit * unit).sum() > 1e-18 else {
                throw .value(
                    path: file.path, variable: "SourcePosition",
                    problem: "of measurement \(index) is at the listener's position: it has no direction")
            }
            directions.append(orientation[orientation.count == 1 ? 0 : index].direction(ofRoom: unit))
            distances.append(distance)
        }
        if atListener > 0 { remarks.append("\(atListener) source positions have a distance of 0") }
        return (directions, distances)
    }

    /// A position with a separate direction, which exists even for radius 0.
    struct Position {
        var unit: SIMD3<Double>
        var cartesian: SIMD3<Double>
    }

    /// Returns a position variable of shape 1×3 or M×3 (a trailing 1 is permitted), cartesian or spherical by its
    /// attributes; metres.
    func positions(_ name: String, _ remarks: inout [String]) throws(SOFAError) -> [Position] {
        let type = try CoordinateType(
            type: file.text("Type", of: name), units: file.text("Units", of: name), variable: name, path: file.path,
            otherwise: nil, &remarks)
        return try positions(name, as: type)
    }

    /// Returns a position variable of a known coordinate type.
    func positions(_ name: String, as type: CoordinateType) throws(SOFAError) -> [Position] {
        let triples = try triples(name)
        var result: [Position] = []
        result.reserveCapacity(triples.count)
        for (row, triple) in triples.enumerated() {
            guard triple.x.isFinite, triple.y.isFinite, triple.z.isFinite,
                max(abs(triple.x), abs(triple.y), abs(triple.z)) < 1e6
            else {
                throw .value(path: file.path, variable: name, problem: "is not a number in measurement \(row)")
            }
            switch type {
            case .cartesian:
                let length = (triple * triple).sum().squareRoot()
                result.append(Position(unit: length > 0 ? triple / length : triple, cartesian: triple))
            case .spherical(let radiansPerUnit):
                let elevation = triple.y * radiansPerUnit
                guard abs(elevation) <= .pi / 2 + 1e-6 else {
                    throw .value(
                        path: file.path, variable: name,
                        problem: "has the elevation \(triple.y) in measurement \(row), beyond ±90°; is it a colatitude?"
                    )
                }
                let unit = Direction<Head>(azimuth: triple.x * radiansPerUnit, elevation: elevation).unit
                result.append(Position(unit: unit, cartesian: unit * triple.z))
            }
        }
        return result
    }

    /// Returns the numbers of a position variable as stored, three for each row.
    func triples(_ name: String) throws(SOFAError) -> [SIMD3<Double>] {
        let (values, shape) = try file.doubles(name, most: 3 * measurements)
        guard values.count == 3 || values.count == 3 * measurements,
            shape.count == 1 ? shape[0] == 3 : shape.count >= 2 && shape[1] == 3
        else {
            throw .shape(path: file.path, variable: name, found: shape, expected: "1×3 or \(measurements)×3")
        }
        return (0..<(values.count / 3)).map { SIMD3(values[3 * $0], values[3 * $0 + 1], values[3 * $0 + 2]) }
    }
}

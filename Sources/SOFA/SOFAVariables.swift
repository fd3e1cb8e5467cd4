import Geometry

/// The variables beside Data.IR, each read with its own checks.
struct SOFAVariables {
    let file: HDF5File
    /// M: rows of Data.IR.
    let measurements: Int

    /// Data.SamplingRate: one value, or one per measurement if all agree; hertz.
    func sampleRate() throws(SOFAError) -> Double {
        let name = "Data.SamplingRate"
        let (values, shape) = try file.doubles(name, most: measurements)
        guard let rate = values.first, values.count == 1 || values.count == measurements else {
            throw .shape(path: file.path, variable: name, found: shape, expected: "1 or \(measurements) values")
        }
        guard rate.isFinite, (8_000...768_000).contains(rate) else {
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

    /// Data.Delay, `[measurement][receiver]` in samples; 0 where there is none.
    func delays(sampleRate: Double, _ remarks: inout [String]) throws(SOFAError) -> [Double] {
        let name = "Data.Delay"
        guard file.has(name) else {
            remarks.append("no Data.Delay; taken as 0")
            return [Double](repeating: 0, count: 2 * measurements)
        }
        let (values, shape) = try file.doubles(name, most: 2 * measurements)
        // One row for all, or a row each; rows of one value hold for both ears.
        let rows: [Double]
        switch values.count {
        case 2 * measurements: rows = values
        case 2: rows = (0..<measurements).flatMap { _ in values }
        case 1: rows = [Double](repeating: values[0], count: 2 * measurements)
        case measurements where shape.last == 1 || shape.count == 1: rows = values.flatMap { [$0, $0] }
        default:
            throw .shape(path: file.path, variable: name, found: shape, expected: "1×2 or \(measurements)×2")
        }
        for (index, value) in rows.enumerated() where !(abs(value) <= sampleRate) {
            throw .value(
                path: file.path, variable: name,
                problem: "is \(value) samples in measurement \(index / 2); expected at most one second")
        }
        let largest = rows.map { abs($0) }.max() ?? 0
        if largest > 0, largest <= 0.01 {
            remarks.append("Data.Delay is at most \(largest): perhaps in seconds, read as samples as AES69 has it")
        }
        if rows.contains(where: { $0 < 0 }) { remarks.append("Data.Delay is negative in places") }
        return rows
    }

    /// Where the source stands in each measurement, seen from the head: R(View, Up)ᵀ·(Source − Listener).
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
            let turned = orientation[orientation.count == 1 ? 0 : index].toHead(unit)
            let length = (turned * turned).sum().squareRoot()
            guard length > 1e-9 else {
                throw .value(
                    path: file.path, variable: "SourcePosition",
                    problem: "of measurement \(index) is the listener's own place: it has no direction")
            }
            directions.append(Direction(unit: turned / length))
            distances.append(distance)
        }
        if atListener > 0 { remarks.append("\(atListener) source positions have a distance of 0") }
        return (directions, distances)
    }

    /// A position with its direction kept apart, so that radius 0 does not lose it.
    struct Position {
        var unit: SIMD3<Double>
        var cartesian: SIMD3<Double>
    }

    /// A position variable of shape 1×3 or M×3 (a trailing 1 is allowed) in metres, cartesian or spherical.
    func positions(
        _ name: String, type inherited: CoordinateType? = nil, _ remarks: inout [String]
    ) throws(SOFAError) -> [Position] {
        let (values, shape) = try file.doubles(name, most: 3 * measurements)
        guard values.count == 3 || values.count == 3 * measurements,
            shape.count == 1 ? shape[0] == 3 : shape.count >= 2 && shape[1] == 3
        else {
            throw .shape(path: file.path, variable: name, found: shape, expected: "1×3 or \(measurements)×3")
        }
        let type = try CoordinateType(
            type: file.text("Type", of: name), units: file.text("Units", of: name), variable: name, path: file.path,
            otherwise: inherited, &remarks)
        var result: [Position] = []
        result.reserveCapacity(values.count / 3)
        for row in 0..<(values.count / 3) {
            let triple = SIMD3(values[3 * row], values[3 * row + 1], values[3 * row + 2])
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

    /// The listener's (or the source's) View and Up as a turn from room to head; no turn where the file has none.
    func orientation(_ remarks: inout [String], of object: String = "Listener") throws(SOFAError) -> [HeadAxes] {
        let (viewName, upName) = (object + "View", object + "Up")
        guard file.has(viewName) else { return [HeadAxes.facingFront] }
        let views = try positions(viewName, &remarks)
        let type = CoordinateType.quick(try file.text("Type", of: viewName))
        let ups =
            try file.has(upName)
            ? positions(upName, type: type, &remarks)
            : [Position(unit: SIMD3(0, 0, 1), cartesian: SIMD3(0, 0, 1))]
        var flawed = 0
        let rows = max(views.count, ups.count)
        let axes = (0..<rows).map { row -> HeadAxes in
            let view = views[views.count == 1 ? 0 : row].unit
            let up = ups[ups.count == 1 ? 0 : row].unit
            guard let axes = HeadAxes(view: view, up: up) else {
                flawed += 1
                return .facingFront
            }
            return axes
        }
        if flawed > 0 {
            remarks.append(
                "\(viewName) and \(upName) are zero or parallel in \(flawed) rows; taken as facing the front")
        }
        return axes
    }
}

/// How a position's three numbers are meant.
enum CoordinateType {
    /// x, y, z in metres.
    case cartesian
    /// Azimuth, elevation (each times this many radians) and radius in metres.
    case spherical(radiansPerUnit: Double)

    /// By the attributes Type and Units (AES69 matches units without regard to case and spelling: metre, meters, m).
    init(
        type: String?, units: String?, variable: String, path: String, otherwise: CoordinateType?,
        _ remarks: inout [String]
    ) throws(SOFAError) {
        let words = (units ?? "").lowercased().split { $0 == "," || $0 == " " }
        let angular = words.first.map { $0.hasPrefix("deg") || $0.hasPrefix("rad") } ?? false
        let scale = words.first?.hasPrefix("rad") == true ? 1 : Double.pi / 180
        for word in words where !["m", "metre", "metres", "meter", "meters"].contains(word) {
            guard ["deg", "degree", "degrees", "rad", "radian", "radians"].contains(word) else {
                throw .value(path: path, variable: variable, problem: "is in the unknown unit \"\(word)\"")
            }
        }
        switch type?.lowercased() {
        case "cartesian": self = .cartesian
        case "spherical": self = .spherical(radiansPerUnit: scale)
        case nil where otherwise != nil: self = otherwise ?? .cartesian
        case nil where angular || variable == "SourcePosition":
            remarks.append("\(variable) does not say its Type; read as spherical")
            self = .spherical(radiansPerUnit: scale)
        case nil: self = .cartesian
        case .some(let other):
            throw .unsupported(
                path: path, what: "\(variable): type", found: other, expected: "cartesian or spherical")
        }
    }

    /// The type alone, degrees assumed.
    static func quick(_ type: String?) -> CoordinateType? {
        switch type?.lowercased() {
        case "cartesian": .cartesian
        case "spherical": .spherical(radiansPerUnit: .pi / 180)
        default: nil
        }
    }
}

/// The head's axes in room coordinates: rows of the matrix that turns room vectors to head vectors.
struct HeadAxes {
    var front: SIMD3<Double>
    var left: SIMD3<Double>
    var up: SIMD3<Double>

    /// Head and room axes coincide.
    static let facingFront = HeadAxes(front: SIMD3(1, 0, 0), left: SIMD3(0, 1, 0), up: SIMD3(0, 0, 1))

    private init(front: SIMD3<Double>, left: SIMD3<Double>, up: SIMD3<Double>) {
        self.front = front
        self.left = left
        self.up = up
    }

    /// From view and up (made orthogonal to the view); nil where one is zero or they are parallel.
    init?(view: SIMD3<Double>, up: SIMD3<Double>) {
        let viewLength = (view * view).sum().squareRoot()
        guard viewLength > 1e-9 else { return nil }
        let front = view / viewLength
        let upright = up - front * (up * front).sum()
        let upLength = (upright * upright).sum().squareRoot()
        guard upLength > 1e-6 else { return nil }
        let top = upright / upLength
        self.front = front
        self.up = top
        left = SIMD3(
            top.y * front.z - top.z * front.y, top.z * front.x - top.x * front.z, top.x * front.y - top.y * front.x)
    }

    /// A head vector in room coordinates.
    func toRoom(_ v: SIMD3<Double>) -> SIMD3<Double> { front * v.x + left * v.y + up * v.z }

    /// A room vector in head coordinates.
    func toHead(_ v: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((front * v).sum(), (left * v).sum(), (up * v).sum())
    }
}

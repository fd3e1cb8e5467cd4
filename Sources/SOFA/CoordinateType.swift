import Geometry

/// Meaning of a position's three numbers.
enum CoordinateType {
    /// x, y, z in metres.
    case cartesian
    /// Azimuth, elevation (each times this many radians) and radius in metres.
    case spherical(radiansPerUnit: Double)

    /// Derives the type from the attributes Type and Units. AES69 ignores case and the spelling of units (metre,
    /// meters, m). Without a Type the Units decide. Without both the type is `otherwise`; if that is nil, it is
    /// spherical for SourcePosition and cartesian for other variables. Throws for an unknown Type or unit.
    init(
        type: String?, units: String?, variable: String, path: String, otherwise: CoordinateType?,
        _ remarks: inout [String]
    ) throws(SOFAError) {
        let words = Self.words(units)
        let scale = words.first?.hasPrefix("rad") == true ? 1 : Double.pi / 180
        for word in words.map(String.init) where !["m", "metre", "metres", "meter", "meters"].contains(word) {
            guard ["deg", "degree", "degrees", "rad", "radian", "radians"].contains(word) else {
                throw .value(path: path, variable: variable, problem: "is in the unknown unit \"\(word)\"")
            }
        }
        switch type?.lowercased() {
        case "cartesian": self = .cartesian
        case "spherical": self = .spherical(radiansPerUnit: scale)
        case nil:
            switch (Self.isAngular(units: units), otherwise) {
            case (true?, _):
                remarks.append("\(variable) does not say its Type; read as spherical")
                self = .spherical(radiansPerUnit: scale)
            case (false?, .cartesian?): self = .cartesian
            case (false?, _):
                remarks.append("\(variable) does not say its Type; read as cartesian, since its Units are metres")
                self = .cartesian
            case (nil, let otherwise?): self = otherwise
            case (nil, nil) where variable == "SourcePosition":
                remarks.append("\(variable) does not say its Type; read as spherical")
                self = .spherical(radiansPerUnit: scale)
            case (nil, nil): self = .cartesian
            }
        case .some(let other):
            throw .unsupported(
                path: path, what: "\(variable): type", found: other, expected: "cartesian or spherical")
        }
    }

    /// Returns whether the first of the Units is an angle, as for an azimuth; nil without Units.
    static func isAngular(units: String?) -> Bool? {
        words(units).first.map { $0.hasPrefix("deg") || $0.hasPrefix("rad") }
    }

    private static func words(_ units: String?) -> [Substring] {
        (units ?? "").lowercased().split { $0 == "," || $0 == " " }
    }
}

extension CoordinateType {
    /// Returns three numbers of this type in metres along x, y and z.
    func cartesian(_ triple: SIMD3<Double>) -> SIMD3<Double> {
        switch self {
        case .cartesian: triple
        case .spherical(let radiansPerUnit):
            Direction<Head>(azimuth: triple.x * radiansPerUnit, elevation: triple.y * radiansPerUnit).unit * triple.z
        }
    }
}

import Geometry

/// How a position's three numbers are meant.
enum CoordinateType {
    /// x, y, z in metres.
    case cartesian
    /// Azimuth, elevation (each times this many radians) and radius in metres.
    case spherical(radiansPerUnit: Double)

    /// By the attributes Type and Units (AES69 matches units without regard to case and spelling: metre, meters, m). A
    /// variable without a Type is of the kind that its Units name; without both it is `otherwise`, or where that is nil
    /// spherical if it is SourcePosition, else cartesian.
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

    /// Whether Units name an angle first, as of azimuth; nil without Units.
    static func isAngular(units: String?) -> Bool? {
        words(units).first.map { $0.hasPrefix("deg") || $0.hasPrefix("rad") }
    }

    private static func words(_ units: String?) -> [Substring] {
        (units ?? "").lowercased().split { $0 == "," || $0 == " " }
    }
}

extension CoordinateType {
    /// Three numbers of this kind in metres along x, y and z.
    func cartesian(_ triple: SIMD3<Double>) -> SIMD3<Double> {
        switch self {
        case .cartesian: triple
        case .spherical(let radiansPerUnit):
            Direction<Head>(azimuth: triple.x * radiansPerUnit, elevation: triple.y * radiansPerUnit).unit * triple.z
        }
    }
}

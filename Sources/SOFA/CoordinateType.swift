import Geometry

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

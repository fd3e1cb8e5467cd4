import Geometry

/// A position variable as stored: three numbers for each row, cartesian in metres, or spherical in degrees.
struct StoredPositions {
    let name: String
    var values: [Double]
    var isSpherical: Bool

    init(name: String, values: [Double], isSpherical: Bool) {
        self.name = name
        self.values = values
        self.isSpherical = isSpherical
    }

    /// Creates a variable from numbers of a coordinate type. Radians are converted to degrees.
    init(name: String, values: [Double], _ type: CoordinateType) {
        guard case .spherical(let radians) = type else {
            self.init(name: name, values: values, isSpherical: false)
            return
        }
        self.init(name: name, values: values, isSpherical: true)
        guard radians == 1 else { return }
        for place in self.values.indices where place % 3 != 2 { self.values[place] *= 180 / .pi }
    }

    /// Returns the variable for writing, with one row, or one row for each measurement. `rows`: number of times that a
    /// single row is repeated; nil keeps one row.
    func variable(rows: Int? = nil) -> CleanFile.Variable {
        let repeated =
            rows.map { values.count == 3 ? [[Double]](repeating: values, count: $0).flatMap { $0 } : values } ?? values
        return .init(
            name: name, values: repeated, axes: [rows == nil && values.count == 3 ? "I" : "M", "C"],
            attributes: isSpherical ? CleanFile.Variable.spherical : CleanFile.Variable.cartesian)
    }

    /// Returns the variable for writing with these axes.
    func variable(axes: [String]) -> CleanFile.Variable {
        .init(
            name: name, values: values, axes: axes,
            attributes: isSpherical ? CleanFile.Variable.spherical : CleanFile.Variable.cartesian)
    }
}

extension SOFAVariables {
    /// Returns a position variable with the file's numbers, radians converted to degrees, or `otherwise` if it is
    /// missing. The variable must have been checked before. `rows`: nil for the shape 1×3 or M×3 (M measurements);
    /// otherwise the number R in the shape R×3×1 or R×3×M. Of the last axis the first element is used. With `rows`,
    /// `otherwise` is also returned for other shapes.
    func stored(_ name: String, otherwise: [Double], rows: Int? = nil) throws(SOFAError) -> StoredPositions {
        guard try file.has(name) else { return StoredPositions(name: name, values: otherwise, isSpherical: false) }
        let (all, shape) = try file.doubles(name, most: 3 * (rows ?? 1) * measurements)
        var values = all
        if let rows {
            guard shape.count >= 2, shape[0] == rows, shape[1] == 3, !all.isEmpty, all.count % (3 * rows) == 0 else {
                // Another shape, such as that of a single receiver or of unused emitters: the default is used.
                return StoredPositions(name: name, values: otherwise, isSpherical: false)
            }
            let depth = all.count / (3 * rows)
            values = (0..<(3 * rows)).map { all[$0 * depth] }
        }
        var unheard: [String] = []
        let type = try CoordinateType(
            type: file.text("Type", of: name), units: file.text("Units", of: name), variable: name, path: file.path,
            otherwise: rows == nil && name != "SourcePosition" ? CoordinateType.cartesian : nil, &unheard)
        return StoredPositions(name: name, values: values, type)
    }

    /// Returns a variable of shape 1×3 or M×3 whose type is known.
    private func stored(_ name: String, as type: CoordinateType) throws(SOFAError) -> StoredPositions {
        StoredPositions(name: name, values: try triples(name).flatMap { [$0.x, $0.y, $0.z] }, type)
    }

    /// Returns the numbers of SourcePosition for some measurements. Nil unless the file has them for each measurement,
    /// spherical, and relative to a listener at the origin who faces the front.
    func storedPositions(of places: [Int]) throws(SOFAError) -> [Double]? {
        var unheard: [String] = []
        let stored = try stored("SourcePosition", otherwise: [])
        guard stored.isSpherical, stored.values.count == 3 * measurements else { return nil }
        let heads = try orientation(&unheard)
        let listeners = try file.has("ListenerPosition") ? positions("ListenerPosition", &unheard).map(\.cartesian) : []
        guard listeners.allSatisfy({ $0 == .zero }),
            heads.allSatisfy({ $0.front == SIMD3(1, 0, 0) && $0.up == SIMD3(0, 0, 1) })
        else { return nil }
        return places.flatMap { stored.values[(3 * $0)..<(3 * $0 + 3)] }
    }

    /// Returns View and Up of the listener or the source as stored. If some rows define no direction, or if the types
    /// of View and Up differ, both are returned cartesian, as they were read.
    func storedOrientation(of object: String) throws(SOFAError) -> [CleanFile.Variable] {
        var flaws: [String] = []
        let axes = try orientation(&flaws, of: object)
        var view = try stored(object + "View", otherwise: [1, 0, 0])
        var up = try stored(object + "Up", otherwise: [0, 0, 1])
        if try file.has(object + "View"), try file.has(object + "Up") {
            up = try stored(object + "Up", as: upType(of: object, &flaws))
        }
        if flaws.contains(where: { $0.contains("zero or parallel") }) || up.isSpherical != view.isSpherical {
            func triples(_ rows: [SIMD3<Double>]) -> [Double] { rows.flatMap { [$0.x, $0.y, $0.z] } }
            view = StoredPositions(name: object + "View", values: triples(axes.map(\.front)), isSpherical: false)
            up = StoredPositions(name: object + "Up", values: triples(axes.map(\.up)), isSpherical: false)
        }
        return [view.variable(), up.variable()]
    }

    /// Returns the room's temperature, volume and corners, as far as the file has valid ones, with their attributes.
    func storedRoom() throws(SOFAError) -> [CleanFile.Variable] {
        var found: [CleanFile.Variable] = []
        for (name, width) in [("RoomTemperature", 1), ("RoomVolume", 1), ("RoomCornerA", 3), ("RoomCornerB", 3)] {
            guard try file.has(name), let shape = try file.shape(of: name), shape.reduce(1, *) == width else {
                continue
            }
            var attributes: [(String, String)] = []
            for key in ["Type", "Units"] {
                if let text = try file.text(key, of: name) { attributes.append((key, text)) }
            }
            let values = try file.doubles(name, most: width).values
            guard values.allSatisfy(\.isFinite) else { continue }
            found.append(
                .init(name: name, values: values, axes: width == 1 ? ["I"] : ["I", "C"], attributes: attributes))
        }
        return found
    }
}

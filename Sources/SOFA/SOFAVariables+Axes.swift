import Geometry

extension SOFAVariables {
    /// Returns the axes of the listener (or the source) from View and Up. Without View the axes are those of the room.
    /// Rows in which View and Up are zero or parallel get these axes too, and cause a remark.
    func orientation(_ remarks: inout [String], of object: String = "Listener") throws(SOFAError) -> [HeadAxes] {
        let (viewName, upName) = (object + "View", object + "Up")
        guard try file.has(viewName) else { return [HeadAxes.facingFront] }
        let views = try positions(viewName, &remarks)
        let ups =
            try file.has(upName)
            ? positions(upName, as: upType(of: object, &remarks))
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

    /// Returns the coordinate type of Up; the file must have View and Up.
    ///
    /// AES69 gives Type and Units only to View, so an Up without these attributes has those of View. But many files
    /// have a spherical View and the default Up, 0 0 1, which is cartesian: as azimuth, elevation and radius it would
    /// point to the front. So an Up without a Type and without angles as Units is cartesian if its rows are cartesian
    /// vectors of length 1, or lie along z. It remains spherical if it would be parallel to View in more rows as a
    /// cartesian vector than as a spherical one. An Up of 0 90 1, the same direction in degrees, also remains
    /// spherical, because a vector with these components has a length of 90.
    func upType(of object: String, _ remarks: inout [String]) throws(SOFAError) -> CoordinateType {
        let (viewName, upName) = (object + "View", object + "Up")
        var unheard: [String] = []
        let viewType = try CoordinateType(
            type: file.text("Type", of: viewName), units: file.text("Units", of: viewName), variable: viewName,
            path: file.path, otherwise: nil, &unheard)
        let (own, units) = (try file.text("Type", of: upName), try file.text("Units", of: upName))
        let type = try CoordinateType(
            type: own, units: units, variable: upName, path: file.path, otherwise: viewType, &remarks)
        guard own == nil, CoordinateType.isAngular(units: units) == nil, case .spherical = type else { return type }
        let triples = try triples(upName)
        let isCartesian = triples.allSatisfy { triple in
            abs((triple * triple).sum().squareRoot() - 1) < 1e-3 || triple.x == 0 && triple.y == 0 && triple.z > 0
        }
        guard isCartesian else { return type }
        let views = try positions(viewName, as: viewType).map(\.unit)
        guard
            Self.parallelRows(views, triples)
                <= Self.parallelRows(views, try positions(upName, as: type).map(\.unit))
        else { return type }
        remarks.append(
            "\(upName) does not say its Type; read as cartesian: by the spherical Type of \(viewName) it would not point "
                + "upwards")
        return .cartesian
    }

    /// Returns the number of rows in which two vectors (one per row, or one for all rows) define no head axes.
    private static func parallelRows(_ views: [SIMD3<Double>], _ ups: [SIMD3<Double>]) -> Int {
        (0..<max(views.count, ups.count)).count { row in
            HeadAxes(view: views[views.count == 1 ? 0 : row], up: ups[ups.count == 1 ? 0 : row]) == nil
        }
    }
}

import Geometry

extension FreeFieldHRIR {
    /// Reads and checks a file; nothing in it is trusted. O(size); any thread but the audio thread.
    ///
    /// Dimensions come from the shape of Data.IR (M×R×N); dimension scales are ignored, as half of the writers leave
    /// them out.
    package init(contentsOf path: String) throws(SOFAError) {
        try FileProbe.check(path)
        let file = try HDF5File(path: path)
        let attributes = try file.attributes(named: FreeFieldHRIR.knownAttributes)
        try FreeFieldHRIR.checkConvention(attributes, path: path)

        // Shapes first: no values are read before they are known to fit.
        guard let shape = try file.shape(of: "Data.IR") else {
            throw .incomplete(path: path, missing: "variable Data.IR")
        }
        guard shape.count == 3 else {
            throw .shape(
                path: path, variable: "Data.IR", found: shape, expected: "measurements × 2 receivers × samples")
        }
        guard shape[1] == 2 else {
            throw .shape(
                path: path, variable: "Data.IR", found: shape, expected: "2 receivers (the ears) in the middle")
        }
        guard shape[0] > 0, shape[2] >= 2 else {
            throw .shape(
                path: path, variable: "Data.IR", found: shape, expected: "one measurement, two samples or more")
        }
        guard shape[0] <= FreeFieldHRIR.mostMeasurements else {
            throw .shape(
                path: path, variable: "Data.IR", found: shape,
                expected: "\(FreeFieldHRIR.mostMeasurements) measurements at most")
        }
        var remarks: [String] = []
        let variables = SOFAVariables(file: file, measurements: shape[0])
        let sampleRate = try variables.sampleRate()
        let (directions, distances) = try variables.directions(&remarks)
        let delays = try variables.delays(sampleRate: sampleRate, &remarks)
        let (responses, _) = try file.floats("Data.IR")
        self.init(
            path: path, attributes: attributes, sampleRate: sampleRate, sampleCount: shape[2], directions: directions,
            distances: distances, responses: responses, delays: delays, remarks: remarks)
        try checkResponses()
    }

    /// The most measurements, 2¹⁸: six times the densest set known (41 527 directions).
    static let mostMeasurements = 1 << 18

    /// The text attributes of AES69 that are worth showing.
    static let knownAttributes = [
        "Conventions", "Version", "SOFAConventions", "SOFAConventionsVersion", "DataType", "RoomType", "Title",
        "DatabaseName", "ListenerShortName", "ListenerDescription", "License", "Organization", "AuthorContact",
        "References", "Comment", "Origin", "History", "APIName", "APIVersion", "ApplicationName", "DateCreated",
        "DateModified",
    ]

    private static func checkConvention(_ attributes: [String: String], path: String) throws(SOFAError) {
        guard let conventions = attributes["Conventions"] else {
            throw .notSOFA(path: path, found: "it has no attribute Conventions")
        }
        guard conventions.uppercased() == "SOFA" else {
            throw .notSOFA(path: path, found: "its Conventions is \"\(conventions)\"")
        }
        guard let convention = attributes["SOFAConventions"], !convention.isEmpty else {
            throw .incomplete(path: path, missing: "attribute SOFAConventions")
        }
        guard convention == "SimpleFreeFieldHRIR" else {
            let isRoom = BinauralRoom.conventions.contains(convention)
            throw .unsupported(
                path: path, what: "convention", found: convention,
                expected: "SimpleFreeFieldHRIR" + (isRoom ? "; this is a room, to be played with --room" : ""))
        }
        if let type = attributes["DataType"], type.uppercased() != "FIR" {
            throw .unsupported(path: path, what: "data type", found: type, expected: "FIR")
        }
    }

    /// Every sample finite and written; each ear heard somewhere; single silent directions dropped with a remark.
    private mutating func checkResponses() throws(SOFAError) {
        var silent: [Int] = []
        var heard = (left: false, right: false)
        for measurement in 0..<measurementCount {
            var peaks: [Float] = [0, 0]
            for receiver in 0..<2 {
                for value in response(measurement, receiver: receiver) {
                    // One comparison catches NaN, infinities and netCDF's fill value 9.97e36.
                    guard abs(value) < 1e30 else {
                        let what =
                            value.isNaN
                            ? "NaN" : value.isInfinite ? "an infinity" : "a fill value (never written: \(value))"
                        throw .value(
                            path: path, variable: "Data.IR",
                            problem:
                                "holds \(what) in measurement \(measurement), receiver \(receiver); use another file")
                    }
                    peaks[receiver] = max(peaks[receiver], abs(value))
                }
            }
            heard.left = heard.left || peaks[0] > 0
            heard.right = heard.right || peaks[1] > 0
            if peaks[0] == 0 || peaks[1] == 0 { silent.append(measurement) }
        }
        guard heard.left || heard.right else {
            throw .value(path: path, variable: "Data.IR", problem: "is silent: all samples are 0; use another file")
        }
        guard heard.left && heard.right else {
            throw .value(
                path: path, variable: "Data.IR",
                problem: "is silent in receiver \(heard.left ? 1 : 0) (the \(heard.left ? "right" : "left") ear)")
        }
        guard !silent.isEmpty else { return }
        guard silent.count < measurementCount else {
            throw .value(
                path: path, variable: "Data.IR", problem: "has no measurement in which both ears hear anything")
        }
        remarks.append("\(silent.count) of \(measurementCount) measurements are silent in an ear and were left out")
        self = keeping(Set(0..<measurementCount).subtracting(silent).sorted())
    }

    /// The set with these measurements only.
    package func keeping(_ measurements: [Int]) -> FreeFieldHRIR {
        var kept: [Float] = []
        kept.reserveCapacity(measurements.count * 2 * sampleCount)
        for index in measurements {
            kept.append(contentsOf: responses[(2 * index * sampleCount)..<(2 * (index + 1) * sampleCount)])
        }
        return FreeFieldHRIR(
            path: path, attributes: attributes, sampleRate: sampleRate, sampleCount: sampleCount,
            directions: measurements.map { directions[$0] }, distances: measurements.map { distances[$0] },
            responses: kept, delays: measurements.flatMap { [delays[2 * $0], delays[2 * $0 + 1]] }, remarks: remarks)
    }
}

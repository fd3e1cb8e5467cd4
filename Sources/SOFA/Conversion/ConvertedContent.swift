/// Content of a converted file, and the source of its responses.
struct ConvertedContent {
    var file: CleanFile
    let sampleRate: Double
    var notes: [String]
    var head: FreeFieldHRIR?
    let slab: (CleanFile.Slab) throws(SOFAError) -> [Double]

    /// Returns a function that copies the measurements of a slab from responses in memory,
    /// `[measurement][ear][sample]`.
    private static func held(_ responses: [Float], samples: Int) -> (CleanFile.Slab) throws(SOFAError) -> [Double] {
        { slab in
            let (first, last) = (slab.measurements.lowerBound, slab.measurements.upperBound)
            return responses[(2 * samples * first)..<(2 * samples * last)].map(Double.init)
        }
    }

    /// Prepares a head. Responses that need no conversion are read a second time, in double precision, while they are
    /// written.
    init(head file: HDF5File, _ header: SOFAHeader, _ watch: ReadingWatch) throws(SOFAError) {
        try header.require(.head)
        var reader = HeadReader(file, header, watch)
        let found = try reader.read()
        let set = found.set
        var unheard: [String] = []
        let measurements = try file.shape(of: header.dataType.variable)?.first ?? 0
        let variables = SOFAVariables(file: file, measurements: measurements)
        let stored =
            found.isStored && found.axes == .single
            ? try variables.storedPositions(of: found.places) : nil
        let ears = try? variables.receivers(&unheard)
        // Half of the files in circulation have exchanged positions of the ears, and some have implausible ones.
        let isPlausible = ears.map { $0[0].y > 0.04 && $0[0].y < 0.2 && $0[1].y < -0.04 && $0[1].y > -0.2 } ?? false
        let receivers = isPlausible ? ears?.flatMap { [$0.x, $0.y, $0.z] } : nil
        self.file = .head(
            attributes: [:], sampleRate: set.sampleRate, sampleCount: set.sampleCount,
            positions: stored ?? set.sphericalPositions, delays: set.delays,
            receivers: receivers ?? [0, 0.09, 0, 0, -0.09, 0])
        (sampleRate, notes, head) = (set.sampleRate, set.remarks, set)
        if found.isStored {
            let rows = try StoredRows(file, header.dataType.variable, axes: found.axes, places: found.places)
            slab = { slab throws(SOFAError) in try rows.values(slab.measurements) }
        } else {
            notes.append("responses are computed in single precision")
            slab = ConvertedContent.held(set.responses, samples: set.sampleCount)
        }
    }

    /// Prepares a headphone.
    init(headphone path: String, _ file: HDF5File, _ watch: ReadingWatch) throws(SOFAError) {
        let found = try HeadphoneResponses(file, watch)
        self.file = .headphones(
            attributes: [:], sampleRate: found.sampleRate, fits: found.refitCount, sampleCount: found.sampleCount,
            delays: found.delays)
        (sampleRate, notes) = (found.sampleRate, found.remarks)
        let rows = try StoredRows(file, "Data.IR", axes: .single, places: found.refits)
        slab = { slab throws(SOFAError) in try rows.values(slab.measurements) }
    }
}

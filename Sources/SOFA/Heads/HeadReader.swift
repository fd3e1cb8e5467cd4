import Gate
import Geometry

/// Reads a file of any convention for heads into one validated set of responses.
///
/// Shapes and positions are checked before data are read. Data are read in blocks; silent responses are dropped
/// immediately.
struct HeadReader {
    private let file: HDF5File
    private let header: SOFAHeader
    private let path: String
    private let watch: ReadingWatch
    private let harmonicStep: Double
    var remarks: [String] = []

    /// `harmonicStep`: degrees between the points at which spherical harmonics are evaluated.
    init(
        _ file: HDF5File, _ header: SOFAHeader, _ watch: ReadingWatch, harmonicStep: Double = RingGrid.usualStep
    ) {
        (self.file, self.header, self.watch, path) = (file, header, watch, file.path)
        self.harmonicStep = harmonicStep
    }

    /// The set, and where its responses are in the file.
    struct Found {
        var set: FreeFieldHRIR
        /// Index of each of the set's responses in the file: measurement · emitters + emitter, or the grid point at
        /// which spherical harmonics were evaluated.
        var places: [Int]
        /// Whether the responses are stored in the file without conversion.
        var isStored: Bool
        var axes: EmitterAxes
    }

    /// Reads the set. Cost: O(size). May be called on any thread but the audio thread.
    mutating func read() throws(SOFAError) -> Found {
        let type = header.dataType
        let data = try DataBlocks(type.variable, of: file)
        let imaginary = type.isSpectral ? try DataBlocks("Data.Imag", of: file) : nil
        let shape = data.shape
        if let imaginary, imaginary.shape != shape {
            throw .shape(
                path: path, variable: "Data.Imag", found: imaginary.shape,
                expected: shape.map(String.init).joined(separator: "×") + ", as Data.Real has")
        }
        try checkShape(shape)
        let variables = SOFAVariables(file: file, measurements: shape[0])
        if header.convention.isGeneral { try checkEars(variables) }
        let (axes, places) = try directions(variables, shape)
        let length = axes.counts(shape).samples
        var signals = try signals(variables, length: length, data)
        try checkSize(places.directions.count, signals)
        let delays = try delays(variables, axes.counts(shape).emitters, places, signals.sampleRate)
        // Sections are read twice, first for the length of their responses.
        var (watch, isStored) = (watch, true)
        if case .sections(let cascade) = signals.domain {
            signals = try measured(cascade, signals.sampleRate, data, watch.part(0, 0.5))
            (watch, isStored) = (watch.part(0.5, 1), false)
        }
        try checkSize(places.directions.count, signals)

        var store = ResponseStore(
            path: path, variable: type.variable, sampleCount: signals.sampleCount,
            measurements: places.directions.count)
        let mixer = EmitterMixer(axes: axes, shape: shape)
        let path = path
        try data.forEachMeasurement(with: imaginary, watch: watch) { measurement, real, imaginary throws(SOFAError) in
            var sums: [HarmonicRings] = []
            if case .harmonics(let order, let grid) = places.mixing {
                sums = [real, imaginary].filter { !$0.isEmpty }.map {
                    HarmonicRings(order: order, grid: grid, $0, axes: axes, samples: length)
                }
            }
            for place in 0..<places.perMeasurement {
                let parts = sums.isEmpty ? mixer.pair(real, place) : sums[0].pair(place)
                let others =
                    imaginary.isEmpty ? [] : sums.isEmpty ? mixer.pair(imaginary, place) : sums[1].pair(place)
                var pair: [Float] = []
                for ear in 0..<2 {
                    let range = (ear * length)..<((ear + 1) * length)
                    pair += try signals.response(
                        parts[range], others.isEmpty ? [] : others[range], path: path, measurement: measurement)
                }
                try store.append(pair[...])
            }
        }
        try store.finish(&remarks)
        if type.isSpectral {
            if store.runsBackwards(sampleRate: signals.sampleRate) {
                store.reverse()
                remarks.append(
                    "spectra are conjugated (time factor exp(−iωt)): the louder ear was the later one; the "
                        + "conjugation was reversed")
            }
            startAtQuietest(&store, signals)
        }
        let kept = store.kept
        var set = FreeFieldHRIR(
            path: path, attributes: header.attributes, sampleRate: signals.sampleRate,
            sampleCount: signals.sampleCount, directions: kept.map { places.directions[$0] },
            distances: kept.map { places.distances[$0] }, responses: store.responses,
            delays: kept.flatMap { [delays[2 * $0], delays[2 * $0 + 1]] }, remarks: remarks)
        if set.lacksInterauralTime {
            set.remarks.append(
                "both ears' responses begin at the same time in all lateral directions, also with Data.Delay: "
                    + "the set has no interaural time differences")
        }
        if case .harmonics = places.mixing { (isStored, set.isEvaluated) = (false, true) }
        return Found(set: set, places: kept, isStored: isStored && !type.isSpectral, axes: axes)
    }

    // MARK: Checks before anything is read

    private func checkShape(_ shape: [Int]) throws(SOFAError) {
        let (name, hasEmitters) = (header.dataType.variable, header.dataType.hasEmitters)
        let last = header.dataType.isSpectral ? "frequencies" : header.dataType == .sos ? "coefficients" : "samples"
        guard shape.count == (hasEmitters ? 4 : 3) else {
            throw .shape(
                path: path, variable: name, found: shape,
                expected: "measurements × 2 receivers × \(last)" + (hasEmitters ? " × emitters" : ""))
        }
        guard shape[1] == 2 else {
            throw .shape(
                path: path, variable: name, found: shape, expected: "2 receivers (the ears) as the second number")
        }
        guard shape[0] > 0, shape[2] > 0, shape[3...].allSatisfy({ $0 > 0 }), hasEmitters || shape[2] >= 2 else {
            throw .shape(
                path: path, variable: name, found: shape, expected: "one measurement or more, of two \(last) or more")
        }
        guard shape[0] <= FreeFieldHRIR.mostMeasurements else {
            throw .shape(
                path: path, variable: name, found: shape,
                expected: "\(FreeFieldHRIR.mostMeasurements) measurements at most")
        }
    }

    /// Throws unless a general convention's receivers are a left and a right ear.
    private mutating func checkEars(_ variables: SOFAVariables) throws(SOFAError) {
        guard let receivers = try variables.receivers(&remarks) else {
            throw .unsupported(
                path: path, what: "convention", found: header.convention.name,
                expected: "a head's; its ReceiverPosition does not give the positions of two ears")
        }
        let apart = receivers[0] - receivers[1]
        guard receivers[0].y * receivers[1].y < 0, (apart * apart).sum() < 4 else {
            throw .unsupported(
                path: path, what: "convention", found: header.convention.name,
                expected: "a head's; its two receivers are not one on the left and one on the right of a head")
        }
        remarks.append("\(header.convention.name) read as a head's: its two receivers are left and right")
    }

    /// Returns the directions of the responses, and the order of the axes.
    private mutating func directions(
        _ variables: SOFAVariables, _ shape: [Int]
    ) throws(SOFAError) -> (EmitterAxes, HeadDirections) {
        guard header.dataType.hasEmitters else {
            return (.single, try HeadDirections(measurementsOf: variables, &remarks))
        }
        switch try EmitterPositions(file, measurements: shape[0], &remarks) {
        case .places(let emitters):
            let axes = try EmitterAxes(shape, emitters: emitters.count, of: header)
            remarks.append("directions are those of \(emitters.count) emitters")
            return (axes, try HeadDirections(emitters: emitters, of: variables, &remarks))
        case .harmonics(let radius):
            let axes: EmitterAxes = header.hasSamplesLast ? .samplesLast : .emittersLast
            return (
                axes,
                try HeadDirections(
                    harmonics: axes.counts(shape).emitters, radius: radius, values: shape.reduce(1, *),
                    step: harmonicStep, of: variables, &remarks)
            )
        }
    }

    /// Returns the domain of the data, and the rate and length of the responses.
    private mutating func signals(
        _ variables: SOFAVariables, length: Int, _ data: DataBlocks
    ) throws(SOFAError) -> HeadSignals {
        if header.dataType.isSpectral {
            let axis = try FrequencyAxis(file, count: length, &remarks)
            if try file.has("Data.Delay") {
                remarks.append("Data.Delay does not apply to transfer functions and was ignored")
            }
            let seconds = Double(axis.sampleCount) / axis.sampleRate
            guard seconds <= FreeFieldHRIR.longestSeconds else {
                throw .value(
                    path: path, variable: "N",
                    problem: "has frequencies \(1 / seconds) Hz apart, which makes responses of "
                        + "\(Int(clamping: seconds * 1000, .towardZero, to: 0...1 << 40)) ms, longer than a head's; use another file"
                )
            }
            return HeadSignals(
                sampleRate: axis.sampleRate, sampleCount: axis.sampleCount,
                domain: .spectra(SpectrumFilling(axis), ResponseTransform(count: axis.sampleCount)))
        }
        let rate = try variables.sampleRate()
        guard header.dataType == .sos else {
            return HeadSignals(sampleRate: rate, sampleCount: length, domain: .responses)
        }
        guard data.shape.reduce(1, *) <= SectionCascade.mostCoefficients else {
            throw .refused(
                path: path, object: "Data.SOS",
                reason: "claims \(data.shape.reduce(1, *)) coefficients, more than \(SectionCascade.mostCoefficients)")
        }
        let cascade = try SectionCascade(
            coefficients: length,
            longest: Int(clamping: rate * FreeFieldHRIR.longestSeconds, .towardZero, to: 0...1 << 24), path: path,
            shape: data.shape)
        return HeadSignals(sampleRate: rate, sampleCount: cascade.sampleCount, domain: .sections(cascade))
    }

    /// Reads all sections, and determines the length of their responses.
    private mutating func measured(
        _ cascade: SectionCascade, _ sampleRate: Double, _ data: DataBlocks, _ watch: ReadingWatch
    ) throws(SOFAError) -> HeadSignals {
        var cascade = cascade
        try data.forEachMeasurement(watch: watch) { measurement, values, _ throws(SOFAError) in
            try cascade.measure(values, measurement: measurement)
        }
        let count = cascade.sampleCount
        remarks.append(
            "cascades of \(cascade.sectionCount) sections were converted to responses of \(count) samples"
                + (cascade.isCut ? ", where they are cut" : ""))
        return HeadSignals(sampleRate: sampleRate, sampleCount: count, domain: .sections(cascade))
    }

    private func checkSize(_ directions: Int, _ signals: HeadSignals) throws(SOFAError) {
        let seconds = Double(signals.sampleCount) / signals.sampleRate
        guard seconds <= FreeFieldHRIR.longestSeconds else {
            throw .value(
                path: path, variable: header.dataType.variable,
                problem:
                    "holds responses of \(Int(clamping: seconds * 1000, .towardZero, to: 0...1 << 40)) ms, longer than a free-field response can be "
                    + "(\(Int(clamping: FreeFieldHRIR.longestSeconds * 1000, to: 0...100_000)) ms): it holds a room, to be played with --room; "
                    + "choose a free-field set")
        }
        let (count, overflow) = directions.multipliedReportingOverflow(by: 2 * signals.sampleCount)
        guard !overflow, count <= HDF5File.largestCount else {
            throw .refused(
                path: path, object: header.dataType.variable,
                reason: "makes \(count) samples, more than \(HDF5File.largestCount)")
        }
    }

    /// Returns the delays, samples, `[direction][receiver]`.
    private mutating func delays(
        _ variables: SOFAVariables, _ emitters: Int, _ places: HeadDirections, _ sampleRate: Double
    ) throws(SOFAError) -> [Double] {
        guard !header.dataType.isSpectral else { return [Double](repeating: 0, count: 2 * places.directions.count) }
        let all = try variables.delays(sampleRate: sampleRate, emitters: emitters, &remarks)
        guard case .harmonics = places.mixing else {
            var result: [Double] = []
            result.reserveCapacity(all.count)
            for m in 0..<variables.measurements {
                let (left, right) = (2 * m * emitters, (2 * m + 1) * emitters)
                for e in 0..<emitters { result += [all[left + e], all[right + e]] }
            }
            return result
        }
        for ear in 0..<2 {
            guard all[(ear * emitters)..<((ear + 1) * emitters)].allSatisfy({ $0 == all[ear * emitters] }) else {
                throw .value(
                    path: path, variable: "Data.Delay",
                    problem: "differs between spherical harmonics, which has no meaning")
            }
        }
        return places.directions.flatMap { _ in [all[0], all[emitters]] }
    }
}

import Geometry

/// What a SOFA file of a head or a headphone is, by its attributes, shapes and positions: none of its responses are read,
/// so that a file of hundreds of megabytes is described in milliseconds.
///
/// Every property stands for itself: what one cannot be read for hides no other. Rooms: `BinauralRoom` reads no more.
package struct SOFASummary: Sendable {
    package let path: String
    /// The text attributes of the file: Title, License, RoomType, ...
    package let attributes: [String: String]
    package let convention: Convention
    /// How the data are stored, in AES69's letters: FIR, TF-E, ...
    package let dataType: String
    /// Sizes of the data's axes as stored: measurements, receivers, then samples, frequencies or coefficients, then
    /// emitters where there is that axis.
    package let shape: Property<[Int]>
    /// Samples per second; of transfer functions, what they would be converted to.
    package let sampleRate: Property<Double>
    /// Where responses come from, seen from the head; `absent` for a headphone and of spherical harmonics.
    package let directions: Property<[Direction<Head>]>
    /// Their distances, metres; of spherical harmonics, their radius alone.
    package let distances: Property<[Double]>
    /// The least and the largest delay, samples; `absent` of transfer functions.
    package let delays: Property<ClosedRange<Double>>
    /// The order of spherical harmonics; nil where there are none.
    package let harmonicOrder: Int?
    /// Oddities, and what will be converted on reading, one sentence each.
    package let remarks: [String]

    /// A property that was looked for.
    package enum Property<Value: Sendable>: Sendable {
        /// The file has none, nor needs one.
        case absent
        case known(Value)
        /// It is there and makes no sense, or is missing where it must not be.
        case failed(SOFAError)

        /// What is known of it.
        package var value: Value? { if case .known(let value) = self { value } else { nil } }
        /// Why it is not.
        package var error: SOFAError? { if case .failed(let error) = self { error } else { nil } }

        init(_ read: () throws(SOFAError) -> Value?) {
            do throws(SOFAError) { self = try read().map { .known($0) } ?? .absent } catch { self = .failed(error) }
        }
    }

    /// Reads attributes and positions. O(measurements); any thread but the audio thread.
    ///
    /// - Throws: where the file is no SOFA file, or its own header is damaged.
    package init(contentsOf path: String) throws(SOFAError) {
        try FileProbe.check(path)
        let file = try HDF5File(path: path)
        let header = try SOFAHeader(file)
        let type = header.dataType
        self.path = path
        (attributes, convention, dataType) = (header.attributes, header.convention, type.rawValue)
        let shape = Property<[Int]> { () throws(SOFAError) in
            guard let shape = try file.shape(of: type.variable) else {
                throw .incomplete(path: path, missing: "variable \(type.variable)")
            }
            guard shape.count >= 3, shape[0] > 0 else {
                throw .shape(
                    path: path, variable: type.variable, found: shape, expected: "measurements × receivers × samples")
            }
            return shape
        }
        self.shape = shape
        guard let sizes = shape.value, convention.purpose == .head || convention.purpose == .headphones else {
            (sampleRate, directions, distances, delays) = (.absent, .absent, .absent, .absent)
            (harmonicOrder, remarks) = (nil, [])
            return
        }
        var remarks: [String] = []
        let variables = SOFAVariables(file: file, measurements: sizes[0])
        let places = Property<Places> { () throws(SOFAError) in
            header.convention.purpose == .head ? try Places(header, variables, sizes, &remarks) : nil
        }
        // The last axis is theirs, unless they fit the one before it.
        let found = places.value?.emitters
        let emitters = sizes.count == 4 ? (found == sizes[2] ? sizes[2] : sizes[3]) : 1
        let rate = Property<Double> { () throws(SOFAError) in
            type.isSpectral
                ? try FrequencyAxis(file, count: sizes[2], &remarks).sampleRate : try variables.sampleRate()
        }
        sampleRate = rate
        delays = Property { () throws(SOFAError) in
            guard !type.isSpectral, places.error == nil, let rate = rate.value else { return nil }
            let values = try variables.delays(sampleRate: rate, emitters: emitters, &remarks)
            return (values.min() ?? 0)...(values.max() ?? 0)
        }
        harmonicOrder = places.value?.order
        switch places {
        case .absent: (directions, distances) = (.absent, .absent)
        case .failed(let error): (directions, distances) = (.failed(error), .failed(error))
        case .known(let known):
            directions = known.order == nil ? .known(known.directions) : .absent
            distances = .known(known.distances)
        }
        self.remarks = remarks
    }

    /// What positions say.
    private struct Places: Sendable {
        var directions: [Direction<Head>] = []
        var distances: [Double] = []
        var emitters = 1
        var order: Int?

        init(
            _ header: SOFAHeader, _ variables: SOFAVariables, _ shape: [Int], _ remarks: inout [String]
        ) throws(SOFAError) {
            guard header.dataType.hasEmitters else {
                (directions, distances) = try variables.directions(&remarks)
                return
            }
            switch try EmitterPositions(variables.file, measurements: shape[0], &remarks) {
            case .places(let positions):
                emitters = positions.count
                let places = try HeadDirections(emitters: positions, of: variables, &remarks)
                (directions, distances) = (places.directions, places.distances)
            case .harmonics(let radius):
                let isOld = header.attributes["DataType"]?.uppercased() == "FIRE"
                let axes: EmitterAxes = isOld ? .samplesLast : .emittersLast
                emitters = shape.count == 4 ? axes.counts(shape).emitters : 1
                order = Int(Double(emitters).squareRoot().rounded()) - 1
                distances = [radius]
            }
        }
    }
}

import Geometry

/// Summary of a SOFA file of a head or a headphone, from its attributes, shapes and positions. Responses are not read,
/// so that a file of hundreds of megabytes takes milliseconds.
///
/// Each property has its own error, which does not affect others. Of a room, `BinauralRoom` reads no more than this
/// when it is created.
package struct SOFASummary: Sendable {
    package let path: String
    /// Text attributes of the file: Title, License, RoomType, ...
    package let attributes: [String: String]
    package let convention: Convention
    /// Type of the data, as AES69 names it: FIR, TF-E, ...
    package let dataType: String
    /// Sizes of the data's axes as stored: measurements; receivers; samples, frequencies or coefficients; and emitters
    /// if the data have this axis.
    package let shape: Property<[Int]>
    /// Sample rate, hertz; for transfer functions, the rate after conversion; `absent` unless the file describes a head
    /// or a headphone.
    package let sampleRate: Property<Double>
    /// Positions of the sources relative to the head; `absent` for files other than a head's.
    package let places: Property<SOFAPlaces>
    /// Smallest and largest delay, samples; `absent` for files other than a head's, for transfer functions, and without
    /// positions or rate.
    package let delays: Property<ClosedRange<Double>>
    /// Peculiarities, and conversions that reading will make, one sentence each.
    package let remarks: [String]

    /// A property of the file, or the reason why it has no value.
    package enum Property<Value: Sendable>: Sendable {
        /// The file does not have the property and does not need it.
        case absent
        case known(Value)
        /// The property is invalid, or missing although it is required.
        case failed(SOFAError)

        /// Value of the property; nil if there is none.
        package var value: Value? { if case .known(let value) = self { value } else { nil } }
        /// Error of the property; nil if there is none.
        package var error: SOFAError? { if case .failed(let error) = self { error } else { nil } }
    }

    /// Directions of the sources relative to the head; `absent` for files other than a head's and for spherical
    /// harmonics.
    package var directions: Property<[Direction<Head>]> {
        switch places {
        case .absent: .absent
        case .failed(let error): .failed(error)
        case .known(let places): places.harmonicOrder == nil ? .known(places.directions) : .absent
        }
    }

    /// Whether the file describes a room, by its convention or by the length of its free-field responses, as in
    /// `SOFAContent`.
    package var isRoom: Bool {
        if convention.purpose == .room { return true }
        guard convention.name == "SimpleFreeFieldHRIR", let shape = shape.value, shape.count == 3, shape[0] > 0,
            shape[1] == 2, let rate = sampleRate.value
        else { return false }
        return Double(shape[2]) > FreeFieldHRIR.longestSeconds * rate
    }

    /// Order of the spherical harmonics; nil without them.
    package var harmonicOrder: Int? { places.value?.harmonicOrder }

    /// Loads all properties of a file except its levels and responses. Cost: O(measurements), off the caller's thread.
    ///
    /// - Throws: an error if the file is not SOFA, or if its header is damaged; `cancelled` if the task is cancelled.
    package init(_ inspection: SOFAInspection) async throws(SOFAError) {
        let texts = try await inspection.texts.load()
        path = inspection.path
        (attributes, convention, dataType) = (texts.attributes, texts.convention, texts.dataType)
        shape = try await SOFASummary.found(inspection.shape) { $0 }
        places = try await SOFASummary.found(inspection.places) { $0 }
        sampleRate = try await SOFASummary.found(inspection.sampleRate) { $0 }
        delays = try await SOFASummary.found(inspection.delays) { $0 }
        remarks = inspection.places.remarks + inspection.sampleRate.remarks + inspection.delays.remarks
    }

    private static func found<Loaded, Value>(
        _ property: InspectedProperty<Loaded>, _ value: (Loaded) -> Value?
    ) async throws(SOFAError) -> Property<Value> {
        do throws(SOFAError) {
            return value(try await property.load()).map { .known($0) } ?? .absent
        } catch {
            if case .cancelled = error { throw error }
            return .failed(error)
        }
    }
}

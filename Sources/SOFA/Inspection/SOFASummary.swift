import Geometry

/// What a SOFA file of a head or a headphone is, by its attributes, shapes and positions: none of its responses are
/// read, so that a file of hundreds of megabytes is described in milliseconds.
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
    /// Where responses come from, seen from the head; `absent` for a headphone.
    package let places: Property<SOFAPlaces>
    /// The least and the largest delay, samples; `absent` of transfer functions.
    package let delays: Property<ClosedRange<Double>>
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
    }

    /// Where responses come from, seen from the head; `absent` for a headphone and of spherical harmonics.
    package var directions: Property<[Direction<Head>]> {
        switch places {
        case .absent: .absent
        case .failed(let error): .failed(error)
        case .known(let places): places.harmonicOrder == nil ? .known(places.directions) : .absent
        }
    }

    /// The order of spherical harmonics; nil where there are none.
    package var harmonicOrder: Int? { places.value?.harmonicOrder }

    /// Loads all of a file's properties but its levels and responses. O(measurements), off the caller's thread.
    ///
    /// - Throws: where the file is no SOFA file, or its own header is damaged; `cancelled`.
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

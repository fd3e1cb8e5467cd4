/// Inspection of a SOFA file by its properties: each is loaded on request, off the caller's thread, and has a status
/// that any thread may read at any time.
///
/// Two lanes read: one reads texts, shapes and positions, the other responses, so that a file of hundreds of megabytes
/// is described while its responses load. Each opens the file on first use, and holds it until `close` or until the
/// inspection is released. libhdf5, as Debian builds it, admits one thread at a time.
package final class SOFAInspection: Sendable {
    package let path: String
    /// Texts and convention; if they fail, all other properties fail.
    package let texts: InspectedProperty<Texts>
    /// Sizes of the data's axes as stored: measurements, receivers, then samples, frequencies or coefficients, then
    /// emitters if the data have that axis.
    package let shape: InspectedProperty<[Int]>
    /// Sample rate, hertz; for transfer functions, the rate after conversion. Nil for files of other purposes than a
    /// head or a headphone.
    package let sampleRate: InspectedProperty<Double?>
    /// Positions of a head's sources; nil for other files.
    package let places: InspectedProperty<SOFAPlaces?>
    /// Smallest and largest delay of a head's responses, samples; nil for other files and transfer functions.
    package let delays: InspectedProperty<ClosedRange<Double>?>
    /// Levels of the responses: all responses are read, none are kept.
    package let levels: InspectedProperty<SOFALevels>
    /// Responses of a head or a headphone. Fails for a room, whose responses are too many; see `BinauralRoom`.
    package let responses: InspectedProperty<Responses>

    private let lanes: (texts: InspectionLane, responses: InspectionLane)

    /// Names of the properties.
    package enum Name: String, CaseIterable, Sendable {
        case texts, shape, sampleRate, places, delays, levels, responses
    }

    /// Description of a file.
    package struct Texts: Sendable {
        /// Text attributes: Title, License, RoomType, ...
        package let attributes: [String: String]
        package let convention: Convention
        /// Storage of the data, in AES69's letters: FIR, TF-E, ...
        package let dataType: String
    }

    /// All responses of a file.
    package enum Responses: Sendable {
        case head(FreeFieldHRIR)
        case headphones(HeadphoneResponses)
    }

    /// Creates an inspection without opening the file. `whenChanged` receives every change of a property's status, in
    /// order for each property, on the reading thread; it must not wait for a property.
    package init(
        _ path: String, whenChanged: @escaping @Sendable (Name, InspectionPhase) -> Void = { _, _ in }
    ) {
        self.path = path
        let lanes = (InspectionLane(path), InspectionLane(path))
        func property<Value: Sendable>(
            _ name: Name, _ lane: InspectionLane,
            _ read: @escaping InspectedProperty<Value>.Reading
        ) -> InspectedProperty<Value> {
            InspectedProperty(path: path, lane: lane, read: read) { whenChanged(name, $0) }
        }
        texts = property(.texts, lanes.0) { file, _, _ throws(SOFAError) in
            Texts(
                attributes: file.header.attributes, convention: file.header.convention,
                dataType: file.header.dataType.rawValue)
        }
        shape = property(.shape, lanes.0) { file, _, _ throws(SOFAError) in try file.shape() }
        sampleRate = property(.sampleRate, lanes.0) { file, _, remarks throws(SOFAError) in
            try file.sampleRate(&remarks)
        }
        places = property(.places, lanes.0) { file, _, remarks throws(SOFAError) in try file.places(&remarks) }
        delays = property(.delays, lanes.0) { file, _, remarks throws(SOFAError) in try file.delays(&remarks) }
        levels = property(.levels, lanes.1) { file, watch, _ throws(SOFAError) in try SOFALevels(file, watch) }
        responses = property(.responses, lanes.1) { file, watch, _ throws(SOFAError) in
            if file.header.convention.purpose == .headphones {
                return .headphones(try HeadphoneResponses(file.file, watch))
            }
            try file.header.require(.head)
            var reader = HeadReader(file.file, file.header, watch)
            return .head(try reader.read().set)
        }
        self.lanes = lanes
    }

    /// Closes the file after the loading in progress. Loaded properties stay; a later request opens the file again.
    package func close() async {
        await lanes.texts.close()
        await lanes.responses.close()
    }
}

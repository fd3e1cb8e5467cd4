/// Inspection of a SOFA file by its properties. Each property is loaded on request, off the caller's thread. Its status
/// can be read on any thread at any time.
///
/// Two lanes (`InspectionLane`, each with a serial queue) read the file: one reads texts, shapes and positions, the
/// other responses. So a file of hundreds of megabytes is described while its responses load. Each lane opens the file
/// on first use, and keeps it open until `close` or until the inspection is released. libhdf5, as built by Debian,
/// admits one thread at a time, so the lanes take turns in it.
package final class SOFAInspection: Sendable {
    package let path: String
    /// Texts and convention. If they fail, all other properties fail.
    package let texts: InspectedProperty<Texts>
    /// Sizes of the data's axes as stored: measurements; receivers; samples, frequencies or coefficients; and emitters
    /// if the data have this axis.
    package let shape: InspectedProperty<[Int]>
    /// Sample rate, hertz; for transfer functions, the rate after conversion. Nil unless the file describes a head or a
    /// headphone.
    package let sampleRate: InspectedProperty<Double?>
    /// Positions of a head's sources; nil for other files.
    package let places: InspectedProperty<SOFAPlaces?>
    /// Smallest and largest delay of a head's responses, samples. Nil for other files, for transfer functions, and if
    /// positions or rate cannot be read.
    package let delays: InspectedProperty<ClosedRange<Double>?>
    /// Levels of the responses. All responses are read; none are kept.
    package let levels: InspectedProperty<SOFALevels>
    /// Responses of a head or a headphone. It fails for other files. A room has too many responses; see `BinauralRoom`.
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
        /// Type of the data, as AES69 names it: FIR, TF-E, ...
        package let dataType: String
    }

    /// All responses of a file.
    package enum Responses: Sendable {
        case head(FreeFieldHRIR)
        case headphones(HeadphoneResponses)
    }

    /// Creates an inspection without opening the file. `whenChanged` is called with every change of a property's
    /// status, in order for each property, on the reading thread, or after `unload` on the caller's. It must not wait
    /// for a property.
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

    /// Closes the file after the loading in progress. Loaded properties are kept; a later request opens the file again.
    package func close() async {
        await lanes.texts.close()
        await lanes.responses.close()
    }
}

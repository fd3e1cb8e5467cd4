/// A SOFA file that is looked at piece by piece: each of its properties is loaded when it is asked for, off the
/// caller's thread, and has a status that any thread may ask for at any time.
///
/// Two lanes read: one texts, shapes and positions, the other responses, so that a file of hundreds of megabytes says
/// what it is while its responses come in. Each opens the file when it is first used, and holds it until `close` or
/// until the inspection is no longer held. libhdf5 itself lets one thread in at a time, as Debian builds it.
package final class SOFAInspection: Sendable {
    package let path: String
    /// Texts and convention; what fails here fails everywhere.
    package let texts: InspectedProperty<Texts>
    /// Sizes of the data's axes as stored: measurements, receivers, then samples, frequencies or coefficients, then
    /// emitters where there is that axis.
    package let shape: InspectedProperty<[Int]>
    /// Samples per second; of transfer functions, what they would be converted to;
    /// nil where the file is for nothing here.
    package let sampleRate: InspectedProperty<Double?>
    /// Where a head's responses come from; nil of anything else.
    package let places: InspectedProperty<SOFAPlaces?>
    /// The least and the largest delay, samples; nil of transfer functions.
    package let delays: InspectedProperty<ClosedRange<Double>?>
    /// How loud the responses are: all of them are read, none are kept.
    package let levels: InspectedProperty<SOFALevels>
    /// A head's or a headphone's responses. A room's are too many, see `BinauralRoom`: this fails.
    package let responses: InspectedProperty<Responses>

    private let lanes: (texts: InspectionLane, responses: InspectionLane)

    /// A property.
    package enum Name: String, CaseIterable, Sendable {
        case texts, shape, sampleRate, places, delays, levels, responses
    }

    /// What a file says of itself.
    package struct Texts: Sendable {
        /// Title, License, RoomType, ...
        package let attributes: [String: String]
        package let convention: Convention
        /// How the data are stored, in AES69's letters: FIR, TF-E, ...
        package let dataType: String
    }

    /// All responses of a file.
    package enum Responses: Sendable {
        case head(FreeFieldHRIR)
        case headphones(HeadphoneResponses)
    }

    /// Touches no file yet. `whenChanged` is told of every change of a property's status, in order for each property,
    /// on the thread that reads; it must not wait for one.
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

    /// Closes the file, once what is being loaded is done. What is loaded stays;
    /// what is asked for later opens it again.
    package func close() async {
        await lanes.texts.close()
        await lanes.responses.close()
    }
}

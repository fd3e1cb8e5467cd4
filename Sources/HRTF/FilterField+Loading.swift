import SOFA
import Signal

extension FilterField {
    /// Finds, reads and prepares a set for a session's rate. Takes about a second for Debian's KEMAR on two cores.
    ///
    /// - Parameter sampleRate: the session's; nil for the set's own.
    /// - Returns: the field, and what it is and what was done to it: to be shown, never dropped.
    package static func load(
        _ selection: HRTFSelection, sampleRate: SampleRate?, processing: HRTFProcessing = .automatic,
        library: HRTFLibrary = .standard(), whenRead: () -> Void = {}
    ) throws(HRTFError) -> (FilterField, HRTFReport) {
        let path = try library.locate(selection)
        let file = try read(path)
        whenRead()
        guard let rate = sampleRate ?? SampleRate(hertz: file.sampleRate) else {
            throw .implausible(path: path, reason: "its rate of \(file.sampleRate) Hz cannot be played")
        }
        var (field, report) = try prepare(file, sampleRate: rate, processing: processing)
        if let known = library.known(at: path) {
            report.name = known.title
            report.licence = known.licence
            report.citation = known.citation
        }
        if case .automatic = selection, path == library.userDefault { report.remarks.append("your default set") }
        return (field, report)
    }

    /// Prepares a set that has been read.
    package static func prepare(
        _ file: FreeFieldHRIR, sampleRate: SampleRate, processing: HRTFProcessing = .automatic
    ) throws(HRTFError) -> (FilterField, HRTFReport) {
        var preparation = try FieldPreparation(file, sampleRate: sampleRate, processing: processing)
        return try preparation.field()
    }

    /// Reads a file, its errors as this module's.
    package static func read(_ path: String) throws(HRTFError) -> FreeFieldHRIR {
        do {
            return try FreeFieldHRIR(contentsOf: path)
        } catch {
            throw .file(error)
        }
    }
}

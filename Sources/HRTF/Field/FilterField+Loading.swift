import Geometry
import SOFA
import Signal

/// Reads a file and prepares its set, as `PreparedSet.init(readingFrom:…)` does, possibly in another process.
package typealias SetPreparation = (
    _ path: String, _ sampleRate: SampleRate?, _ options: HRTFOptions, _ reading: @escaping ReadingProgress,
    _ whenRead: () -> Void
) throws(HRTFError) -> PreparedSet

extension FilterField {
    /// Fields that the stages (renderers of virtual loudspeakers) of this process play, by the paths of their cache
    /// entries.
    private static let played = SharedObjects<String, FilterField, HRTFReport>()

    /// Finds, reads and prepares a set for a session's rate. This takes about a second for Debian's KEMAR on two cores,
    /// and some tens of milliseconds from the cache. With a cache, stages of this process that play the same set share
    /// one field.
    ///
    /// - Parameters:
    ///   - sampleRate: the session's rate; nil uses the rate of the set.
    ///   - options: the options of the preparation.
    ///   - cache: the folder of prepared sets; nil uses none. Sets that play as stored (`processing` `none`) are not
    ///     cached.
    ///   - reading: called with the share of the file that has been read. If it returns false, `load` ends and throws.
    ///   - whenRead: called when the file has been read and the preparation begins; not called if the set is already
    ///     prepared.
    ///   - prepare: reads and prepares a set that is not in the cache; nil does so in this process.
    /// - Returns: the field, and the report on the set and its processing, which must be shown to the user.
    package static func load(
        _ selection: HRTFSelection, sampleRate: SampleRate?, options: HRTFOptions = HRTFOptions(),
        library: HRTFLibrary = .standard(), cache: PreparedSets? = nil,
        reading: @escaping ReadingProgress = { _ in true }, whenRead: () -> Void = {},
        prepare: SetPreparation? = nil
    ) throws(HRTFError) -> (FilterField, HRTFReport) {
        let path = try library.locate(selection)
        var (field, report) = try load(path, sampleRate, options, cache, reading, whenRead, prepare)
        // A set without a title is called by its path. A report from the cache has the path of the file that was
        // prepared, which may be another file with the same content.
        if report.name == report.path { report.name = path }
        report.path = path
        if let known = library.known(at: path) {
            report.name = known.title
            report.licence = known.licence
            report.citation = known.citation
        }
        if case .automatic = selection, path == library.userDefault { report.remarks.append("your default set") }
        return (field, report)
    }

    private static func load(
        _ path: String, _ sampleRate: SampleRate?, _ options: HRTFOptions, _ cache: PreparedSets?,
        _ reading: @escaping ReadingProgress, _ whenRead: () -> Void, _ prepare: SetPreparation?
    ) throws(HRTFError) -> (FilterField, HRTFReport) {
        try options.check()
        let key =
            options.processing == .automatic && cache != nil
            ? PreparedSets.Key(path: path, sampleRate: sampleRate, options: options) : nil
        let entry = key.flatMap { cache?.path($0) }
        if let entry, let (field, facts) = played.find(entry) {
            var report = facts
            report.wasPrepared = true
            return (field, report)
        }
        var remarks: [String] = []
        if let cache, let key {
            switch cache.find(key) {
            case .set(let kept):
                var report = kept.report
                report.wasPrepared = true
                if let rate = SampleRate(hertz: report.sessionRate) {
                    let field = FilterField(kept.content, sampleRate: rate)
                    played.add(field, report, as: cache.path(key))
                    return (field, report)
                }
            case .damaged:
                remarks.append("its prepared copy in \(cache.folder) was damaged, and the set is prepared again")
            case .nothing: break
            }
        }
        let prepared: PreparedSet
        if let prepare {
            prepared = try prepare(path, sampleRate, options, reading, whenRead)
        } else {
            prepared = try PreparedSet(
                readingFrom: path, sampleRate: sampleRate, options: options, reading: reading, whenRead: whenRead)
        }
        guard let rate = SampleRate(hertz: prepared.report.sessionRate) else {
            throw .implausible(path: path, reason: "its rate of \(prepared.report.sessionRate) Hz cannot be played")
        }
        var told = prepared.report
        if let cache, let key, key.isStill(of: path) {
            do throws(CacheEntries.NotKept) { try cache.keep(prepared, as: key) } catch {
                remarks.append("the prepared data could not be stored in \(cache.folder): \(error.reason)")
            }
        }
        let field = FilterField(prepared.content, sampleRate: rate)
        if let key, let entry, key.isStill(of: path) { played.add(field, told, as: entry) }
        told.remarks += remarks
        return (field, told)
    }

    /// Prepares a set from a file that was already read.
    package static func prepare(
        _ file: FreeFieldHRIR, sampleRate: SampleRate, options: HRTFOptions
    ) throws(HRTFError) -> (FilterField, HRTFReport) {
        try options.check()
        var preparation = try FieldPreparation(file, sampleRate: sampleRate, options: options)
        let (content, report) = try preparation.content()
        return (FilterField(content, sampleRate: sampleRate), report)
    }

    /// Prepares a set from a file that was already read, with the default options or without processing.
    package static func prepare(
        _ file: FreeFieldHRIR, sampleRate: SampleRate, processing: HRTFProcessing = .automatic
    ) throws(HRTFError) -> (FilterField, HRTFReport) {
        try prepare(file, sampleRate: sampleRate, options: HRTFOptions(processing: processing))
    }

    /// Reads a file and converts its errors to this module's errors. After each block of data, `progress` is called
    /// with the share of the file that has been read; if it returns false, the reading ends and throws. Spherical
    /// harmonics are evaluated on the grid for `processing`.
    package static func read(
        _ path: String, processing: HRTFProcessing = .automatic, progress: @escaping ReadingProgress = { _ in true }
    ) throws(HRTFError) -> FreeFieldHRIR {
        do {
            return try FreeFieldHRIR(
                contentsOf: path, harmonicStep: processing == .none ? RingGrid.fineStep : RingGrid.usualStep,
                progress: progress)
        } catch {
            throw .file(error)
        }
    }
}

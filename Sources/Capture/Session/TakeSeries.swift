import AudioIO
import Signal
import Takes

/// Names and settings of the takes of a capture, one after the other. The first take has the given name, and may
/// replace files. A later take has a free name and replaces no file.
struct TakeSeries {
    /// Path of the last part of the former take; nil before the first take has ended.
    private(set) var formerPath: String?
    private let settings: CaptureTake.Settings
    private let completing: Dispatching?

    /// Creates the series, with the settings of the first take. `completing`: runs the completion of files; nil uses
    /// one thread for each.
    init(_ settings: CaptureTake.Settings, completing: Dispatching?) {
        (self.settings, self.completing) = (settings, completing)
    }

    /// Settings of the next take; nil if there is no free name.
    var next: CaptureTake.Settings? {
        guard let formerPath else { return settings }
        guard let free = CaptureNames.next(after: formerPath) else { return nil }
        var later = settings
        later.path = free
        later.replacement = .nothing
        return later
    }

    /// Opens a take with the settings of `next`.
    func open(_ settings: CaptureTake.Settings, sampleRate: SampleRate) throws(SoundFileError) -> CaptureTake {
        try CaptureTake(settings, sampleRate: sampleRate, completing: completing)
    }

    /// Stores the name of a take that ends. The next take is named after it.
    mutating func end(_ take: CaptureTake) { formerPath = take.path }
}

import Signal

/// Encoding of an array's inputs to the sound field W Y Z X and the stereo rendition L R. The filters may be exchanged
/// while the stream continues. Must be used by one thread at a time, not by the audio thread.
struct ArrayEncoder: ~Copyable {
    /// Latency, frames.
    let delayFrames: Int
    /// Components that the array does not resolve. They are silent.
    private(set) var silent: [String]
    /// Responses of the capsules, measured if there is a calibration; computed once.
    private let responses: ArrayResponses
    private var convolver: ArrayConvolver

    /// Creates an encoder with a history of silence. A call of `process` has at most `mostFrames` frames.
    ///
    /// - Throws: as `CaptureFilters`.
    init(_ settings: CaptureChainSettings, sampleRate: SampleRate, mostFrames: Int) throws(CaptureError) {
        let heard = try CaptureFilters.responses(
            of: settings.array, calibration: settings.calibration, sampleRate: sampleRate)
        let designed = try Self.filters(settings, heard)
        responses = heard
        delayFrames = designed.filters.delayFrames
        silent = designed.silent
        convolver = ArrayConvolver(designed.filters, mostFrames: mostFrames)
    }

    private static func filters(
        _ settings: CaptureChainSettings, _ responses: ArrayResponses
    ) throws(CaptureError) -> CaptureFilters {
        try CaptureFilters(
            settings.array, heard: responses, orientation: settings.orientation, rendition: settings.rendition,
            field: settings.field)
    }

    /// Returns a closure that designs filters for settings with another orientation or rendition. It may run on any
    /// thread, lasts some tenths of a second, and fails as `CaptureFilters` does.
    func design(_ settings: CaptureChainSettings) -> @Sendable () -> Result<CaptureFilters, CaptureError> {
        let responses = self.responses
        return {
            do throws(CaptureError) { return .success(try ArrayEncoder.filters(settings, responses)) } catch {
                return .failure(error)
            }
        }
    }

    /// Crossfades to filters that were designed for this array.
    mutating func exchange(for filters: CaptureFilters) {
        silent = filters.silent
        convolver.exchange(for: filters.filters)
    }

    /// Encodes `frames` frames of each input, at most `mostFrames`.
    mutating func process(_ input: borrowing PlanarBlock, to output: borrowing PlanarBlock, frames: Int) {
        convolver.process(input, to: output, frames: frames)
    }
}

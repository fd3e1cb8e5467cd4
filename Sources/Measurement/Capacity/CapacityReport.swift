/// Result of `measure capacity`, for the user and for programs.
package struct CapacityReport: Codable, Sendable {
    /// Machine of the measurement.
    package let machine: MeasuredMachine
    /// Whether the measuring thread had real-time priority.
    package let realTime: Bool
    /// Load by other programs during the measurement; nil without `/proc/stat`.
    package let load: MachineLoad?
    /// The HRTF set's name and the taps of its filters at `sampleRate`.
    package let hrtf: String, taps: Int
    /// Sample rate, Hz.
    package let sampleRate: Double
    /// Motion of the head, in words.
    package let motion: String
    /// The requested stage (layout), and the options that select the stage and its HRTF set in other commands.
    package let stage: String, options: String
    /// All measured combinations of stage, setting and room. Periods are rendered without waiting for their beginning.
    package let cells: [CapacityCell]
    /// Measurements of the requested stage on a thread that wakes at each period, under the usable settings, short
    /// periods first, up to the first that holds.
    package let woken: [WokenStage]
    /// Recommended settings, in sentences.
    package private(set) var suggestion: [String] = []

    /// Makes a report on this machine, with its recommendation.
    ///
    /// - Parameters:
    ///   - hrtf: the set's name; `taps`: taps of its filters at `sampleRate`.
    ///   - stage: the requested stage; `options`: options of other commands that select it.
    package init(
        realTime: Bool, load: MachineLoad?, hrtf: String, taps: Int, sampleRate: Double, stage: String,
        options: String, cells: [CapacityCell], woken: [WokenStage]
    ) {
        machine = MeasuredMachine()
        self.realTime = realTime
        self.load = load
        (self.hrtf, self.taps) = (hrtf, taps)
        self.sampleRate = sampleRate
        motion = TurningHead.description
        (self.stage, self.options) = (stage, options)
        (self.cells, self.woken) = (cells, woken)
        suggestion = words
    }

    /// Cell of the recommended setting: the one that held, or else the longest period that was tried; nil if none was
    /// tried.
    package var suggested: CapacityCell? {
        guard let last = woken.last else { return nil }
        return cells.first { $0.stage == last.stage && $0.room == nil && $0.setting == last.setting }
    }
}

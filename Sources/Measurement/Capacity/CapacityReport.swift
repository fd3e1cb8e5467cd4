/// What `measure capacity` found, for the user and for programs.
package struct CapacityReport: Codable, Sendable {
    /// What it was measured on.
    package let machine: MeasuredMachine
    /// Whether the measuring thread had real-time priority.
    package let realTime: Bool
    /// What the machine did for others meanwhile; nil where the system does not say.
    package let load: MachineLoad?
    /// The HRTF set's name and the taps of its filters at `sampleRate`.
    package let hrtf: String, taps: Int
    /// Frames per second.
    package let sampleRate: Double
    /// How the head moved, in words.
    package let motion: String
    /// The stage asked for, and the options that name it and its set to other commands.
    package let stage: String, options: String
    /// Every stage under every setting, rendered as fast as possible by turns.
    package let cells: [CapacityCell]
    /// The asked stage woken period by period: settings that fit, short periods first, up to the first that holds.
    package let woken: [WokenStage]
    /// What to set, in sentences.
    package private(set) var suggestion: [String] = []

    /// What was measured, with what follows from it.
    ///
    /// - Parameters:
    ///   - hrtf: the set's name, and `taps`: of its filters at `sampleRate`.
    ///   - stage: the stage asked for; `options`: as other commands take it.
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

    /// The setting suggested: the one that held, else the longest that was tried; nil where nothing fits.
    package var suggested: CapacityCell? {
        guard let last = woken.last else { return nil }
        return cells.first { $0.stage == last.stage && $0.room == nil && $0.setting == last.setting }
    }
}

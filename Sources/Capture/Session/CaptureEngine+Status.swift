extension CaptureEngine {
    /// How it does, for the callers that show it.
    package struct Status: Sendable {
        /// Seconds of the take; nil where none grows.
        package var seconds: Double?
        /// Seconds that would be in a take from before its beginning.
        package var preRoll = 0.0
        /// Names and levels of the inputs, and of the outputs.
        package var inputs: [(name: String, level: InputMeter.Level)] = []
        package var outputs: [(name: String, level: InputMeter.Level)] = []
        /// Decibels.
        package var gain = 0.0
        package var markers = 0
        /// Frames of the take, or of the last one, that did not come in.
        package var lostFrames = 0
        package var isOutOfRoom = false
    }

    /// How it does.
    package var status: Status {
        var status = Status()
        status.seconds = recorder.seconds
        status.preRoll = recorder.preRollSeconds
        status.inputs = zip(chain.settings.array.channelNames, chain.inputs.levels).map { ($0, $1) }
        status.outputs = zip(CaptureFilters.channels, chain.outputs.levels).map { ($0, $1) }
        status.gain = chain.gainInForce
        status.markers = recorder.markers
        status.lostFrames = recorder.lostInTake
        status.isOutOfRoom = recorder.isOutOfRoom
        return status
    }

    /// What happened since this was last asked.
    package func takeEvents() -> [CaptureEvent] { eventLog.take() }

    /// Completions since this was last asked; their events are told by `takeEvents`, too.
    package func takeCompletions() -> [TakeCompletion] { recorder.takeCompletions() }
}

extension CaptureEngine {
    /// Status of a capture, for display.
    package struct Status: Sendable {
        /// Length of the growing take, seconds; nil if there is none.
        package var seconds: Double?
        /// Length of the pre-roll with which a take would begin, seconds.
        package var preRoll = 0.0
        /// Names and levels of the inputs, and of the outputs.
        package var inputs: [(name: String, level: InputMeter.Level)] = []
        package var outputs: [(name: String, level: InputMeter.Level)] = []
        /// Gain in force, dB.
        package var gain = 0.0
        package var markers = 0
        /// Frames lost at the inputs during the present or last take.
        package var lostFrames = 0
        package var isOutOfRoom = false
    }

    /// Present status.
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

    /// Returns the events since the last call.
    package func takeEvents() -> [CaptureEvent] { eventLog.take() }

    /// Returns the completions since the last call. `takeEvents` also returns their events.
    package func takeCompletions() -> [TakeCompletion] { recorder.takeCompletions() }
}

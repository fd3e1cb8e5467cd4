import Geometry
import HRTF
import Signal
import Soundstage

extension RoomLoading {
    /// Prepares a room by the words of the command line, for a layout and a set: what `run` would play.
    package static func load(
        _ stage: StageSettings, sampleRate: Double?
    ) throws(SessionError) -> (room: Loaded?, directions: [Direction<Stage>], field: FilterField) {
        let layout = try stage.layout(named: stage.layout ?? "stereo")
        guard let rate = sampleRate.map({ SampleRate(hertz: $0) }) ?? SampleRate.studio else {
            throw SessionError(.usage, "--rate \(sampleRate ?? 0) is not within 8000…768000 Hz")
        }
        let (field, _) = try StageAssembly.set(stage, sampleRate: rate)
        let room = try load(
            stage.room, directions: layout.loudspeakers.map { $0.motion == .tracked ? $0.direction : nil },
            layout: layout,
            field: field)
        let directions = layout.loudspeakers.filter { $0.motion == .tracked }.map(\.direction)
        return (room, directions, field)
    }
}

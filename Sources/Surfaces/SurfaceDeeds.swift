import HeadTracking
import Session

/// What is done at an address without a value, as by a key.
enum SurfaceDeeds {
    /// The name under which a key asks for the stage and gives it back.
    static let interruption = "surface"

    /// The commands, by their addresses.
    static let commands: [String: SessionCommand] = [
        "recentre": .recentre(.yaw), "recentre/yaw": .recentre(.yaw), "recentre/full": .recentre(.full),
        "recentre/reset": .recentre(.reset), "resume": .playback(.resume), "start": .start(frame: nil),
        "undo": .history(.undo), "redo": .history(.redo), "quit": .quit, "loudness/reset": .loudness(reset: true),
        "record/start": .record(.start(file: nil)), "record/stop": .record(.stop),
        "record/marker": .record(.marker(name: nil)),
        "calibrate/start": .calibration(.start(.head, seconds: CalibrationCommand.usualSeconds)),
        "calibrate/step": .calibration(.step), "calibrate/accept": .calibration(.accept),
        "calibrate/cancel": .calibration(.cancel),
        "interrupt/begin": .playback(.beginInterruption(name: interruption, .pause, lease: nil)),
        "interrupt/end": .playback(.endInterruption(name: interruption, resumes: true)),
    ]
}

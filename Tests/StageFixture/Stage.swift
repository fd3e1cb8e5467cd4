import Geometry
import HRTF
import Rendering
import Signal

/// The stage of the live and offline tests: its output is equal in every bit for equal arguments.
enum TestStage {
    /// Returns a renderer of `inputs` sources spread over the front half, without trim.
    ///
    /// - Parameters:
    ///   - field: `impulse` (changes nothing) or `sphere`.
    ///   - isTurning: the head sweeps at 100°/s by a pose log; otherwise it looks ahead.
    static func renderer(
        inputs: Int, field: String, outputGuard: String, isTurning: Bool, sampleRate: SampleRate
    ) throws -> StageRenderer {
        let sources = (0..<inputs).map { index in
            let azimuth = 60 - Double(index) * 120 / Double(max(1, inputs - 1))
            return SourcePlacement(direction: Direction(azimuthDegrees: azimuth, elevationDegrees: 0))
        }
        let guards: [String: OutputGuard] = ["off": .off, "instant": .instant, "lookahead": .lookahead]
        var configuration = StageConfiguration(sampleRate: sampleRate, slice: 64, sources: sources)
        configuration.trim = Decibels(0)
        configuration.outputGuard = guards[outputGuard] ?? .off
        let responses =
            field == "sphere" ? FilterField.sphere(sampleRate: sampleRate) : .impulse(sampleRate: sampleRate)
        var poses = PoseSource.fixed(.identity)
        if isTurning {
            let rows = (0...600).map { step -> PoseLog.Entry in
                let seconds = Double(step) * 0.01
                return PoseLog.Entry(seconds: seconds, headToStage: Rotation(yaw: 100 * seconds * .pi / 180))
            }
            poses = .log(try PoseLog(rows))
        }
        return try StageRenderer(configuration, field: responses, poses: poses)
    }
}

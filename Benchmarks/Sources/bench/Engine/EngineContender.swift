import Geometry
import Rendering
import Signal

/// The product's whole stage: poses, filters for each direction, convolution, fades, trim, guard, meters.
final class EngineContender: Contender {
    let name = "Proscenium"
    let role = Role.ours
    private let renderer: StageRenderer
    private let programme: Programme
    private let frames: Int

    init(_ work: EngineWork) throws {
        programme = work.programme
        frames = work.period
        let configuration = StageConfiguration(
            sampleRate: work.field.sampleRate, slice: work.slice,
            sources: work.directions.map { SourcePlacement(direction: $0) }, trim: Decibels(0), outputGuard: .instant,
            fadeFrames: work.refresh)
        // Ten minutes: longer than the head turns in any measurement.
        let poses = try PoseLog(
            stride(from: 0, to: 600, by: 0.5).map { seconds in
                let frame = Int(seconds * work.field.sampleRate.hertz)
                return PoseLog.Entry(seconds: seconds, headToStage: work.headToStage(atFrame: frame))
            })
        renderer = try StageRenderer(
            configuration, field: work.field, poses: work.isTurning ? .log(poses) : .fixed(.identity))
    }

    func step(_ index: Int, into output: Output) {
        renderer.handle.pointee.process(
            inputs: programme.block(index), outputs: output.rows, frames: frames, time: PeriodTime(restart: index == 0))
    }
}

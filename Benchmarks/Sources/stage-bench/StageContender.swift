import Geometry
import Rendering
import Signal

/// The product's stage, whole: poses, interpolation of responses, their transforms, convolution, fades, trim, guard, meters.
final class StageContender: Contender {
    let name = "Proscenium"
    let isMoving: Bool
    private let renderer: StageRenderer
    private let programme: Programme
    private let slice: Int
    private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(_ work: Workload, _ programme: Programme, moving: Bool) throws {
        isMoving = moving
        self.programme = programme
        slice = work.slice
        let configuration = StageConfiguration(
            sampleRate: work.field.sampleRate, slice: work.slice,
            sources: work.directions.map { SourcePlacement(direction: $0) }, trim: Decibels(0), outputGuard: .instant,
            fadeFrames: work.slice)
        // Ten minutes: longer than any measurement turns.
        let log = try PoseLog(
            stride(from: 0.0, to: 600, by: 0.5).map {
                PoseLog.Entry(seconds: $0, headToStage: Turn.headToStage(at: $0))
            })
        renderer = try StageRenderer(configuration, field: work.field, poses: moving ? .log(log) : .fixed(.identity))
        outputs = .allocate(capacity: 2)
    }

    deinit { outputs.deallocate() }

    func render(block index: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        outputs[0] = left
        outputs[1] = right
        renderer.handle.pointee.process(
            inputs: programme.block(index), outputs: UnsafePointer(outputs), frames: slice,
            time: PeriodTime(restart: index == 0))
    }
}

import Geometry
import HRTF
import Rendering
import Signal
import Soundstage

/// The product's stage with one sound field as its only input: poses, rotation, decoding, trim, guard, meters.
final class AmbisonicContender: Contender {
    let name = "Proscenium"
    let role = Role.ours
    private let renderer: StageRenderer
    private let work: AmbisonicWork

    init(_ work: AmbisonicWork, field: FilterField, isTurning: Bool) throws {
        self.work = work
        let configuration = StageConfiguration(
            sampleRate: field.sampleRate, slice: work.period, sources: [],
            programmes: [StageProgramme(try AmbisonicFormat(order: work.order))], trim: Decibels(0),
            outputGuard: .instant)
        // Ten minutes: longer than the head turns in any measurement.
        let poses = try PoseLog(
            stride(from: 0, to: 600, by: 0.5).map { seconds in
                PoseLog.Entry(
                    seconds: seconds,
                    headToStage: Rotation(yaw: work.yawPerFrame * seconds * work.sampleRate, pitch: 0, roll: 0))
            })
        renderer = try StageRenderer(
            configuration, field: field, poses: isTurning ? .log(poses) : .fixed(.identity))
    }

    func step(_ index: Int, into output: Output) {
        renderer.handle.pointee.process(
            inputs: work.programme.block(index), outputs: output.rows, frames: work.period,
            time: PeriodTime(restart: index == 0))
    }
}

/// The filters of a decoder, at addresses that do not change.
final class DecodingFilters {
    private let taps: PlanarBlock

    init(_ decoder: AmbisonicDecoder) {
        taps = PlanarBlock(channels: 2 * decoder.channelCount, frames: decoder.tapCount)
        for channel in 0..<decoder.channelCount {
            for ear in 0..<2 {
                for (i, tap) in decoder.filter(ear: ear, channel: channel).enumerated() {
                    taps[2 * channel + ear][i] = tap
                }
            }
        }
    }

    func response(channel: Int, ear: Int) -> UnsafePointer<Float> { UnsafePointer(taps[2 * channel + ear]) }
}

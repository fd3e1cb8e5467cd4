import AudioMix
import CRealtime
import Foundation
import Geometry
import HRTF
import Signal
import Soundstage
import Testing

@testable import Rendering

/// The whole audio path under RealtimeSanitizer, which ends the program at the first allocation, lock or system call
/// between `prc_realtime_probe_enter` and `prc_realtime_probe_exit`.
///
/// Only a build with RTSAN_LIB contains the sanitizer (see `Scripts/realtime-proof.sh`, which also checks that the
/// planted allocation below makes the program fail). In other builds the same code runs unchecked.
@Suite struct RealtimeTests {
    static let environment = ProcessInfo.processInfo.environment
    static let isProof = environment["RTSAN_LIB"] != nil

    @Test(.enabled(if: isProof, "the tests were built without RealtimeSanitizer"))
    func theSanitizerIsLinked() {
        #expect(prc_realtime_probe_is_linked() == 1)
    }

    @Test(arguments: OutputGuard.allCases, [64, 128, 256])
    func processNeitherLocksNorAllocates(_ outputGuard: OutputGuard, _ slice: Int) throws {
        _ = prc_realtime_probe_is_linked()
        let placements: [SourcePlacement] = (0..<20).map { (index: Int) -> SourcePlacement in
            let (azimuth, elevation) = (Double(index) * 18, Double(index) * 3 - 30)
            return SourcePlacement(
                direction: Direction(azimuthDegrees: azimuth, elevationDegrees: elevation), gain: 0.5,
                motion: index == 3 ? .direct(left: 1, right: 1) : index % 5 == 4 ? .fixed : .tracked)
        }
        let entries: [PoseLog.Entry] = (0..<50).map { (i: Int) -> PoseLog.Entry in
            let pose = Rotation<Head, Stage>(yaw: Double(i) * 0.1, pitch: 0.2, roll: 0.1)
            return PoseLog.Entry(seconds: Double(i) / 50, headToStage: pose)
        }
        let sources: [PoseSource] = [.mailbox, .fixed(Rotation(yaw: 1)), .log(try PoseLog(entries))]
        let field = FilterField.sphere(sampleRate: .studio)
        let longest = 8192
        let input = PlanarBlock(channels: placements.count, frames: longest)
        let output = PlanarBlock(channels: 2, frames: longest)
        var state: UInt64 = 1
        for channel in 0..<placements.count {
            for frame in 0..<longest {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                input[channel][frame] = 2 * Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
            }
        }
        input[2][17] = .nan
        let inputs = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: placements.count)
        let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
        defer {
            inputs.deallocate()
            outputs.deallocate()
        }
        for channel in 0..<placements.count { (inputs + channel).initialize(to: UnsafePointer(input[channel])) }
        for ear in 0..<2 { (outputs + ear).initialize(to: output[ear]) }
        for poses in sources {
            let renderer = try StageRenderer(
                StageConfiguration(
                    sampleRate: .studio, slice: slice, sources: placements, trim: Decibels(0), outputGuard: outputGuard),
                field: field, poses: poses)
            renderer.recordPoses(capacity: 64)
            for (index, frames) in [64, 256, 16, 100, 1, 0, 1000, 8192, 63, 17, 64].enumerated() {
                if index == 4 { try renderer.publish(field: FilterField.impulse(sampleRate: .studio)) }
                if index == 7 { try renderer.publish(field: field) }
                renderer.mailbox.store(
                    PoseForecast(
                        pose: Rotation(yaw: Double(index)), rate: SIMD3(1, 2, 3), time: Double(index), decay: 0.1,
                        horizon: 0.1))
                let time = PeriodTime(restart: index == 6, live: index % 3 != 2, heardAt: Double(index) + 0.01)
                prc_realtime_probe_enter()
                renderer.handle.pointee.process(inputs: inputs, outputs: outputs, frames: frames, time: time)
                prc_realtime_probe_exit()
            }
            #expect(renderer.telemetry()?.periods == 11)
            #expect(renderer.heldFieldCount == 1)
        }
    }

    @Test(arguments: [1, 3, 7], [64, 128, 256])
    func aSoundFieldNeitherLocksNorAllocates(_ order: Int, _ slice: Int) throws {
        _ = prc_realtime_probe_is_linked()
        let field = FilterField.sphere(sampleRate: .studio)
        // A stage has 64 inputs at most: a field of order 7 leaves none for loudspeakers.
        let sources = order == 7 ? [] : [SourcePlacement(direction: Direction(azimuthDegrees: 30, elevationDegrees: 0))]
        let talk = Programme(name: "talk", layout: try .named("mono"))
        // Orders 1 and 3 play through an Audio Mix, order 7 without one.
        let format = try AmbisonicFormat(order: order, convention: order == 3 ? .fuma : .sn3d)
        let mixed = StageProgramme(format, mix: order == 7 ? nil : .live)
        let configuration = StageConfiguration(
            sampleRate: .studio, slice: slice, sources: sources,
            programmes: order == 7 ? [mixed] : [StageProgramme(talk, controls: ProgrammeControls(talk)), mixed])
        let renderer = try StageRenderer(configuration, field: field, poses: .mailbox)
        renderer.lead?.change { ($0.mix.style, $0.width) = (.studio, order == 7 ? 0 : 1) }
        let count = renderer.configuration.inputCount
        let input = PlanarBlock(channels: count, frames: 8192)
        let output = PlanarBlock(channels: 2, frames: 8192)
        for channel in 0..<count { for i in 0..<8192 { input[channel][i] = Float((i * (channel + 3)) % 101) / 101 } }
        let inputs = (0..<count).map { UnsafePointer(input[$0]) }
        let outputs = [output[0], output[1]]
        for (index, frames) in [64, 256, 16, 100, 1, 0, 1000, 8192, 63, 17, 64].enumerated() {
            if index == 4 { try renderer.publish(field: FilterField.sphere(sampleRate: .studio, radius: 0.08)) }
            renderer.mailbox.store(
                PoseForecast(
                    pose: Rotation(yaw: Double(index)), rate: SIMD3(1, 2, 3), time: Double(index), decay: 0.1,
                    horizon: 0.1))
            let time = PeriodTime(restart: index == 6, live: index % 3 != 2, heardAt: Double(index) + 0.01)
            inputs.withUnsafeBufferPointer { inputs in
                outputs.withUnsafeBufferPointer { outputs in
                    guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress else { return }
                    prc_realtime_probe_enter()
                    renderer.handle.pointee.process(inputs: inputs, outputs: outputs, frames: frames, time: time)
                    prc_realtime_probe_exit()
                }
            }
        }
        #expect(renderer.telemetry()?.periods == 11)
    }

    /// The allocation that the sanitizer must catch. Only the proof runs it, in a program that is expected to fail.
    @Test(.enabled(if: environment["PROSCENIUM_PLANT"] == "1", "Scripts/realtime-proof.sh plants it"))
    func aPlantedAllocationEndsTheProgram() {
        _ = prc_realtime_probe_is_linked()
        // Allocated once outside the probe, so that the sanitizer catches the allocation and not the type's first use.
        let count = 100 + Self.environment.count
        var planted = [Float](repeating: 1, count: count)
        prc_realtime_probe_enter()
        planted = [Float](repeating: 2, count: 2 * count)
        prc_realtime_probe_exit()
        #expect(planted.count == 2 * count)
    }
}

import Foundation
import Geometry
import HRTF
import Signal

@testable import Rendering

/// Returns a reproducible signal in −1…1 (linear congruence, Knuth's MMIX constants).
func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
    var state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }
}

/// Samples of both ears of a rendering.
struct Ears {
    var left: [Float]
    var right: [Float]

    /// Returns 20·log10 of the rms difference over the rms of `reference`, both ears, frames `range`.
    func error(against reference: Ears, in range: Range<Int>? = nil) -> Double {
        let range = range ?? 0..<reference.left.count
        var (difference, power) = (0.0, 0.0)
        for (a, b) in [(left, reference.left), (right, reference.right)] {
            for i in range {
                difference += (Double(a[i]) - Double(b[i])) * (Double(a[i]) - Double(b[i]))
                power += Double(b[i]) * Double(b[i])
            }
        }
        return difference == 0 ? -.infinity : 10 * log10(difference / power)
    }

    /// Returns whether every bit of every sample agrees.
    func isIdentical(to other: Ears) -> Bool {
        left.count == other.left.count && right.count == other.right.count
            && zip(left, other.left).allSatisfy { $0.bitPattern == $1.bitPattern }
            && zip(right, other.right).allSatisfy { $0.bitPattern == $1.bitPattern }
    }
}

/// Renders `inputs` in the given periods (repeated to the end) and returns both ears.
func render(
    _ renderer: StageRenderer, _ inputs: [[Float]], periods: [Int], time: (Int) -> PeriodTime = { _ in PeriodTime() },
    between: (Int) -> Void = { _ in }
) -> Ears {
    let total = inputs.first?.count ?? 0
    let input = PlanarBlock(channels: inputs.count, frames: total)
    for (channel, samples) in inputs.enumerated() { for i in 0..<total { input[channel][i] = samples[i] } }
    let output = PlanarBlock(channels: 2, frames: total)
    var inputPointers = (0..<inputs.count).map { UnsafePointer(input[$0]) }
    var outputPointers = [output[0], output[1]]
    var (done, period) = (0, 0)
    while done < total {
        let frames = min(periods[period % periods.count], total - done)
        between(done)
        for channel in 0..<inputs.count { inputPointers[channel] = UnsafePointer(input[channel]) + done }
        outputPointers = [output[0] + done, output[1] + done]
        renderer.handle.pointee.process(
            inputs: inputPointers, outputs: outputPointers, frames: frames, time: time(done))
        done += frames
        period += 1
    }
    return Ears(
        left: (0..<total).map { output[0][$0] }, right: (0..<total).map { output[1][$0] })
}

/// The loudspeakers of 7.1.4 at BS.2051 angles, the LFE direct to both ears.
let sevenOneFour: [SourcePlacement] = {
    let angles: [(Double, Double)] = [
        (30, 0), (-30, 0), (0, 0), (0, 0), (135, 0), (-135, 0), (90, 0), (-90, 0), (45, 30), (-45, 30), (135, 30),
        (-135, 30),
    ]
    return angles.enumerated().map { index, angle in
        SourcePlacement(
            direction: Direction(azimuthDegrees: angle.0, elevationDegrees: angle.1),
            gain: index == 3 ? 0.5 : 1, motion: index == 3 ? .direct(left: 1, right: 0.7) : .tracked)
    }
}()

/// Returns the poses of a head that turns left at a steady rate, from `from` degrees at stream time 0.
func turning(degreesPerSecond rate: Double, from: Double = 0, seconds: Double) throws -> PoseSource {
    let count = Int(seconds * 100) + 2
    return .log(
        try PoseLog(
            (0..<count).map { i in
                let t = Double(i) / 100
                return PoseLog.Entry(seconds: t, headToStage: Rotation(yaw: (from + rate * t) * .pi / 180))
            }))
}

/// Returns a stage for tests: no trim, no output limiter, and the sphere's filters unless `field` is given.
func stage(
    _ sources: [SourcePlacement], slice: Int = 64, poses: PoseSource = .fixed(.identity),
    field: FilterField? = nil, outputGuard: OutputGuard = .off, trim: Decibels = Decibels(0)
) throws -> StageRenderer {
    try StageRenderer(
        StageConfiguration(
            sampleRate: .studio, slice: slice, sources: sources, trim: trim, outputGuard: outputGuard),
        field: field ?? sphere, poses: poses)
}

let sphere = FilterField.sphere(sampleRate: .studio)

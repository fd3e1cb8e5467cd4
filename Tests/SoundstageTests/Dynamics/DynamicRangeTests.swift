import Foundation
import Metering
import Signal
import Testing

@testable import Soundstage

/// Plays channels through a new `DynamicRange`, in calls of the given lengths, and returns its output.
private func played(
    _ channels: [[Float]], weights: [Float]? = nil, sampleRate: SampleRate = .studio, calls: [Int] = [256],
    controls: (_ frame: Int) -> DynamicsControls
) -> [[Float]] {
    var dynamics = DynamicRange(
        sampleRate: sampleRate, channelWeights: weights ?? channels.map { _ in 1 }, maximumFrames: 8192)
    let frames = channels[0].count
    let block = PlanarBlock(channels: channels.count, frames: frames)
    for (index, samples) in channels.enumerated() { for i in 0..<frames { block[index][i] = samples[i] } }
    let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channels.count)
    defer { rows.deallocate() }
    var (done, call) = (0, 0)
    while done < frames {
        let count = min(calls[call % calls.count], frames - done)
        for index in channels.indices { (rows + index).initialize(to: block[index] + done) }
        dynamics.process(rows: rows, frames: count, controls: controls(done))
        done += count
        call += 1
    }
    return channels.indices.map { index in (0..<frames).map { block[index][$0] } }
}

/// Returns a tone, of 997 Hz by default, whose loudness in one channel is `level(t)` LUFS.
private func tone(_ seconds: Double, sampleRate: Double = 48_000, hertz: Double = 997, _ level: (Double) -> Double)
    -> [Float]
{
    // A sine of 0 dBFS at 997 Hz in one channel is −3.01 LUFS.
    (0..<Int(seconds * sampleRate)).map { i in
        let t = Double(i) / sampleRate
        return Float(pow(10, (level(t) + 3.01) / 20) * sin(2 * .pi * hertz * t + 0.3))
    }
}

/// Returns the gain from `x` to `out`, dB, wherever the sample is not close to 0.
private func gains(_ out: [Float], _ x: [Float], from first: Int = 0) -> [(frame: Int, decibels: Double)] {
    var top: Float = 0
    for i in first..<x.count { top = max(top, abs(x[i])) }
    return (first..<x.count).compactMap { i in
        abs(x[i]) > 1e-6 && abs(x[i]) > 1e-4 * top ? (i, 20 * log10(Double(out[i] / x[i]))) : nil
    }
}

private let reference = -31.0
private func compressing(_ profile: CompressionProfile, cut: Float = 1, boost: Float = 1) -> DynamicsControls {
    DynamicsControls(profile: profile, cutScale: cut, boostScale: boost, reference: Float(reference))
}

@Suite struct DynamicRangeTests {
    private static let profiles = CompressionProfile.allCases.filter(\.isActive)

    /// Published corner points: level re the reference and gain, dB.
    private static let corners: [CompressionProfile: [(level: Double, gain: Double)]] = [
        .filmStandard: [(-40, 6), (-12, 6), (-6, 3), (0, 0)] + standardCuts,
        .filmLight: [(-40, 6), (-22, 6), (-16, 3), (-10, 0), (10, 0), (15, -2.5), (20, -5), (30, -14.5), (40, -24)],
        .musicStandard: [(-40, 12), (-24, 12), (-22, 11), (-12, 6), (0, 0)] + standardCuts,
        .musicLight: [(-45, 12), (-34, 12), (-22, 6), (-10, 0), (10, 0), (20, -5), (30, -10), (40, -15), (45, -15)],
        .speech: [(-40, 15), (-19, 15), (-9.5, 7.5), (0, 0)] + standardCuts,
    ]
    private static let standardCuts = [(5.0, 0.0), (10, -2.5), (15, -5), (25, -14.5), (35, -24), (40, -24)]

    @Test(arguments: profiles) func aSteadyToneIsPlayedAtThePublishedGain(_ profile: CompressionProfile) throws {
        for (level, expected) in try #require(Self.corners[profile]) {
            #expect(abs(profile.curve.gain(at: level) - expected) < 1e-9)
            let x = tone(profile.curve.releaseSeconds * 7) { _ in reference + level }
            let out = played([x]) { _ in compressing(profile) }[0]
            for gain in gains(out, x, from: x.count - 4800) { #expect(abs(gain.decibels - expected) < 0.1) }
        }
    }

    @Test(arguments: [45.0, 60, 100, 1000, 10_000])
    func theStaticGainHoldsWithinHalfADecibelAtEveryFrequency(_ hertz: Double) {
        // The expected gain is that of the tone's K-weighted level, which the detector measures with the same filter.
        var x = tone(25, hertz: hertz) { _ in reference + 25 }
        let filter = KWeightedPower(sampleRate: .studio, channelWeights: [1])
        var power = [Double](repeating: 0, count: x.count)
        x.withUnsafeMutableBufferPointer { row in
            var row = row.baseAddress!
            filter.measure(&row, count: power.count, into: &power)
        }
        let whole = 48_000 * 20..<48_000 * 25
        let level = -0.691 + 10 * log10(power[whole].reduce(0, +) / Double(whole.count)) - reference
        let expected = CompressionProfile.filmStandard.curve.gain(at: level)
        let out = played([x]) { _ in compressing(.filmStandard) }[0]
        for gain in gains(out, x, from: whole.lowerBound) { #expect(abs(gain.decibels - expected) < 0.5) }
    }

    /// Returns the seconds from a step until 63.2 % of the gain's change are done.
    private func timeConstant(_ profile: CompressionProfile, from: Double, to: Double, sampleRate: SampleRate = .studio)
        throws -> Double
    {
        let rest = 7 * profile.curve.releaseSeconds
        let x = tone(rest * 2, sampleRate: sampleRate.hertz) { reference + ($0 < rest ? from : to) }
        let out = played([x], sampleRate: sampleRate) { _ in compressing(profile) }[0]
        let step = Int(rest * sampleRate.hertz)
        let before = gains(Array(out[..<step]), Array(x[..<step]), from: step - 500).last!.decibels
        let after = gains(out, x, from: x.count - 500).last!.decibels
        let goal = before + (after - before) * (1 - exp(-1))
        let reached = try #require(
            gains(out, x, from: step).first { (after > before) == ($0.decibels >= goal) })
        return Double(reached.frame - step) / sampleRate.hertz
    }

    @Test(arguments: profiles, [SampleRate.cd, .studio])
    func aChangeTakesThePublishedTime(_ profile: CompressionProfile, _ sampleRate: SampleRate) throws {
        let curve = profile.curve
        // Slow attack and release within the thresholds, on slopes of the curve; then the fast ones, far beyond them.
        let above = curve.bendLevel
        let slow = try timeConstant(profile, from: above, to: above + 9, sampleRate: sampleRate)
        #expect(abs(slow / curve.attackSeconds - 1) < 0.1, "slow attack \(slow) s")
        let release = try timeConstant(profile, from: above + 9, to: above, sampleRate: sampleRate)
        #expect(abs(release / curve.releaseSeconds - 1) < 0.1, "release \(release) s")
        let fast = try timeConstant(profile, from: -35, to: 35, sampleRate: sampleRate)
        #expect(abs(fast / curve.fastAttackSeconds - 1) < 0.1, "fast attack \(fast) s")
        let fastRelease = try timeConstant(profile, from: 35, to: -40, sampleRate: sampleRate)
        #expect(abs(fastRelease / curve.fastReleaseSeconds - 1) < 0.1, "fast release \(fastRelease) s")
    }

    @Test func theScalesShareOutCutAndBoost() {
        for (level, cut, boost, expected) in [(25.0, 0.5, 1, -7.25), (25, 0, 1, 0), (-20, 1, 0.5, 3), (-20, 1, 0, 0)] {
            let x = tone(21) { _ in reference + level }
            let out = played([x]) { _ in compressing(.filmStandard, cut: Float(cut), boost: Float(boost)) }[0]
            #expect(abs(gains(out, x, from: x.count - 1000).last!.decibels - expected) < 0.1)
        }
    }

    @Test func oneGainServesAllChannelsAndTheLFEDoesNotSteerIt() {
        let left = tone(4) { reference + ($0.truncatingRemainder(dividingBy: 1) < 0.5 ? 20 : 0) }
        let right = left.map { $0 * 0.25 }
        let bass = tone(4, hertz: 40) { _ in reference + 40 }
        let out = played([left, right, bass], weights: [1, 1.41, 0]) { _ in compressing(.speech) }
        let alone = played([left, right], weights: [1, 1.41]) { _ in compressing(.speech) }
        #expect(out[0] == alone[0] && out[1] == alone[1])
        for i in stride(from: 0, to: left.count, by: 7) where abs(left[i]) > 1e-3 && abs(bass[i]) > 1e-3 {
            #expect(abs(out[1][i] / right[i] - out[0][i] / left[i]) < 1e-5)
            #expect(abs(out[2][i] / bass[i] - out[0][i] / left[i]) < 1e-5)
        }
    }

    @Test(arguments: [[1], [64], [17, 100, 3], [8192]])
    func aStreamGivesTheSameBitsHoweverItIsCut(_ calls: [Int]) {
        let x = tone(3) { reference + 30 * sin(2 * .pi * $0) }
        let controls = { (_: Int) in
            DynamicsControls(normalisation: -7, profile: .musicLight, reference: Float(reference))
        }
        #expect(played([x, x], calls: calls, controls: controls) == played([x, x], calls: [256], controls: controls))
    }

    @Test func nothingAskedForTouchesNoBit() {
        let x = tone(1) { _ in -10 }
        #expect(played([x]) { _ in DynamicsControls() }[0] == x)
    }

    @Test func normalisationIsInForceFromTheFirstFrameAndChangesWithoutASteporAClick() {
        let x = [Float](repeating: 0.5, count: 48_000)
        let out = played([x]) { DynamicsControls(normalisation: $0 < 9600 ? -10 : 0) }[0]
        let low = Float(0.5 * pow(10, -0.5))
        for i in 0..<9600 { #expect(abs(out[i] - low) < 1e-6) }
        var step: Float = 0
        for i in 1..<out.count { step = max(step, abs(out[i] - out[i - 1])) }
        // 10 dB with a time constant of 50 ms, 2400 frames: at most 0.5 · ln 10 / 2 / 2400 a frame.
        #expect(step < 0.5 * 1.16 / 2400)
        #expect(out[47_000] == 0.5)
    }

    @Test func switchingCompressionOnAndOffFades() {
        let x = [Float](repeating: 0.5, count: 96_000)
        let wobble = tone(2, hertz: 3000) { _ in reference + 25 }
        let out = played([x, wobble], weights: [0, 1]) { frame in
            compressing((20_000..<60_000).contains(frame) ? .filmStandard : .none)
        }[0]
        #expect(out[20_000] == 0.5 && out[95_000] == 0.5 && out[59_000] < 0.13)
        var step: Float = 0
        for i in 1..<out.count { step = max(step, abs(out[i] - out[i - 1])) }
        // 15 dB with the fast attack's time constant of 10 ms.
        #expect(step < 0.5 * 3.4 / 440)
    }

    @Test func samplesThatAreNoNumbersDoNotStayInTheDetector() {
        var x = tone(25) { _ in reference + 25 }
        x[1000] = .nan
        x[2000] = .infinity
        let out = played([x]) { _ in compressing(.filmStandard) }[0]
        #expect(abs(gains(out, x, from: x.count - 1000).last!.decibels + 14.5) < 0.1)
    }

    @Test func aRestartIsAsGoodAsNew() {
        var dynamics = DynamicRange(sampleRate: .studio, channelWeights: [1], maximumFrames: 4800)
        let x = tone(0.1) { _ in reference + 30 }
        let block = PlanarBlock(channels: 1, frames: 4800)
        func run() -> [Float] {
            for i in 0..<4800 { block[0][i] = x[i] }
            dynamics.process(rows: block.pointers, frames: 4800, controls: compressing(.speech))
            return (0..<4800).map { block[0][$0] }
        }
        let first = run()
        #expect(run() != first && dynamics.gain < -1)
        dynamics.restart()
        #expect(run() == first)
    }
}

import Glibc
import Signal
import Soundstage
import Testing

@Suite struct StereoUpmixerTests {
    @Test(arguments: UpmixMode.allCases, UpmixLatency.allCases)
    func theOutputDoesNotDependOnHowThePeriodsAreCut(_ mode: UpmixMode, _ latency: UpmixLatency) throws {
        let scene = UpmixScene.mix(frames: 20_000)
        let whole = try UpmixScene.play(scene, mode: mode, latency: latency, periods: [20_000])
        let cut = try UpmixScene.play(scene, mode: mode, latency: latency, periods: [64, 1, 333, 1024, 17, 512])
        for channel in 0..<6 { #expect(whole[channel] == cut[channel]) }
    }

    @Test(arguments: UpmixLatency.allCases)
    func theDownmixBeforeTheDecorrelatorsIsTheInput(_ latency: UpmixLatency) throws {
        let scene = UpmixScene.mix(frames: 96_000)
        let channels = try UpmixScene.play(scene, mode: .identity, latency: latency, decorrelates: false)
        var (error, power) = (0.0, 0.0)
        let half = Float(0.5).squareRoot()
        for (input, front, surround) in [(scene.left, 0, 4), (scene.right, 1, 5)] {
            for i in 0..<input.count {
                let sum = channels[front][i] + half * channels[2][i] + half * channels[surround][i]
                error += Double((sum - input[i]) * (sum - input[i]))
                power += Double(input[i] * input[i])
            }
        }
        #expect(UpmixScene.decibels(error / power) < -130)
        #expect(channels[3].allSatisfy { $0 == 0 })
    }

    @Test(arguments: UpmixLatency.allCases)
    func theLatencyIsWhatItSaysAndStaysBelowItsBound(_ latency: UpmixLatency) throws {
        for rate in [SampleRate.cd, .studio, SampleRate(hertz: 96_000)!] {
            var upmixer = try StereoUpmixer(sampleRate: rate, layout: try .named("5.1"), latency: latency)
            let milliseconds = 1000 * rate.seconds(frames: upmixer.latency)
            #expect(latency == .player ? milliseconds <= 46.5 : milliseconds <= 2.01)
            if latency == .player, rate == .studio { #expect(upmixer.latency <= 2048) }
            let (input, silence) = ([Float](repeating: 1, count: 1), [Float](repeating: 0, count: 8192))
            let rows = PlanarBlock(channels: 6, frames: 8192)
            // A click hard left comes out of the left channel only, after the latency.
            input.withUnsafeBufferPointer { click in
                silence.withUnsafeBufferPointer { zero in
                    upmixer.process(
                        frames: 1, left: click.baseAddress!, right: zero.baseAddress!, into: rows.pointers)
                    upmixer.process(
                        frames: 8191, left: zero.baseAddress!, right: zero.baseAddress!, into: rows.pointers)
                }
            }
            let loudest = (0..<8191).max { abs(rows[0][$0]) < abs(rows[0][$1]) }
            #expect(loudest == upmixer.latency - 1)
        }
    }

    @Test(arguments: [UpmixMode.identity, .energy], UpmixLatency.allCases)
    func aDrySourceStaysOutOfTheSurroundsAndInTheMiddleLeavesTheFrontPair(
        _ mode: UpmixMode, _ latency: UpmixLatency
    ) throws {
        for pan in [-1, -0.5, 0, 0.5, 1] as [Float] {
            let scene = UpmixScene.panned(UpmixScene.noise(72_000, seed: 2), pan)
            let powers = try UpmixScene.powers(UpmixScene.play(scene, mode: mode, latency: latency), from: 24_000)
            let total = powers.reduce(0, +)
            #expect(UpmixScene.decibels((powers[4] + powers[5]) / total) < -40)
            if pan == 0 { #expect(UpmixScene.decibels(powers[2] / (total - powers[2])) > 40) }
            if pan == -1 { #expect(UpmixScene.decibels(powers[0] / (total - powers[0])) > 40) }
        }
    }

    @Test(arguments: UpmixLatency.allCases)
    func energyModeKeepsThePowerOfMusicAndOfADiffuseField(_ latency: UpmixLatency) throws {
        let diffuse = UpmixScene(
            left: UpmixScene.noise(96_000, seed: 3), right: UpmixScene.noise(96_000, seed: 4))
        for scene in [UpmixScene.mix(frames: 96_000), diffuse] {
            let after = try UpmixScene.powers(
                UpmixScene.play(scene, mode: .energy, latency: latency), from: 24_000
            ).reduce(0, +)
            let before = UpmixScene.powers([scene.left, scene.right], from: 24_000).reduce(0, +)
            #expect(abs(UpmixScene.decibels(after / before)) < 1)
        }
    }

    @Test(arguments: UpmixLatency.allCases)
    func aDiffuseFieldFillsTheSurroundsWithoutMusicalNoiseAndLeavesTheCentreEmpty(_ latency: UpmixLatency) throws {
        let diffuse = UpmixScene(
            left: UpmixScene.noise(192_000, seed: 5), right: UpmixScene.noise(192_000, seed: 6))
        let channels = try UpmixScene.play(diffuse, mode: .identity, latency: latency)
        let powers = UpmixScene.powers(channels, from: 48_000)
        let total = powers.reduce(0, +)
        #expect(UpmixScene.decibels(powers[2] / total) < -25)
        #expect(UpmixScene.decibels((powers[4] + powers[5]) / total) > -6)
        // Fluctuation of the power in pieces of 64 samples against the input's own: isolated peaks would raise it.
        let reference = UpmixScene.fluctuation(diffuse.left, from: 48_000)
        for channel in [0, 1, 4, 5] {
            #expect(UpmixScene.fluctuation(channels[channel], from: 48_000) < reference + 0.1)
        }
    }

    /// Below the decorrelators' crossover the downmix equals the input, even with decorrelators and with any number of
    /// pairs that share the ambience.
    @Test(arguments: UpmixLatency.allCases, ["5.1", "7.1.4"])
    func theBassOfTheDownmixIsThatOfTheInput(_ latency: UpmixLatency, _ name: String) throws {
        let layout = try Layout.named(name)
        let diffuse = UpmixScene(
            left: UpmixScene.noise(192_000, seed: 61), right: UpmixScene.noise(192_000, seed: 62))
        let channels = try UpmixScene.play(diffuse, layout: layout, latency: latency)
        func bass(_ row: [Float]) -> [Float] {
            // Two moving means of 20 ms: a low-pass at about 40 Hz.
            var row = row
            for _ in 0..<2 {
                var (sum, means) = (Float(0), [Float]())
                for i in row.indices {
                    sum += row[i] - (i >= 960 ? row[i - 960] : 0)
                    means.append(sum / 960)
                }
                row = means
            }
            return Array(row.dropFirst(48_000))
        }
        let left = layout.loudspeakers.indices.filter { layout.loudspeakers[$0].azimuthDegrees > 0 && $0 > 2 }
        let fold = diffuse.left.indices.map { i in
            left.reduce(channels[0][i] + Float(0.5).squareRoot() * channels[2][i]) {
                $0 + Float(0.5).squareRoot() * channels[$1][i]
            }
        }
        let (found, wanted) = (bass(fold), bass(diffuse.left))
        let rest = zip(found, wanted).map { $0 - $1 }
        let powers = UpmixScene.powers([rest, wanted], from: 0)
        #expect(UpmixScene.decibels(powers[0] / powers[1]) < -20)
        // Above the crossover decorrelated copies add up by power: over all frequencies the difference is above −10 dB.
        let whole = UpmixScene.powers([zip(fold, diffuse.left).map { $0 - $1 }, diffuse.left], from: 48_000)
        #expect(UpmixScene.decibels(whole[0] / whole[1]) > -10)
    }

    /// Hits hard left and hard right in turn, `perSecond` of them a second; the surrounds get less than −60 dB.
    @Test(arguments: UpmixLatency.allCases, [2, 8])
    func hitsOnOneSideAfterTheOtherStayOutOfTheSurrounds(_ latency: UpmixLatency, _ perSecond: Int) throws {
        var scene = UpmixScene(left: [Float](repeating: 0, count: 96_000), right: [Float](repeating: 0, count: 96_000))
        let noise = UpmixScene.noise(2_400, seed: 31)
        for hit in 1..<(2 * perSecond) {
            // At any offset to the grid of blocks.
            let start = hit * 48_000 / perSecond + 7 * hit
            for i in 0..<2_400 {
                let sample = noise[i] * exp(-Float(i) / 300)
                if hit % 2 == 0 { scene.left[start + i] += sample } else { scene.right[start + i] += sample }
            }
        }
        let powers = UpmixScene.powers(try UpmixScene.play(scene, latency: latency, decorrelates: false), from: 0)
        #expect(UpmixScene.decibels((powers[4] + powers[5]) / powers.reduce(0, +)) < -60)
    }

    /// A source a little to the right of the middle: the left channel keeps nothing, neither in phase nor inverted.
    @Test(arguments: UpmixLatency.allCases, [Float(0.1), 0.2, 0.3])
    func aSourceBetweenMiddleAndSideStandsBetweenCentreAndThatSide(_ latency: UpmixLatency, _ pan: Float) throws {
        let source = UpmixScene.noise(60_000, seed: 17)
        let scene = UpmixScene.panned(source, pan)
        let channels = try UpmixScene.play(scene, latency: latency)
        let powers = UpmixScene.powers(channels, from: 24_000)
        let total = powers.reduce(0, +)
        #expect(UpmixScene.decibels(powers[0] / total) < -25)
        #expect(powers[2] > powers[1] && powers[4] + powers[5] < 1e-6 * total)
        // The right channel keeps the part that the centre does not carry, with its sign.
        let cross = zip(channels[1], source).dropFirst(24_000).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        #expect(cross > 0)
    }

    @Test(arguments: UpmixLatency.allCases)
    func aToneIsNotModulated(_ latency: UpmixLatency) throws {
        let tone = (0..<96_000).map { Float(sinPi(2 * 997 * Double($0) / 48_000)) / 4 }
        let channels = try UpmixScene.play(UpmixScene.panned(tone, -0.5), latency: latency)
        for channel in [0, 1, 2] {
            let residue = UpmixScene.residue(channels[channel], hertz: 997, from: 40_000, count: 48_000)
            #expect(residue < -95, "channel \(channel)")
        }
    }

    @Test func amountsMoveTheSoundAndChangeWithoutAStep() throws {
        let scene = UpmixScene.panned((0..<48_000).map { Float(sinPi(2 * 440 * Double($0) / 48_000)) / 2 }, 0)
        let none = try UpmixScene.powers(
            UpmixScene.play(scene, controls: UpmixControls(centre: 0, ambience: 0)), from: 8192)
        #expect(none[2] == 0 && none[4] == 0 && none[5] == 0)
        let wide = try UpmixScene.powers(
            UpmixScene.play(scene, controls: UpmixControls(centre: 0, width: 1)), from: 8192)
        #expect(wide[4] > 0.1 * wide[0])
        // After half a second the centre is switched off: no step exceeds the tone's own.
        let fade = try UpmixScene.play(scene, periods: [24_000, 24_000], then: UpmixControls(centre: 0))
        let steepest = (8193..<48_000).map { abs(fade[2][$0] - fade[2][$0 - 1]) }.max() ?? 0
        #expect(steepest < 0.031)  // 0.5·2π·440/48000 is 0.0288, the fade over a block 0.001
        #expect(fade[2][40_000..<48_000].allSatisfy { $0 == 0 })
    }

    @Test func everyStageLayoutIsFilledAndOthersAreRefused() throws {
        let scene = UpmixScene.mix(frames: 48_000)
        for name in ["5.1", "7.1", "5.1.2", "5.1.4", "7.1.2", "7.1.4", "9.1.6"] {
            let layout = try Layout.named(name)
            let channels = try UpmixScene.play(
                scene, layout: layout, controls: UpmixControls(width: name == "9.1.6" ? 0.5 : 0))
            for (channel, loudspeaker) in zip(channels, layout.loudspeakers) {
                #expect(channel.contains { $0 != 0 } != loudspeaker.isLowFrequency, "\(name) \(loudspeaker.symbol)")
            }
        }
        for name in ["mono", "stereo"] {
            #expect(throws: UpmixError.noStage(layout: name)) {
                _ = try UpmixScene.play(scene, layout: try Layout.named(name))
            }
        }
    }

    @Test(arguments: UpmixLatency.allCases)
    func badSamplesAreSilenceAndFullScaleSquaresStayFinite(_ latency: UpmixLatency) throws {
        var scene = UpmixScene(
            left: (0..<30_000).map { $0 / 50 % 2 == 0 ? 1 : -1 }, right: [Float](repeating: 1, count: 30_000))
        scene.left[9_000] = .nan
        scene.right[9_001] = .infinity
        let channels = try UpmixScene.play(scene, mode: .energy, latency: latency)
        for channel in channels { #expect(channel.allSatisfy { $0.isFinite && abs($0) < 4 }) }
    }

    @Test func monoSpreadKeepsThePowerAndHasNoDirection() {
        let spread = MonoSpread(sampleRate: .studio)
        let block = PlanarBlock(channels: 2, frames: 96_000)
        let noise = UpmixScene.noise(96_000, seed: 9)
        for i in 0..<96_000 { block[0][i] = noise[i] }
        spread.process(block[0], block[1], frames: 96_000)
        let rows = (0..<2).map { row in (0..<96_000).map { block[row][$0] } }
        let power = UpmixScene.powers(rows, from: 4096)
        let before = UpmixScene.powers([noise], from: 4096)[0]
        #expect(abs(UpmixScene.decibels((power[0] + power[1]) / before)) < 0.2)
        let cross = (4096..<96_000).reduce(0.0) { $0 + Double(rows[0][$1] * rows[1][$1]) }
        #expect(abs(cross) < 0.2 * (power[0] * power[1]).squareRoot())
    }
}

import Foundation
import Signal
import Testing

@testable import Soundstage

/// Decoding of Lt/Rt: the channels of a stage are separated again from the two channels that a matrix encoded.
@Suite struct MatrixDecoderTests {
    /// Encoders of the two channels.
    enum Encoder: String, CaseIterable, Sendable {
        /// The encoder of this package, with surrounds turned by 90°.
        case own
        /// The same gains without the turn.
        case unturned
        /// Other gains without the turn, those of ffmpeg's `dplii`: √¾ and ½.
        case plain
    }

    /// Returns one and a half seconds of noise in one channel of a layout, or in several, encoded.
    private func encoded(_ layout: Layout, _ sounding: [Channel], by encoder: Encoder) throws -> UpmixScene {
        let frames = 72_000
        let inputs = PlanarBlock(channels: layout.channelCount, frames: frames)
        for (index, channel) in sounding.enumerated() {
            let row = try #require(layout.loudspeakers.firstIndex { $0.symbol == channel.rawValue })
            let noise = UpmixScene.noise(frames, seed: UInt64(41 + index))
            for i in 0..<frames { inputs[row][i] = noise[i] }
        }
        switch encoder {
        case .own: return try own(layout, inputs, frames)
        case .unturned:
            return plain(layout, inputs, frames, (Float(19) / 25).squareRoot(), (Float(6) / 25).squareRoot())
        case .plain: return plain(layout, inputs, frames, Float(0.75).squareRoot(), 0.5)
        }
    }

    private func own(_ layout: Layout, _ inputs: borrowing PlanarBlock, _ frames: Int) throws -> UpmixScene {
        let encoder = try MatrixEncoder(layout, sampleRate: .studio)
        var scene = UpmixScene(left: [], right: [])
        let pair = PlanarBlock(channels: 2, frames: MatrixEncoder.longest)
        let piece = PlanarBlock(channels: layout.channelCount, frames: MatrixEncoder.longest)
        var done = 0
        while done < frames + encoder.latency {
            for channel in 0..<layout.channelCount {
                for i in 0..<MatrixEncoder.longest {
                    piece[channel][i] = done + i < frames ? inputs[channel][done + i] : 0
                }
            }
            encoder.process(piece.pointers, into: pair.pointers, frames: MatrixEncoder.longest)
            for i in 0..<MatrixEncoder.longest {
                scene.left.append(pair[0][i])
                scene.right.append(pair[1][i])
            }
            done += MatrixEncoder.longest
        }
        scene.left = Array(scene.left.dropFirst(encoder.latency).prefix(frames))
        scene.right = Array(scene.right.dropFirst(encoder.latency).prefix(frames))
        return scene
    }

    private func plain(
        _ layout: Layout, _ inputs: borrowing PlanarBlock, _ frames: Int, _ most: Float, _ half: Float
    ) -> UpmixScene {
        let root = Float(0.5).squareRoot()
        let gains: [String: (Float, Float)] = [
            "FL": (1, 0), "FR": (0, 1), "FC": (root, root), "SL": (-most, half), "SR": (-half, most),
            "BL": (-most, half), "BR": (-half, most),
        ]
        var scene = UpmixScene(left: [Float](repeating: 0, count: frames), right: [Float](repeating: 0, count: frames))
        for (channel, loudspeaker) in layout.loudspeakers.enumerated() {
            guard let (left, right) = gains[loudspeaker.symbol] else { continue }
            for i in 0..<frames {
                scene.left[i] += left * inputs[channel][i]
                scene.right[i] += right * inputs[channel][i]
            }
        }
        return scene
    }

    @Test(arguments: Encoder.allCases, UpmixLatency.allCases)
    func oneChannelOfFiveComesOutAlone(_ encoder: Encoder, _ latency: UpmixLatency) throws {
        let layout = try Layout.named("5.1")
        for channel in [Channel.frontLeft, .frontRight, .frontCentre, .sideLeft, .sideRight] {
            let scene = try encoded(layout, [channel], by: encoder)
            let powers = UpmixScene.powers(
                try UpmixScene.play(scene, mode: .matrix, latency: latency), from: 24_000)
            let own = try #require(layout.loudspeakers.firstIndex { $0.symbol == channel.rawValue })
            for other in powers.indices where other != own {
                let apart = UpmixScene.decibels(powers[own] / powers[other])
                // The gains of ffmpeg's matrix differ a little from those that the decoder expects.
                #expect(apart > (encoder == .plain ? 20 : 30), "\(channel.rawValue), channel \(other)")
            }
        }
    }

    /// Opposite polarity is decoded to both surrounds alike, as a single surround channel.
    @Test(arguments: UpmixLatency.allCases)
    func oppositePolarityIsBehindAndInBothSurroundsAlike(_ latency: UpmixLatency) throws {
        let noise = UpmixScene.noise(72_000, seed: 51)
        let scene = UpmixScene(left: noise, right: noise.map { -$0 })
        let five = try UpmixScene.play(scene, mode: .matrix, latency: latency)
        let powers = UpmixScene.powers(five, from: 24_000)
        for front in 0..<3 { #expect(UpmixScene.decibels(powers[4] / powers[front]) > 30) }
        for i in 24_000..<72_000 { #expect(abs(five[4][i] - five[5][i]) < 1e-3) }
        // Where a layout has backs, the sound goes to them.
        let layout = try Layout.named("7.1")
        let seven = UpmixScene.powers(
            try UpmixScene.play(scene, layout: layout, mode: .matrix, latency: latency), from: 24_000)
        let back = try #require(layout.loudspeakers.firstIndex { $0.symbol == "BL" })
        let side = try #require(layout.loudspeakers.firstIndex { $0.symbol == "SL" })
        #expect(UpmixScene.decibels(seven[back] / seven[side]) > 30)
    }

    @Test(arguments: UpmixLatency.allCases)
    func oneChannelOfSevenComesOutAlone(_ latency: UpmixLatency) throws {
        let layout = try Layout.named("7.1")
        for channel in [Channel.frontLeft, .frontRight, .frontCentre, .sideLeft, .sideRight, .backLeft, .backRight] {
            let scene = try encoded(layout, [channel], by: .own)
            let powers = UpmixScene.powers(
                try UpmixScene.play(scene, layout: layout, mode: .matrix, latency: latency), from: 24_000)
            let own = try #require(layout.loudspeakers.firstIndex { $0.symbol == channel.rawValue })
            for other in powers.indices where other != own {
                #expect(
                    UpmixScene.decibels(powers[own] / powers[other]) > 20, "\(channel.rawValue), channel \(other)")
            }
        }
    }

    /// Two neighbouring channels with different sounds are separated.
    @Test(arguments: UpmixLatency.allCases)
    func twoNeighboursAreToldApart(_ latency: UpmixLatency) throws {
        let layout = try Layout.named("5.1")
        for pair in [[Channel.frontLeft, .frontCentre], [.sideLeft, .sideRight], [.sideLeft, .frontLeft]] {
            let scene = try encoded(layout, pair, by: .own)
            let powers = UpmixScene.powers(
                try UpmixScene.play(scene, mode: .matrix, latency: latency), from: 24_000)
            let own = pair.compactMap { channel in layout.loudspeakers.firstIndex { $0.symbol == channel.rawValue } }
            let inside = own.reduce(0) { $0 + powers[$1] }
            let outside = powers.reduce(0, +) - inside
            #expect(UpmixScene.decibels(inside / outside) > 10, "\(pair.map(\.rawValue))")
            #expect(abs(UpmixScene.decibels(powers[own[0]] / powers[own[1]])) < 3, "\(pair.map(\.rawValue))")
        }
    }

    /// The decoded channels, encoded again by the gains of `MatrixEncoding`, are the input, at any amounts.
    @Test(arguments: UpmixLatency.allCases, ["5.1", "7.1"])
    func encodedAgainTheChannelsAreTheInput(_ latency: UpmixLatency, _ name: String) throws {
        let layout = try Layout.named(name)
        let scene = UpmixScene.mix(frames: 72_000)
        let sources = try #require(MatrixEncoding(layout)).sources
        for controls in [UpmixControls(), UpmixControls(centre: 0.6, ambience: 0.3)] {
            let channels = try UpmixScene.play(
                scene, layout: layout, mode: .matrix, latency: latency, controls: controls)
            var (error, power) = (0.0, 0.0)
            for i in 0..<scene.left.count {
                var (left, right) = (0.0, 0.0)
                for source in sources {
                    let channel = layout.loudspeakers.firstIndex { $0.symbol == source.channel.rawValue } ?? 0
                    left += source.left * Double(channels[channel][i])
                    right += source.right * Double(channels[channel][i])
                }
                error += pow(left - Double(scene.left[i]), 2) + pow(right - Double(scene.right[i]), 2)
                power += Double(scene.left[i] * scene.left[i] + scene.right[i] * scene.right[i])
            }
            #expect(UpmixScene.decibels(error / power) < -120)
        }
    }

    @Test func theEncoderTurnsSurroundsByAQuarter() throws {
        let layout = try Layout.named("5.1")
        let scene = try encoded(layout, [.sideLeft], by: .own)
        let noise = UpmixScene.noise(72_000, seed: 41)
        let powers = UpmixScene.powers([scene.left, scene.right, noise], from: 12_000)
        #expect(abs(UpmixScene.decibels(powers[0] / powers[2]) + 1.19) < 0.1)
        #expect(abs(UpmixScene.decibels(powers[1] / powers[2]) + 6.20) < 0.1)
        // No part is in phase with the input.
        let along = (12_000..<72_000).reduce(0.0) { $0 + Double(scene.left[$1] * noise[$1]) }
        #expect(abs(along) / powers[2] < 0.01)
        let fronts = try encoded(layout, [.frontCentre], by: .own)
        for i in 12_000..<72_000 { #expect(abs(fronts.left[i] - noise[i] * Float(0.5).squareRoot()) < 1e-6) }
    }
}

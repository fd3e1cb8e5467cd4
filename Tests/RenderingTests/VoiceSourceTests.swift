import AudioMix
import FieldScenes
import Foundation
import Geometry
import HRTF
import Rooms
import Signal
import Soundstage
import Testing

@testable import Rendering

/// The voices of an Audio Mix as separate sources on the stage.
@Suite struct VoiceSourceTests {
    private static let frames = 96_000
    private static let azimuth = 70.0

    /// Returns a scene of one voice at 70°.
    private static func scene() -> [[Float]] {
        var scene = FieldScene(frames: frames)
        scene.add(FieldScene.voice(frames: frames, seed: 11)) { _ in azimuth }
        return scene.rows
    }

    /// Returns the ears of a turning head for the scene through an Audio Mix.
    private func heard(
        _ style: AudioMixStyle, intensity: Float = 1, place: Double = 0, width: Double = 0, turns: Double = 40
    ) throws -> Ears {
        let format = try AmbisonicFormat(order: 1)
        var controls = ProgrammeControls(Programme(layout: Layout(format)))
        controls.mix = AudioMixControls(style: style, intensity: intensity, keepsSpeech: true)
        controls.place = Rotation<Stage, Stage>(yaw: place * .pi / 180).quaternion
        controls.width = width * .pi / 180
        let configuration = StageConfiguration(
            sampleRate: .studio, sources: [],
            programmes: [StageProgramme(format, controls: controls, mix: .live)], trim: Decibels(0), outputGuard: .off)
        let renderer = try StageRenderer(
            configuration, field: sphere, poses: try turning(degreesPerSecond: turns, seconds: 3))
        return render(renderer, Self.scene(), periods: [64])
    }

    /// Returns the ears for the scene's W from one loudspeaker, with the latency of the mix.
    private func loudspeaker(at azimuth: Double) throws -> Ears {
        let renderer = try stage(
            [SourcePlacement(direction: Direction(azimuthDegrees: azimuth, elevationDegrees: 0))],
            poses: try turning(degreesPerSecond: 40, seconds: 3))
        let late = [Float](repeating: 0, count: 480) + Self.scene()[0].dropLast(480)
        return render(renderer, [late], periods: [64])
    }

    /// Frames in which the speech is detected, after the first word.
    private static let known = 48_000..<frames

    private func level(_ ears: Ears) -> Double {
        10
            * log10(
                Self.known.reduce(1e-15) {
                    $0 + Double(ears.left[$1] * ears.left[$1] + ears.right[$1] * ears.right[$1])
                })
    }

    /// Returns the part of one signal that is uncorrelated with the other, dB, at any gain; both ears together.
    private func difference(_ a: Ears, _ b: Ears) -> Double {
        var (both, own, other) = (0.0, 0.0, 0.0)
        for (row, wanted) in [(a.left, b.left), (a.right, b.right)] {
            for i in Self.known {
                let (x, y) = (Double(row[i]), Double(wanted[i]))
                both += x * y
                own += x * x
                other += y * y
            }
        }
        return 10 * log10(max(1e-12, 1 - both * both / (own * other)))
    }

    @Test(arguments: [(AudioMixStyle.studio, azimuth), (.cinematic, 0)])
    func aVoiceIsHeardAsALoudspeakerWhereTheStylePutsIt(_ style: AudioMixStyle, _ azimuth: Double) throws {
        let (voice, truth) = (try heard(style), try loudspeaker(at: azimuth))
        #expect(difference(voice, truth) < -20)
        #expect(abs(level(voice) - level(truth)) < 1)
        // The field without separate voices does not match.
        #expect(difference(try heard(.standard), truth) > -14)
    }

    @Test func voicesTurnWithTheFieldsPlace() throws {
        let (turned, truth) = (try heard(.cinematic, place: 50), try loudspeaker(at: 50))
        #expect(difference(turned, truth) < -20)
    }

    /// A voice spread over an angle decorrelates the ears.
    @Test func widthIsTheVoices() throws {
        func likeness(_ ears: Ears) -> Double {
            var (both, left, right) = (0.0, 0.0, 0.0)
            for i in Self.known {
                both += Double(ears.left[i]) * Double(ears.right[i])
                left += Double(ears.left[i]) * Double(ears.left[i])
                right += Double(ears.right[i]) * Double(ears.right[i])
            }
            return both / (left * right).squareRoot()
        }
        let narrow = likeness(try heard(.cinematic, turns: 0)),
            wide = likeness(try heard(.cinematic, width: 150, turns: 0))
        #expect(narrow > 0.99)
        #expect(wide < 0.85)
    }

    /// Beside loudspeakers that play other sound, voices are unchanged, and so are the loudspeakers: dry and in a room.
    @Test(arguments: [false, true]) func besideOtherSourcesNothingChanges(_ hasRoom: Bool) throws {
        let format = try AmbisonicFormat(order: 1), layout = try Layout.named("stereo")
        let programme = Programme(name: "song", layout: layout)
        let song = StageProgramme(programme, controls: ProgrammeControls(programme))
        let places = layout.loudspeakers.map(\.direction),
            front = Direction<Stage>(azimuthDegrees: 0, elevationDegrees: 0)
        func heard(song isSung: Bool, voice isSpoken: Bool) throws -> Ears {
            var controls = ProgrammeControls(Programme(layout: Layout(format)))
            controls.mix = AudioMixControls(style: .studio)
            let spoken = StageProgramme(format, controls: controls, mix: .live)
            let configuration = StageConfiguration(
                sampleRate: .studio, sources: isSung ? places.map { SourcePlacement(direction: $0) } : [],
                programmes: (isSung ? [song] : []) + (isSpoken ? [spoken] : []), trim: Decibels(0),
                outputGuard: .off)
            // The same room for every stage; it has only the sources that are present.
            let room =
                hasRoom
                ? try RoomResponses.generate(.studio, for: places + [front, front], heardThrough: sphere).0 : nil
            let present: [Int] = (isSung ? [0, 1] : []) + (isSpoken ? [2, 3] : [])
            let renderer = try StageRenderer(
                configuration, field: sphere, room: room.map { $0.of(present) },
                poses: try turning(degreesPerSecond: 40, seconds: 3))
            let rows =
                (isSung ? [noise(Self.frames), noise(Self.frames, seed: 2)] : []) + (isSpoken ? Self.scene() : [])
            return render(renderer, rows, periods: [64]) { _ in
                PeriodTime()
            } between: { done in
                if done == 64_000 { try? renderer.publish(field: sphere) }
            }
        }
        let (both, song1, voice) = (
            try heard(song: true, voice: true), try heard(song: true, voice: false), try heard(song: false, voice: true)
        )
        let sum = Ears(
            left: zip(song1.left, voice.left).map { $0 + $1 }, right: zip(song1.right, voice.right).map { $0 + $1 })
        #expect(both.error(against: sum) < -100)
        #expect(level(voice) > level(song1) - 40)
    }
}

extension RoomResponses {
    /// Returns the same room for some of its sources, by their indices.
    fileprivate func of(_ sources: [Int]) -> RoomResponses {
        let early = PlanarBlock(channels: 2 * yawCount * sourceCount, frames: earlyTaps)
        let tail = PlanarBlock(channels: 2 * sourceCount, frames: tailTaps)
        for source in 0..<sourceCount {
            for ear in 0..<2 {
                for yaw in 0..<yawCount {
                    Samples.copy(
                        self.early(source: source, yaw: yaw, ear: ear), to: early[(source * yawCount + yaw) * 2 + ear],
                        count: earlyTaps)
                }
                Samples.copy(self.tail(source: source, ear: ear), to: tail[2 * source + ear], count: tailTaps)
            }
        }
        return RoomResponses(
            sampleRate: sampleRate, yawCount: yawCount, early: early, tail: tail, isTailShared: false,
            includesDirect: false,
            directGain: directGain, assignment: sources)
    }
}

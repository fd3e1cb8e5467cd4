import Geometry
import Signal
import Testing

@testable import Soundstage

@Suite struct LayoutConversionTests {
    private func matrix(_ from: String, _ to: String, lfe: Decibels? = nil) throws -> ChannelMatrix {
        try Layout.named(from).conversion(to: Layout.named(to), lfeGain: lfe)
    }

    @Test(arguments: Layout.names.filter { !["mono", "stereo"].contains($0) })
    func aLayoutToItselfIsTheIdentity(_ name: String) throws {
        let found = try matrix(name, name)
        for (output, row) in found.gains.enumerated() {
            for (input, gain) in row.enumerated() { #expect(gain == (input == output ? 1 : 0)) }
        }
    }

    @Test(arguments: [("5.1", "7.1.4"), ("7.1", "9.1.6"), ("stereo", "5.1"), ("5.1.4", "7.1.4"), ("7.1.4", "5.1")])
    func aLoudspeakerThatIsThereTakesItsChannelAsItIs(from: String, to: String) throws {
        let (source, target) = (try Layout.named(from), try Layout.named(to))
        let found = try matrix(from, to)
        for (input, loudspeaker) in source.loudspeakers.enumerated() {
            guard let same = target.loudspeakers.firstIndex(where: { $0.symbol == loudspeaker.symbol }) else {
                continue
            }
            for output in 0..<target.channelCount { #expect(found.gains[output][input] == (output == same ? 1 : 0)) }
        }
    }

    @Test func whatHasNoLoudspeakerKeepsItsPowerAndItsSide() throws {
        for name in ["7.1.4", "9.1.6", "5.1.4"] {
            for target in ["5.1", "7.1", "5.1.2", "7.1.2"] {
                let (source, aim) = (try Layout.named(name), try Layout.named(target))
                let found = try matrix(name, target)
                for (input, loudspeaker) in source.loudspeakers.enumerated() where !loudspeaker.isLowFrequency {
                    let column = found.gains.map { $0[input] }
                    #expect(abs(column.reduce(0) { $0 + $1 * $1 } - 1) < 1e-9)
                    let side = zip(column, aim.loudspeakers).reduce(0) { $0 + $1.0 * $1.0 * $1.1.direction.unit.y }
                    let wanted = loudspeaker.direction.unit.y
                    #expect(wanted == 0 || side * wanted > 0.1, "\(loudspeaker.symbol) of \(name) in \(target)")
                }
            }
        }
    }

    @Test func mirroredLoudspeakersArePannedInMirrorImage() throws {
        for (from, to) in [("9.1.6", "7.1.2"), ("9.1.6", "5.1.4"), ("7.1.4", "5.1.2"), ("9.1.6", "7.1.4")] {
            let found = try matrix(from, to)
            let (source, target) = (try Layout.named(from), try Layout.named(to))
            func mirror(_ layout: Layout, _ index: Int) -> Int? {
                let here = layout.loudspeakers[index].direction.unit
                return layout.loudspeakers.firstIndex {
                    let there = $0.direction.unit - SIMD3(here.x, -here.y, here.z)
                    return dot(there, there) < 1e-12 && $0.isLowFrequency == layout.loudspeakers[index].isLowFrequency
                }
            }
            for input in source.loudspeakers.indices {
                for output in target.loudspeakers.indices {
                    let (i, o) = (try #require(mirror(source, input)), try #require(mirror(target, output)))
                    #expect(
                        abs(found.gains[output][input] - found.gains[o][i]) < 1e-9, "\(from) \(to) \(input) \(output)")
                }
            }
        }
    }

    @Test func backSurroundsGoToASinglePairOfSurrounds() throws {
        let (source, target) = (try Layout.named("7.1"), try Layout.named("5.1"))
        let found = try matrix("7.1", "5.1")
        let back = try #require(source.loudspeakers.firstIndex { $0.symbol == "BL" })
        let side = try #require(target.loudspeakers.firstIndex { $0.symbol == "SL" })
        #expect(found.gains[side][back] == 1 && found.gains.map { $0[back] }.reduce(0, +) == 1)
    }

    @Test func monoIsAsBS775HasIt() throws {
        let row = try matrix("5.1", "mono").gains[0]
        let half = 0.5.squareRoot()
        for (gain, wanted) in zip(row, [half, half, 1, 0, 0.5, 0.5]) { #expect(abs(gain - wanted) < 1e-6) }
    }

    @Test func lfeStaysLFEAndIsElsewhereLeftOutUnlessAsked() throws {
        #expect(try matrix("5.1", "7.1.4").gains[3][3] == 1)
        #expect(try matrix("5.1", "stereo").gains.allSatisfy { $0[3] == 0 })
        #expect(try matrix("5.1", "ambi1").gains.allSatisfy { $0[3] == 0 })
        let mixed = try matrix("5.1", "stereo", lfe: Decibels(10))
        #expect(abs(mixed.gains[0][3] - 10.0.squareRoot() * 0.5.squareRoot()) < 1e-9)
    }

    @Test(arguments: AmbisonicFormat.Convention.allCases)
    func fieldsChangeOrderAndConventionAndBack(_ convention: AmbisonicFormat.Convention) throws {
        let sn3d = Layout(try AmbisonicFormat(order: 3))
        let other = Layout(try AmbisonicFormat(order: 3, convention: convention))
        let there = try sn3d.conversion(to: other)
        let back = try other.conversion(to: sn3d).after(there)
        for output in 0..<16 {
            for input in 0..<16 { #expect(abs(back.gains[output][input] - (input == output ? 1 : 0)) < 1e-12) }
        }
        let cut = try sn3d.conversion(to: Layout.named("ambi1"))
        #expect(
            cut.outputCount == 4 && cut.gains[3][3] == 1 && cut.gains.allSatisfy { $0[4...].allSatisfy { $0 == 0 } })
    }

    @Test(arguments: [1, 3, 5])
    func aFieldDecodedForLoudspeakersKeepsPowerAndDirection(order: Int) throws {
        for name in ["5.1", "7.1.4", "9.1.6"] {
            let target = try Layout.named(name)
            let format = try AmbisonicFormat(order: order)
            let rows = try Layout(format).conversion(to: target).gains
            var power = 0.0
            let grid = GaussGrid(exactTo: 20)
            for (direction, share) in zip(grid.directions(in: Stage.self), grid.weights) {
                let wave = format.encoding(direction)
                let out = rows.map { row in zip(row, wave).reduce(0) { $0 + $1.0 * $1.1 } }
                power += share * out.reduce(0) { $0 + $1 * $1 }
            }
            #expect(abs(power - 1) < 0.02, "\(name)")
            // Direction of the energy vector, within the limits of the order and the gaps between loudspeakers.
            for azimuth in [0.0, 30, -30] {
                let direction = Direction<Stage>(azimuthDegrees: azimuth, elevationDegrees: 0)
                let wave = format.encoding(direction)
                let out = rows.map { row in zip(row, wave).reduce(0) { $0 + $1.0 * $1.1 } }
                var vector = SIMD3<Double>.zero
                for (gain, loudspeaker) in zip(out, target.loudspeakers) {
                    vector += gain * gain * loudspeaker.direction.unit
                }
                let found = Direction<Stage>(
                    unit: SIMD3(vector.x, vector.y, 0) / (vector.x * vector.x + vector.y * vector.y).squareRoot())
                #expect(
                    abs(found.azimuth * 180 / .pi - azimuth) < (order == 1 ? 12 : 8),
                    "\(name) \(azimuth): \(found.azimuth * 180 / .pi)")
            }
        }
    }

    @Test func aLoudspeakerEncodedAndFoldedBackIsTheFieldsOwnFold() throws {
        let field = try matrix("7.1.4", "ambi7")
        let fold = try matrix("ambi7", "stereo").after(field)
        let direct = try matrix("7.1.4", "stereo")
        for output in 0..<2 {
            for input in 0..<12 { #expect(abs(fold.gains[output][input] - direct.gains[output][input]) < 0.13) }
        }
    }

    @Test func matricesCopyBitForBitWhereAGainIsOne() throws {
        let found = try matrix("5.1", "7.1")
        let source = PlanarBlock(channels: 6, frames: 64)
        let target = PlanarBlock(channels: 8, frames: 64)
        for channel in 0..<6 { for i in 0..<64 { source[channel][i] = Float(channel * 64 + i) * 1.1e-3 - 0.1 } }
        found.apply(source.pointers, to: target.pointers, frames: 64)
        for (symbol, channel) in [("FL", 0), ("FC", 2), ("LFE", 3), ("SL", 4)] {
            let output = try #require(try Layout.named("7.1").loudspeakers.firstIndex { $0.symbol == symbol })
            for i in 0..<64 { #expect(target[output][i].bitPattern == source[channel][i].bitPattern) }
        }
        for i in 0..<64 { #expect(target[4][i] == 0) }
    }

    @Test func aLayoutOfLFEAloneTakesNothing() throws {
        let lone = Layout(
            name: "sub", loudspeakers: [Loudspeaker(symbol: "LFE", azimuthDegrees: 0, isLowFrequency: true)])
        #expect(throws: SoundstageError.noLoudspeakers(layout: "sub")) { try Layout.named("5.1").conversion(to: lone) }
    }

    @Test func aLayoutWithGapsIsClosedAndNothingIsLost() throws {
        let front = Layout(
            name: "front",
            loudspeakers: [30.0, 0, -30].map { Loudspeaker(symbol: "S\(Int($0 + 30))", azimuthDegrees: $0) })
        let panner = try #require(LoudspeakerPanner(front))
        for azimuth in stride(from: -180.0, through: 180, by: 5) {
            for elevation in stride(from: -90.0, through: 90, by: 10) {
                let gains = panner.gains(Direction(azimuthDegrees: azimuth, elevationDegrees: elevation))
                #expect(abs(gains.reduce(0) { $0 + $1 * $1 } - 1) < 1e-9 && gains.allSatisfy { $0 >= 0 })
            }
        }
    }

    /// Azimuth and elevation of loudspeakers that are tilted, lopsided or few, degrees.
    static let uneven: [[(Double, Double)]] = [
        [(30, -10), (-30, -10), (0, -10), (110, 10), (-110, 10)], [(30, 0), (-30, 0), (100, 0)],
        [(30, 0), (-30, 0), (0, 0), (110, 0)], [(30, 0), (-30, 0), (0, 0), (110, 12), (-110, 12)],
        [(90, 80), (-90, 80), (0, 75)], [(30, -15), (-30, -15), (180, -15), (0, 45)],
    ]

    @Test(arguments: uneven) func anUnevenLayoutHasFiniteGainsNearTheDirection(_ places: [(Double, Double)]) throws {
        let loudspeakers = places.enumerated().map {
            Loudspeaker(symbol: "S\($0)", azimuthDegrees: $1.0, elevationDegrees: $1.1)
        }
        let panner = try #require(LoudspeakerPanner(Layout(name: "uneven", loudspeakers: loudspeakers)))
        for azimuth in stride(from: -180.0, through: 180, by: 5) {
            for elevation in stride(from: -90.0, through: 90, by: 10) {
                let gains = panner.gains(Direction(azimuthDegrees: azimuth, elevationDegrees: elevation))
                #expect(abs(gains.reduce(0) { $0 + $1 * $1 } - 1) < 1e-9 && gains.allSatisfy { $0 >= 0 })
            }
        }
        // A direction between the first two, which stand beside each other, is theirs.
        guard places[0].0 == 30 else { return }
        let gains = panner.gains(Direction(azimuthDegrees: 20, elevationDegrees: 0))
        #expect(gains[0] > 0.6, "\(gains)")
    }

    @Test func aHighLoudspeakerOfTheLeftIsNotPlayedFromTheRight() throws {
        let loudspeakers = [(30.0, 0.0), (-30, 0), (0, 0), (110, 12), (-110, 12)].enumerated().map {
            Loudspeaker(symbol: "S\($0)", azimuthDegrees: $1.0, elevationDegrees: $1.1)
        }
        let panner = try #require(LoudspeakerPanner(Layout(name: "near", loudspeakers: loudspeakers)))
        let gains = panner.gains(Direction(azimuthDegrees: 45, elevationDegrees: 30))
        #expect(gains[4] < 0.1 && gains[0] > gains[2] && gains[0] > 0.6, "\(gains)")
    }

    @Test func aLayoutOfAFileIsPannedToWhateverItsName() throws {
        let two = Layout(
            name: "mono",
            loudspeakers: [
                Loudspeaker(symbol: "M", azimuthDegrees: 0),
                Loudspeaker(symbol: "LFE", azimuthDegrees: 0, isLowFrequency: true),
            ])
        let matrix = try Layout.named("5.1").conversion(to: two)
        #expect(matrix.gains.count == 2 && matrix.gains[0].allSatisfy { $0.isFinite })
        #expect(matrix.gains[1][3] > 0)
        let four = Layout(
            name: "stereo",
            loudspeakers: [45.0, -45, 135, -135].map { Loudspeaker(symbol: "S\(Int($0))", azimuthDegrees: $0) })
        let gains = try Layout.named("5.1").conversion(to: four).gains
        // The front left sounds from the front left alone.
        #expect(gains[2][0] < 0.1)
    }

    @Test func aLowLFEIsNoLoudspeakerBelow() throws {
        func layout(_ elevation: Double) -> Layout {
            let sides = [30.0, -30, 0, 110, -110].map {
                Loudspeaker(symbol: "S\(Int($0 + 180))", azimuthDegrees: $0, elevationDegrees: 0)
            }
            let sub = Loudspeaker(
                symbol: "LFE", azimuthDegrees: 0, elevationDegrees: elevation, isLowFrequency: true)
            return Layout(name: "five", loudspeakers: sides + [sub])
        }
        let below = Direction<Stage>(azimuthDegrees: 0, elevationDegrees: -45)
        let (level, low) = (LoudspeakerPanner(layout(0)), LoudspeakerPanner(layout(-30)))
        #expect(try #require(low).gains(below) == #require(level).gains(below))
    }

    @Test func aDirectionBetweenTwoIsPannedByTheTangentLaw() throws {
        let panner = try #require(LoudspeakerPanner(try Layout.named("7.1")))
        // In the middle between left at 30° and side at 90°: equal gains.
        let gains = panner.gains(Direction(azimuthDegrees: 60, elevationDegrees: 0))
        #expect(abs(gains[0] - 0.5.squareRoot()) < 1e-9)
        let nearer = panner.gains(Direction(azimuthDegrees: 45, elevationDegrees: 0))
        let side = try #require(try Layout.named("7.1").loudspeakers.firstIndex { $0.symbol == "SL" })
        // tan(15°)/tan(30°) = (gL − gS)/(gL + gS).
        #expect(abs((nearer[0] - nearer[side]) / (nearer[0] + nearer[side]) - 0.464_101_6) < 1e-6)
    }
}

import Geometry
import HRTF
import Signal
import Soundstage
import Testing

@testable import Rendering

/// What voices of an Audio Mix have beyond the order of their field.
@Suite struct FineVoicesTests {
    /// What a stage of its own makes of a field, slice by slice with the head turning, from ears that hold `before`.
    private func heard(
        _ renderer: AmbisonicRenderer, _ rows: [[Float]], before: Float = 0, slices: Int
    ) -> [[Float]] {
        let stage = renderer.handle
        let block = PlanarBlock(channels: rows.count, frames: 64), ears = PlanarBlock(channels: 2, frames: 64)
        var found: [[Float]] = [[], []]
        for slice in 0..<slices {
            for (c, row) in rows.enumerated() { for i in 0..<64 { block[c][i] = row[64 * slice + i] } }
            let pose = Rotation<Head, Stage>(yaw: 0.01 * Double(slice)).quaternion
            stage.pointee.beginSlice(headToStage: pose, anew: slice == 0)
            stage.pointee.aim(fade: 1, headToStage: Rotation<Head, Stage>(yaw: 0.01 * Double(slice + 1)).quaternion)
            for ear in 0..<2 { for i in 0..<64 { ears[ear][i] = before } }
            // Cut where a period might end.
            for (position, count) in [(0, 40), (40, 24)] {
                let part = (0..<rows.count).map { block[$0] + position }
                part.withUnsafeBufferPointer { stage.pointee.take($0.baseAddress!, to: position, count: count) }
                stage.pointee.add(
                    from: position, count: count, left: ears[0] + position, right: ears[1] + position)
            }
            stage.pointee.endSlice()
            for ear in 0..<2 { found[ear] += (0..<64).map { ears[ear][$0] } }
        }
        return found
    }

    @Test func theFieldAndWhatItLacksAreTheFinerField() throws {
        let x = noise(6400)
        let (coarse, fine) = (planeWave(x, order: 1, azimuth: 70), planeWave(x, order: 3, azimuth: 70))
        let (first, third) = (try AmbisonicFormat(order: 1), try AmbisonicFormat(order: 3))
        let whole = heard(AmbisonicRenderer(third, slice: 64, fade: 64, field: sphere), fine, slices: 100)
        let field = heard(AmbisonicRenderer(first, slice: 64, fade: 64, field: sphere), coarse, slices: 100)
        let rest = heard(
            AmbisonicRenderer(third, beyond: 1, slice: 64, fade: 64, field: sphere), fine, slices: 100)
        let sum = (0..<2).map { ear in zip(field[ear], rest[ear]).map { $0 + $1 } }
        let together = Ears(left: sum[0], right: sum[1]), expected = Ears(left: whole[0], right: whole[1])
        #expect(together.error(against: expected) < -110)
        // It is worth having.
        #expect(Ears(left: field[0], right: field[1]).error(against: expected) > -20)
    }

    /// Silence is left out without a bit of what is there already, and speech after it is heard as it is.
    @Test func silenceCostsNothingAndIsFollowedWell() throws {
        let third = try AmbisonicFormat(order: 3)
        let silence = [[Float]](repeating: [Float](repeating: 0, count: 640), count: 16)
        let quiet = heard(
            AmbisonicRenderer(third, beyond: 1, slice: 64, fade: 64, field: sphere), silence, before: 0.25, slices: 10)
        #expect(quiet.allSatisfy { $0.allSatisfy { $0 == 0.25 } })
        var x = noise(12_800)
        for i in 2000..<9000 { x[i] = 0 }
        let fine = planeWave(x, order: 3, azimuth: -110)
        func sound(rests: Bool) -> [[Float]] {
            heard(
                rests
                    ? AmbisonicRenderer(third, beyond: 1, slice: 64, fade: 64, field: sphere)
                    : AmbisonicRenderer(third, slice: 64, fade: 64, field: sphere), fine, slices: 200)
        }
        let coarse = heard(
            AmbisonicRenderer(try AmbisonicFormat(order: 1), slice: 64, fade: 64, field: sphere), Array(fine[..<4]),
            slices: 200)
        let (rest, whole) = (sound(rests: true), sound(rests: false))
        let sum = (0..<2).map { ear in zip(coarse[ear], rest[ear]).map { $0 + $1 } }
        #expect(
            Ears(left: sum[0], right: sum[1]).error(against: Ears(left: whole[0], right: whole[1])) < -110)
    }
}

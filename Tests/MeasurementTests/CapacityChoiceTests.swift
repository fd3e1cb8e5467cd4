import Testing

@testable import Measurement

struct CapacityChoiceTests {
    @Test func shortPeriodsWithFineSlicesComeFirst() {
        let cells = [
            cell(64, 64, 0.6), cell(128, 128, 0.2), cell(128, 64, 0.4), cell(1024, 64, 0.1), cell(256, 64, 0.51),
        ]
        #expect(CapacityChoice.candidates(cells).map(\.setting) == [.init(128, 64), .init(1024, 64)])
    }

    @Test func aCoarserSliceServesWhereTheFineOneIsTooMuch() {
        let cells = [cell(128, 64, 0.9), cell(128, 128, 0.4), cell(64, 64, 1.7)]
        #expect(CapacityChoice.candidates(cells).map(\.setting) == [.init(128, 128)])
    }

    @Test func tightSettingsAreTriedOnlyWhereNoneFits() {
        let cells = [cell(64, 64, 1.2), cell(256, 256, 0.7), cell(128, 64, 0.75)]
        #expect(CapacityChoice.candidates(cells).map(\.setting) == [.init(128, 64), .init(256, 256)])
        #expect(CapacityChoice.candidates([cell(64, 64, 0.81), cell(1024, 64, 3)]).isEmpty)
        #expect(CapacityChoice.candidates([]).isEmpty)
    }

    @Test func whatFitsWithMoreSourcesFitsWithFewer() {
        let cells = [
            cell(64, 64, 0.7, sources: 2), cell(64, 64, 0.3, sources: 12), cell(64, 64, 0.7, sources: 32),
            cell(64, 64, 0.8, sources: 64), cell(64, 64, 0.9, sources: 0), cell(128, 64, 0.1, sources: 64),
        ]
        let (most, tooMany) = CapacityChoice.sources(cells, under: .init(64, 64))
        #expect(most?.sources == 12)
        #expect(tooMany?.sources == 32)
        let (all, none) = CapacityChoice.sources(cells, under: .init(128, 64))
        #expect(all?.sources == 64)
        #expect(none == nil)
    }

    @Test func theLongestRoomThatFitsIsSuggestedAndTailsOfTheirOwnBeforeSharedOnes() {
        let cells = [
            cell(64, 64, 0.2, room: .init(1)), cell(64, 64, 0.4, room: .init(3, isTailShared: true)),
            cell(64, 64, 0.6, room: .init(3)), cell(256, 256, 0.3, room: .init(3)),
            cell(256, 256, 0.2, room: .init(3, isTailShared: true)), cell(64, 64, 0.1),
        ]
        #expect(CapacityChoice.room(cells, under: .init(64, 64))?.room == .init(3, isTailShared: true))
        #expect(CapacityChoice.room(cells, under: .init(256, 256))?.room == .init(3))
        #expect(CapacityChoice.room(cells, under: .init(128, 64)) == nil)
    }

    private func cell(
        _ period: Int, _ slice: Int, _ p999: Double, sources: Int = 12, room: CapacityCell.Room? = nil
    ) -> CapacityCell {
        CapacityCell(
            stage: "\(sources)", room: room, sources: sources, setting: .init(period, slice),
            times: PeriodTimes(count: 2000, median: p999 / 4, p99: p999 / 2, p999: p999, max: p999))
    }
}

import Testing

@testable import AudioIO

@Suite struct RouteWatchTests {
    private func onHeadphones() -> RouteWatch {
        var watch = RouteWatch()
        for ear in 0..<2 { watch.connect(ear: ear, port: UInt32(ear), name: "phones_\(ear)", isPhysical: true) }
        return watch
    }

    @Test func theLastConnectionOfAnEarIsALoss() {
        var watch = onHeadphones()
        let isLoss = watch.disconnect(ear: 1, port: 1)
        #expect(isLoss)
        let lost = watch.takeLost()
        #expect(lost.map(\.name) == ["phones_1"] && lost.map(\.ear) == [1])
        #expect(watch.takeLost().isEmpty)
    }

    @Test func whoConnectsTheNewPortFirstLosesNothing() {
        var watch = onHeadphones()
        watch.connect(ear: 0, port: 8, name: "other_0", isPhysical: true)
        let isLoss = watch.disconnect(ear: 0, port: 0)
        #expect(!isLoss)
    }

    @Test func aRecorderIsNoReplacementForASoundCard() {
        var watch = onHeadphones()
        watch.connect(ear: 0, port: 9, name: "recorder:in", isPhysical: false)
        let recorderGone = watch.disconnect(ear: 0, port: 9)
        #expect(!recorderGone)
        watch.connect(ear: 0, port: 9, name: "recorder:in", isPhysical: false)
        let phonesGone = watch.disconnect(ear: 0, port: 0)
        #expect(phonesGone)
    }

    @Test func aPortNeverConnectedIsNoLoss() {
        var watch = RouteWatch()
        let isLoss = watch.disconnect(ear: 0, port: 3)
        #expect(!isLoss)
    }

    @Test func inFreewheelALossCountsAtTheEndUnlessItIsBack() {
        var watch = onHeadphones()
        _ = watch.freewheel(true)
        let inFreewheel = watch.disconnect(ear: 0, port: 0)
        watch.connect(ear: 0, port: 0, name: "phones_0", isPhysical: true)
        let whenBack = watch.freewheel(false)
        #expect(!inFreewheel && !whenBack)
        _ = watch.freewheel(true)
        _ = watch.disconnect(ear: 0, port: 0)
        let whenGone = watch.freewheel(false)
        #expect(whenGone)
        #expect(watch.takeLost().map(\.name) == ["phones_0"])
    }
}

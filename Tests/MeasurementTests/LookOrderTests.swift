import Testing

@testable import Measurement

@Suite("Order of the looks")
struct LookOrderTests {
    @Test("looks follow each other; one that was taken comes again before the rest, and may be left out then")
    func order() {
        var order = LookOrder([0, 30, -30])
        // Nothing was taken yet; the present look just stays.
        let (later, present) = (order.again(30), order.again(0))
        #expect(!later && present && order.open == [0, 30, -30])
        order.keep()
        #expect(order.present == 30 && !order.isAgain)
        let former = order.again(0)
        #expect(former && order.open == [0, 30, -30] && order.isAgain)
        order.skip()
        #expect(order.open == [30, -30] && order.kept == [0])
        order.skip()
        order.keep()
        #expect(order.present == nil && !order.isAgain && order.kept == [0, -30])
        let last = order.again(-30)
        #expect(last && order.present == -30)
    }

    @Test("a look that waits to come again is asked for once, also if another one was asked for meanwhile")
    func twice() {
        var order = LookOrder([0, 30, -30])
        order.keep()
        order.keep()
        for look in [0.0, 30, 0] {
            let isThere = order.again(look)
            #expect(isThere && order.present == look)
        }
        #expect(order.open == [0, 30, -30])
    }
}

@Suite("Requests of a person")
struct PersonRequestsTests {
    @Test("the newest request counts and is taken once; that to stop stays")
    func newest() {
        let requests = PersonRequests()
        #expect(requests.waiting == nil && !requests.takesBegin() && !requests.ends(0))
        requests.put(.begin)
        #expect(!requests.ends(0) && requests.takesBegin() && !requests.takesBegin())
        requests.put(.skip(30))
        // Of a look that has its take already it ends nothing.
        #expect(requests.ends(30) && !requests.ends(0) && !requests.takesBegin())
        requests.put(.again(0))
        #expect(requests.ends(30) && requests.take() == .again(0) && requests.take() == nil)
        requests.put(.stop)
        requests.put(.begin)
        #expect(requests.isStop && requests.ends(0) && requests.take() == .stop && requests.take() == .stop)
    }
}

import Desk
import Stages
import Synchronization
import Testing

/// The published state, as listeners receive it.
@Suite struct StateBookTests {
    @Test func aListenerHearsOfEveryChangeOnce() {
        let book = StateBook()
        book.enter(["a": .word("on")])
        let heard = Mutex<[StateChange]>([])
        let (state, end) = book.hear { change in heard.withLock { $0.append(change) } }
        #expect(state == SessionState(values: ["a": .word("on")], revision: 1))
        book.enter(["a": .word("on")])
        book.enter(["a": .word("off"), "b": .numbers([1])])
        book.enter(["b": .numbers([1])])
        end()
        book.enter([:])
        #expect(
            heard.withLock { $0 } == [
                StateChange(values: ["a": .word("off"), "b": .numbers([1])], revision: 2),
                StateChange(values: ["a": nil], revision: 3),
            ])
    }
}

import OSC
import Testing

@testable import NSM

@Suite struct NSMConversationTests {
    private typealias Act = NSMConversation.Act

    private static let welcome = OSCMessage(
        "/reply", [.string("/nsm/server/announce"), .string("hello"), .string("Fake"), .string(":broadcast:")])
    private static let place = NSMPlace(path: "/s/proscenium.nABC", displayName: "song", clientID: "proscenium.nABC")
    private static let open = OSCMessage(
        "/nsm/client/open", [.string(place.path), .string(place.displayName), .string(place.clientID)])
    private static let save = OSCMessage("/nsm/client/save")

    private static func reply(_ path: String, _ text: String) -> Act {
        .send(OSCMessage("/reply", [.string(path), .string(text)]))
    }

    private static func code(_ acts: [Act]) -> Int32? {
        guard acts.count == 1, case .send(let message) = acts[0], message.address == "/error",
            message.arguments.count == 3, case .int32(let code) = message.arguments[1],
            case .string(let text) = message.arguments[2], !text.isEmpty
        else { return nil }
        return code
    }

    private static func conversation() -> NSMConversation {
        NSMConversation(NSMIntroduction(application: "proscenium", executable: "./proscenium", process: 4711))
    }

    /// Returns a conversation after the manager's welcome, with an open session.
    private static func opened() -> NSMConversation {
        var talk = conversation()
        _ = talk.announce()
        _ = talk.take(welcome)
        _ = talk.take(open)
        _ = talk.finish(.success("opened"))
        return talk
    }

    @Test func theAnnouncementSaysAllThatTheProtocolAsksFor() {
        var talk = Self.conversation()
        let announcement = OSCMessage(
            "/nsm/server/announce",
            [
                .string("proscenium"), .string(":dirty:switch:message:progress:"), .string("./proscenium"), .int32(1),
                .int32(1), .int32(4711),
            ])
        #expect(talk.announce() == [.send(announcement)])
        #expect(talk.announce().isEmpty)
    }

    @Test func aClientIsManagedFromTheWelcomeOn() {
        var talk = Self.conversation()
        #expect(talk.take(Self.welcome).isEmpty)
        _ = talk.announce()
        // Replies to other clients' messages have no effect.
        #expect(talk.take(OSCMessage("/reply", [.string("/nsm/server/list"), .string("x")])).isEmpty)
        #expect(talk.take(Self.save).isEmpty)
        #expect(talk.tell("too early", priority: 0).isEmpty)
        #expect(talk.take(Self.welcome) == [.joined(manager: "Fake", welcome: "hello")])
        #expect(talk.take(Self.welcome).isEmpty)
    }

    @Test func whoIsRefusedGoesOnAlone() {
        var talk = Self.conversation()
        _ = talk.announce()
        let refusal = OSCMessage("/error", [.string("/nsm/server/announce"), .int32(-2), .string("too new")])
        #expect(talk.take(refusal) == [.alone("the session manager refused it: too new (-2)")])
        #expect(talk.take(Self.welcome).isEmpty)
        #expect(talk.take(Self.open).isEmpty)
    }

    @Test func aWelcomeThatComesTooLateIsNone() {
        var talk = Self.conversation()
        _ = talk.announce()
        #expect(talk.giveUp("silence") == [.alone("silence")])
        #expect(talk.giveUp("silence").isEmpty)
        #expect(talk.take(Self.welcome).isEmpty)
    }

    @Test func openIsAnsweredWhenItIsDone() {
        var talk = Self.conversation()
        _ = talk.announce()
        _ = talk.take(Self.welcome)
        #expect(talk.take(Self.open) == [.open(Self.place)])
        #expect(talk.finish(.success("opened")) == [Self.reply("/nsm/client/open", "opened")])
        // A request has one answer only.
        #expect(talk.finish(.success("opened")).isEmpty)
    }

    @Test func aRequestMayOvertakeTheWelcome() {
        var talk = Self.conversation()
        _ = talk.announce()
        #expect(talk.take(Self.open) == [.joined(manager: "", welcome: ""), .open(Self.place)])
        #expect(talk.take(Self.welcome).isEmpty)
    }

    @Test func theManagerHearsByCodeWhyASessionIsNotOpened() {
        let codes: [(NSMFailure.Code, Int32)] = [
            (.general, -1), (.incompatibleAPI, -2), (.blacklisted, -3), (.launchFailed, -4), (.noSuchFile, -5),
            (.noSessionOpen, -6), (.unsavedChanges, -7), (.notNow, -8), (.badProject, -9), (.createFailed, -10),
        ]
        for (code, number) in codes {
            var talk = Self.conversation()
            _ = talk.announce()
            _ = talk.take(Self.welcome)
            _ = talk.take(Self.open)
            #expect(Self.code(talk.finish(.failure(NSMFailure(code, "broken")))) == number)
            // Without an open session there is nothing to save.
            #expect(Self.code(talk.take(Self.save)) == -6)
        }
    }

    @Test func requestsWithoutWhatTheyNeedAreRefused() {
        for arguments: [OSCArgument] in [
            [], [.string("/p"), .string("n")], [.string(""), .string("n"), .string("c")],
            [.string("/p"), .string("n"), .string("")], [.string("/p"), .string("n"), .int32(1)],
            [.string("/p"), .string("n"), .string("c"), .int32(1)],
        ] {
            var talk = Self.opened()
            #expect(Self.code(talk.take(OSCMessage("/nsm/client/open", arguments))) == -1)
            // No request is under way.
            #expect(talk.take(Self.save) == [.save])
        }
    }

    @Test func oneRequestIsCarriedOutAtATime() {
        var talk = Self.opened()
        #expect(talk.take(Self.save) == [.save])
        #expect(Self.code(talk.take(Self.save)) == -8)
        #expect(Self.code(talk.take(Self.open)) == -8)
        #expect(talk.finish(.success("saved")) == [Self.reply("/nsm/client/save", "saved")])
        // The manager may open another session in the same process.
        let other = OSCMessage("/nsm/client/open", [.string("/t/p.nXY"), .string("t"), .string("p.nXY")])
        #expect(talk.take(other) == [.open(NSMPlace(path: "/t/p.nXY", displayName: "t", clientID: "p.nXY"))])
        #expect(Self.code(talk.take(Self.save)) == -8)
    }

    @Test func aSessionStaysOpenWhereAnotherCannotBe() {
        var talk = Self.opened()
        _ = talk.take(Self.open)
        #expect(Self.code(talk.finish(.failure(NSMFailure(.badProject, "cut off")))) == -9)
        #expect(talk.take(Self.save) == [.save])
    }

    @Test func nothingIsOpenWhereTheFormerWasClosedForOneThatFails() {
        var talk = Self.opened()
        _ = talk.note(isDirty: true)
        _ = talk.take(Self.open)
        let acts = talk.finish(.failure(NSMFailure(.badProject, "cut off", closedFormer: true)))
        #expect(Self.code(Array(acts.prefix(1))) == -9)
        #expect(acts.dropFirst() == [.send(OSCMessage("/nsm/client/is_clean"))])
        #expect(Self.code(talk.take(Self.save)) == -6)
    }

    @Test func theManagerIsToldOnceWhetherThereIsAnythingToSave() {
        var talk = Self.opened()
        let (dirty, clean) = (OSCMessage("/nsm/client/is_dirty"), OSCMessage("/nsm/client/is_clean"))
        #expect(talk.note(isDirty: false).isEmpty)
        #expect(talk.note(isDirty: true) == [.send(dirty)])
        #expect(talk.note(isDirty: true).isEmpty)
        #expect(talk.note(isDirty: false) == [.send(clean)])
        _ = talk.note(isDirty: true)
        _ = talk.take(Self.save)
        #expect(talk.finish(.success("saved")) == [Self.reply("/nsm/client/save", "saved"), .send(clean)])
        // After a failed save the session is still not saved.
        _ = talk.note(isDirty: true)
        _ = talk.take(Self.save)
        #expect(Self.code(talk.finish(.failure(NSMFailure(.general, "disk full")))) == -1)
        #expect(talk.note(isDirty: false) == [.send(clean)])
    }

    @Test func whatChangesWhileASessionIsSavedIsNotSaved() {
        var talk = Self.opened()
        let dirty = OSCMessage("/nsm/client/is_dirty")
        _ = talk.take(Self.save)
        #expect(talk.note(isDirty: true).isEmpty)
        #expect(talk.finish(.success("saved")) == [Self.reply("/nsm/client/save", "saved"), .send(dirty)])
    }

    @Test func progressIsToldWhileSomethingIsUnderWayAndOnlyForward() {
        var talk = Self.opened()
        #expect(talk.progress(0.5).isEmpty)
        _ = talk.take(Self.save)
        func told(_ share: Float) -> [Act] { [.send(OSCMessage("/nsm/client/progress", [.float(share)]))] }
        #expect(talk.progress(0.25) == told(0.25))
        #expect(talk.progress(0.125).isEmpty)
        #expect(talk.progress(.nan).isEmpty)
        #expect(talk.progress(7) == told(1))
        _ = talk.finish(.success("saved"))
        #expect(talk.progress(0.5).isEmpty)
        _ = talk.take(Self.save)
        #expect(talk.progress(0.5) == told(0.5))
    }

    @Test func textsHaveAPriorityOfZeroToThree() {
        let talk = Self.opened()
        for (asked, sent) in [(-1, 0), (0, 0), (2, 2), (9, 3)] {
            let message = OSCMessage("/nsm/client/message", [.int32(Int32(sent)), .string("JACK is gone")])
            #expect(talk.tell("JACK is gone", priority: asked) == [.send(message)])
        }
    }

    @Test func aLoadedSessionIsToldOfAndOtherMessagesArePassedOver() {
        var talk = Self.opened()
        #expect(talk.take(OSCMessage("/nsm/client/session_is_loaded")) == [.sessionIsLoaded])
        for address in ["/nsm/client/show_optional_gui", "/nsm/client/future", "/reply", "/error", "/x"] {
            #expect(talk.take(OSCMessage(address)).isEmpty)
        }
    }
}

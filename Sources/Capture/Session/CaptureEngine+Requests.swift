import AudioIO

extension CaptureEngine {
    /// Does what is asked.
    ///
    /// - Returns: the number of a take that ends so: what comes of its files is told by `takeCompletions`.
    @discardableResult
    package func perform(_ command: CaptureRequest, now: Double) -> Int? {
        switch command {
        case .begin: recorder.begin(now)
        case .end:
            if let number = endTake() { return number }
            journal.refuse("no take is being recorded")
        case .turn(let on):
            let isOn = recorder.isRecording
            if (on ?? !isOn) != isOn { return perform(isOn ? .end : .begin, now: now) }
        case .mark(let name):
            recorder.mark(
                name, at: (inputs.frame(at: now).map { $0 + ahead } ?? recorder.processed) + chain.delayFrames)
        case .source(let pattern): turn(pattern)
        case .orientation(let orientation):
            change { $0.orientation = orientation }
        case .rendition(let rendition):
            if rendition == .binaural, chain.settings.field == nil {
                journal.refuse("no HRTF set is loaded: begin with --stereo binaural")
            } else {
                change { $0.rendition = rendition }
            }
        }
        return nil
    }

    private func turn(_ pattern: String) {
        guard sources.isSteady else { return journal.refuse("a change of sources is going on; ask again") }
        guard !inputs.serverIsGone else { return journal.refuse(JACKError.serverGone.description) }
        let found = inputs.sources(named: pattern)
        let array = chain.settings.array
        guard !found.isEmpty else {
            let error = JACKError.noSuchPort(
                pattern: pattern, takesSound: false, available: inputs.sources().map(\.port))
            return journal.refuse(error.description)
        }
        guard found.count == array.channelCount else {
            let error = CaptureError.wrongChannelCount(
                array: array.name, wanted: array.channelNames, found: found.count)
            return journal.refuse(error.description)
        }
        do throws(JACKError) {
            try sources.turn(to: found, inputs)
            journal.tell(.turned(found))
        } catch {
            journal.refuse(error.description)
        }
    }

    /// Asks for other filters, which come into force when they are designed.
    private func change(_ set: (inout FilterDesk.Wish) -> Void) {
        let settings = chain.settings
        var wish = desk.wish ?? .init(orientation: settings.orientation, rendition: settings.rendition)
        set(&wish)
        desk.ask(wish, chain)
        changeFilters()
    }

    /// Goes on with filters that are complete.
    func changeFilters() {
        guard let (wish, result) = desk.take(chain) else { return }
        switch result {
        case .success(let filters):
            chain.exchange(for: filters, orientation: wish.orientation, rendition: wish.rendition)
            journal.tell(.changed(wish.orientation, wish.rendition))
        case .failure(let error): journal.refuse(error.description)
        }
    }
}

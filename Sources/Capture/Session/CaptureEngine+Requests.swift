import AudioIO

extension CaptureEngine {
    /// Executes a request. `now`: time of the host's monotonic clock, seconds.
    ///
    /// - Returns: number of the take that the request ends; nil if it ends none. `takeCompletions` returns the result
    ///   for the take's files.
    @discardableResult
    package func perform(_ command: CaptureRequest, now: Double) -> Int? {
        switch command {
        case .begin: recorder.begin(now)
        case .end:
            if let number = endTake() { return number }
            eventLog.refuse("no take is being recorded")
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
                eventLog.refuse("no HRTF set is loaded: begin with --stereo binaural")
            } else {
                change { $0.rendition = rendition }
            }
        }
        return nil
    }

    private func turn(_ pattern: String) {
        guard sources.isSteady else { return eventLog.refuse("a change of sources is in progress; repeat the request") }
        guard !inputs.serverIsGone else { return eventLog.refuse(JACKError.serverGone.description) }
        let found = inputs.sources(named: pattern)
        let array = chain.settings.array
        guard !found.isEmpty else {
            let error = JACKError.noSuchPort(
                pattern: pattern, takesSound: false, available: inputs.sources().map(\.port))
            return eventLog.refuse(error.description)
        }
        guard found.count == array.channelCount else {
            let error = CaptureError.wrongChannelCount(
                array: array.name, wanted: array.channelNames, found: found.count)
            return eventLog.refuse(error.description)
        }
        do throws(JACKError) {
            try sources.turn(to: found, inputs)
            eventLog.tell(.turned(found))
        } catch {
            eventLog.refuse(error.description)
        }
    }

    /// Requests other filters. They are used when their design is complete.
    private func change(_ set: (inout FilterDesk.Request) -> Void) {
        let settings = chain.settings
        var request = desk.request ?? .init(orientation: settings.orientation, rendition: settings.rendition)
        set(&request)
        desk.ask(request, chain)
        changeFilters()
    }

    /// Exchanges the filters if a design is complete.
    func changeFilters() {
        guard let (request, result) = desk.take(chain) else { return }
        switch result {
        case .success(let filters):
            chain.exchange(for: filters, orientation: request.orientation, rendition: request.rendition)
            eventLog.tell(.changed(request.orientation, request.rendition))
        case .failure(let error): eventLog.refuse(error.description)
        }
    }
}

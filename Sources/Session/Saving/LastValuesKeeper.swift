import Desk
import Loading
import SavedSessions

/// Saves the values set while a session plays, a second after a change and at the session's end.
package actor LastValuesKeeper {
    private let live: LiveSession
    private let desk: SessionDesk
    private let tell: @Sendable (SessionRemark) -> Void
    private var ending: (@Sendable () -> Void)?
    private var timer: Task<Void, Never>?
    /// Values of the last write.
    private var written: LastValues?
    /// Failure of the last write, noted once.
    private var told: String?

    /// Creates a keeper for a session that plays.
    package init(_ live: LiveSession, at desk: SessionDesk, tell: @escaping @Sendable (SessionRemark) -> Void) {
        (self.live, self.desk, self.tell) = (live, desk, tell)
    }

    /// Starts to save changed values.
    package func open() {
        ending =
            desk.state.hear { [weak self] change in
                guard change.values.keys.contains(where: LastValues.isKept) else { return }
                Task { await self?.note() }
            }.end
    }

    /// Writes the present values, and stops. Call while the session is still open.
    package func close() async {
        ending?()
        ending = nil
        timer?.cancel()
        await save()
    }

    private func note() {
        guard timer == nil, ending != nil else { return }
        timer = Task {
            try? await Task.sleep(for: .seconds(SessionFolder.delay))
            guard !Task.isCancelled else { return }
            timer = nil
            await save()
        }
    }

    private func save() async {
        guard let (path, values) = await live.lastValues(), values != written else { return }
        // Nothing is written if no value was set, in this session or in an earlier one.
        if values.changes.isEmpty, written == nil, (try? LastValues(path: path))?.changes.isEmpty ?? true { return }
        do throws(SessionError) {
            try values.write(to: path)
            (written, told) = (values, nil)
        } catch {
            if told != error.description { tell(.note("values will not be restored: \(error.description)")) }
            told = error.description
        }
    }
}

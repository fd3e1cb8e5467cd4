import AudioIO
import Desk
import Foundation
import Gate
import Glibc
import Loading
import Racks
import SavedSessions
import Stages
import Synchronization

/// Folder of a running session: saved after a change, at most once a second, and at the session's end.
///
/// If a save is interrupted, the last complete one remains. Saved values that this machine cannot apply stay in the
/// folder, for another machine.
package actor SessionFolder {
    /// Path of the folder.
    package nonisolated let path: String
    private let live: LiveSession
    private let desk: SessionDesk
    private let tell: @Sendable (SessionRemark) -> Void
    /// Excludes other sessions from the folder.
    private let lock: SessionLock
    private var saved: SessionDocument
    private var absent: Absent
    private var changes = Changes()
    private var ending: (@Sendable () -> Void)?
    /// Whether changes are saved automatically, and at the end; otherwise only on request.
    private let autosaves: Bool
    /// Options of the command line, and the addresses that they set: they take precedence over saved values.
    private let typed: [String: JSONValue], addresses: TypedAddresses

    /// Saved data that are not in force on this machine.
    private struct Absent {
        /// Replacements of files that were not found under their saved names, by the keys of `SessionDocument.used`.
        var places: [String: SessionFiles.Place]
        /// Values in force that stand for saved ones.
        var standing = SessionDocument.Standing()
        /// Saved scenes that are not built, or not yet.
        var unbuilt: Set<String>
    }

    /// Unsaved changes, and the schedule of the next save.
    private struct Changes {
        /// Whether anything has changed, and whether plugins have.
        var isDirty = true, arePluginsDirty = true
        var isSaving = false
        var timer: Task<Void, Never>?
        /// Failure of the last save, noted once.
        var told: String?
        /// Seconds until the next save, longer after a failure.
        var patience = SessionFolder.delay
        /// Called with true at the first unsaved change, and with false once all is saved.
        var hears: (@Sendable (Bool) -> Void)?
    }

    /// Time from a change to its save, and longest time between two tries after failures, in seconds.
    static let delay = 1.0, longestDelay = 30.0

    /// Opens the folder for a session that plays. Creates a missing folder.
    ///
    /// - Parameters:
    ///   - options: options of the command line, to be saved too.
    ///   - lock: lock of the folder, if it is held already.
    package init(
        _ path: String, of live: LiveSession, at desk: SessionDesk, options: [String: JSONValue],
        lock: SessionLock? = nil, autosaves: Bool = true,
        tell: @escaping @Sendable (SessionRemark) -> Void
    ) throws(SessionError) {
        self.path = path
        self.live = live
        self.desk = desk
        self.tell = tell
        if let lock {
            self.lock = lock
        } else {
            self.lock = try SessionLock(path, by: desk.state.state.values["client"]?.word ?? "proscenium")
        }
        var saved = try SessionDocument(folder: path) ?? SessionDocument()
        // A typed option replaces the saved one, and drops the replacement of its file.
        var places = SessionFiles.find(saved, in: path).places
        for option in options.keys { places = places.filter { $0.key != option && !$0.key.hasPrefix(option + ":") } }
        saved.take(options: options)
        self.saved = saved
        absent = Absent(places: places, unbuilt: Set(saved.scenes.keys))
        (typed, addresses) = (options, TypedAddresses(of: options))
        self.autosaves = autosaves
    }

    /// Applies the rest of the folder's content to the session, and starts to save it.
    package func open() async {
        await live.begin(inScene: saved.scene)
        let former = saved.former(but: addresses)
        var refused: Set<String> = []
        for (address, refusal) in await live.takeUpRest(of: former) {
            refused.insert(address)
            absent.standing.values.updateValue(nil, forKey: address)
            let value = former[address]?.written.joined(separator: " ") ?? ""
            // A refused default value needs no remark.
            guard value != StateAddress(address).parameter?.standard else { continue }
            tell(.note("session: \(address) \(value) cannot be applied here: \(refusal)"))
        }
        if !saved.links.isEmpty { await live.connect(saved.links, of: saved.client) }
        await openScenes()
        await live.enterState()
        let standing = saved.standing(for: desk.state.state.values, refused: refused)
        absent.standing.values.merge(standing.values) { $1 }
        ending =
            desk.state.hear { [weak self] change in
                guard change.values.keys.contains(where: Self.isSaved) else { return }
                let plugins = change.values.keys.contains(where: Self.isOfPlugins)
                Task { await self?.note(plugins: plugins) }
            }.end
        await live.hearLinks { [weak self] in Task { await self?.noteLinks() } }
        // Under a session manager's control the newly opened state counts as saved.
        if autosaves { note(plugins: true) } else { changes.isDirty = false }
    }

    /// Returns whether the value at an address is saved. Facts of the session, for example the sample rate, are not.
    private static func isSaved(_ address: String) -> Bool {
        isOfPlugins(address) || address == "scene" || StateAddress(address).isKept
    }

    private static func isOfPlugins(_ address: String) -> Bool {
        StateAddress(address).plugin != nil || ["plugin-changes", "scenes"].contains(address)
    }

    /// Builds the saved scenes that are not heard.
    private func openScenes() async {
        for name in saved.scenes.keys.sorted() {
            let (values, remarks, found) = SessionFiles.find(scene: name, of: saved, in: path)
            absent.places.merge(found) { $1 }
            for remark in remarks { tell(.note("session: \(remark)")) }
            do throws(SessionError) {
                let plugins = try SessionFiles.plugins(in: path, scene: name)
                guard let reason = await live.begin(scene: name, values, plugins: plugins) else {
                    absent.unbuilt.remove(name)
                    continue
                }
                tell(.note("session: scene \(name) is not here: \(reason)"))
            } catch {
                tell(.note("session: scene \(name) is not here: \(error.description)"))
            }
        }
        let now = await live.snapshot(keeping: [])
        absent.standing.values.merge(saved.standing(forScenes: now.scenes).values) { $1 }
    }

    /// Sets the callback for unsaved changes: true at the first, false once all is saved.
    package func watch(_ hears: @escaping @Sendable (Bool) -> Void) {
        changes.hears = hears
        if changes.isDirty, !autosaves { hears(true) }
    }

    /// Saves now.
    package func save() async throws(SessionError) {
        changes.timer?.cancel()
        changes.timer = nil
        // One save at a time: a second call waits, and then saves the changes made meanwhile.
        while changes.isSaving { try? await Task.sleep(for: .milliseconds(5)) }
        changes.isSaving = true
        defer { changes.isSaving = false }
        let (plugins, wasDirty) = (changes.arePluginsDirty, changes.isDirty)
        var failure: SessionError?
        (changes.isDirty, changes.arePluginsDirty) = (false, false)
        do throws(SessionError) {
            // Saved values that this machine could not apply are kept for a machine that can.
            let now = await live.snapshot(keeping: saved.links)
            var kept = absent
            saved.take(now, unbuilt: &kept.unbuilt, &kept.standing)
            absent = kept
            saved.used = try link(saved)
            // A plugin whose state cannot be saved must not block the rest.
            if plugins { do throws(SessionError) { try await live.savePlugins(in: path) } catch { failure = error } }
            try saved.write(to: path)
            try noteReach()
            for name in SceneFacts.names where name != saved.scene && saved.scenes[name] == nil {
                StateFolder.remove(path + "/" + SessionDocument.plugins(of: name), isFormer: SavedChains.isFormer)
            }
            if let failure { throw failure }
        } catch {
            (changes.isDirty, changes.arePluginsDirty) = (true, changes.arePluginsDirty || plugins)
            throw error
        }
        // Changes during the save have already called `hears`.
        if wasDirty, !changes.isDirty { changes.hears?(false) }
    }

    /// Records that this user has saved the folder, and the parts of its reach that were agreed to or typed.
    private func noteReach() throws(SessionError) {
        var known = KnownSessions()
        let reach = SessionReach(options: saved.options)
        try known.note(path, known.agreed(reach, in: path).union(SessionReach(options: typed).parts))
    }

    /// Saves, unless a session manager controls saving, stops, and releases the folder.
    package func close() async throws(SessionError) {
        ending?()
        ending = nil
        await live.hearLinks(nil)
        changes.timer?.cancel()
        changes.timer = nil
        defer { lock.release() }
        if autosaves { try await save() }
    }

    private func note(plugins: Bool) {
        if !changes.isDirty { changes.hears?(true) }
        changes.isDirty = true
        if plugins { changes.arePluginsDirty = true }
        saveSoon()
    }

    /// Marks a change of connections. Connections that are only being remade count as saved.
    private func noteLinks() async {
        guard ending != nil else { return }
        let now = await live.savedLinks(keeping: saved.links)
        if Set(SessionDocument.plain(now.links, now.client)) != Set(saved.links) { note(plugins: false) }
    }

    private func saveSoon() {
        guard changes.timer == nil, autosaves, ending != nil else { return }
        changes.timer = Task {
            try? await Task.sleep(for: .seconds(changes.patience))
            guard !Task.isCancelled else { return }
            await self.saveInTime()
        }
    }

    private func saveInTime() async {
        changes.timer = nil
        do throws(SessionError) {
            try await save()
            (changes.told, changes.patience) = (nil, Self.delay)
        } catch {
            if changes.told != error.description {
                tell(.note("session: \(error.description); it is tried again until it can be saved"))
            }
            changes.told = error.description
            changes.patience = min(Self.longestDelay, 2 * changes.patience)
            saveSoon()
        }
    }

    /// Links the files of options and scenes into the session's folder. Returns their paths and hashes.
    private func link(_ saved: SessionDocument) throws(SessionError) -> [String: SessionDocument.UsedFile] {
        let names = SessionFiles.named(by: saved)
        // The file of a changed option is dropped. A file that is missing here is kept for other machines.
        var used = saved.used.filter { names[$0.key]?.word == $0.value.named }
        for (key, name) in names {
            var (real, link): (String?, String?) = (nil, nil)
            if let place = absent.places[key], isStanding(place, key, name.word) {
                // The entry of a file whose replacement has other content stays, except for a control surface's map.
                guard place.isAsSaved || key == "surface" else { continue }
                (real, link) = (place.path, used[key]?.link)
            } else if case .at(let path) = FileName(name.word, of: name.option, in: path) {
                real = path
            }
            guard let real, let hash = SessionFiles.hash(of: real) else { continue }
            let own = key.replacing("/", with: "-").replacing(":", with: "-")
            let linkName = link ?? own + "-" + (real as NSString).lastPathComponent
            try point(linkName, to: real)
            var file = SessionDocument.UsedFile(path: real, hash: hash, link: linkName, named: name.word)
            file.others = used[key]?.others ?? [:]
            if name.option == "headphone-eq" { file.parts = try linkParts(of: real, beside: linkName) }
            used[key] = file
        }
        return used
    }

    /// Links the sound files that an equaliser's text names beside the link to the text. Returns their hashes.
    private func linkParts(of text: String, beside link: String) throws(SessionError) -> [String: String] {
        var parts: [String: String] = [:]
        for named in EqualiserResponses.named(in: text) {
            let real = EqualiserResponses.place(of: named, in: text)
            guard let hash = SessionFiles.hash(of: real) else { continue }
            try point(EqualiserResponses.folder(of: link) + "/" + EqualiserResponses.keptName(named), to: real)
            parts[named] = hash
        }
        return parts
    }

    /// Returns whether the replacement of a file is still in use: the stage may have been rebuilt with another file.
    private func isStanding(_ place: SessionFiles.Place, _ key: String, _ word: String) -> Bool {
        let choice = Parameter.choice(ofOption: key)
        guard choice != nil || key.contains("/") else { return true }
        return absent.standing.values.keys.contains(choice?.id ?? key) || place.path == word
    }

    /// Points a link in the session's folder to a file.
    private func point(_ name: String, to real: String) throws(SessionError) {
        let target = path + "/" + SessionDocument.files + "/" + name
        let folder = (target as NSString).deletingLastPathComponent
        for part in [path + "/" + SessionDocument.files, folder] where readlink(part) != nil {
            throw SessionError(.input, "\(part) is a symbolic link, which is not followed; remove it")
        }
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // A copy in place of the link is left.
        guard target != real, readlink(target) != real, !Self.isCopy(target) else { return }
        unlink(target)
        guard symlink(real, target) == 0 else {
            throw SessionError(.environment, "\(target) cannot be made: \(String(cString: strerror(errno)))")
        }
    }

    private func readlink(_ path: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    }

    private static func isCopy(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }
}

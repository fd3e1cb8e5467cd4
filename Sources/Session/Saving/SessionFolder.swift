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

/// A session's folder while the session runs: saved when something changed, at most every second, and at its end.
///
/// Whatever is cut off, the folder holds what was saved last, whole. What a session was told to have and could not have
/// on this machine stays in the folder, for another.
package actor SessionFolder {
    /// The folder.
    package nonisolated let path: String
    private let live: LiveSession
    private let desk: SessionDesk
    private let tell: @Sendable (SessionRemark) -> Void
    /// Keeps others from saving here.
    private let lock: SessionLock
    private var saved: SavedSession
    private var absent: Absent
    private var changes = Changes()
    private var ending: (@Sendable () -> Void)?
    /// Whether it is saved when something changed, and at its end; else only where that is asked for.
    private let autosaves: Bool
    /// Options that were typed, and addresses of what they say: it counts more than what was saved.
    private let typed: [String: JSONValue], said: Set<String>

    /// What was saved and is not so here.
    private struct Absent {
        /// Files that are not where they are named, by the keys of `SavedSession.used`.
        var places: [String: SessionFiles.Place]
        /// What is in force in place of what was saved.
        var standing = SavedSession.Standing()
        /// What was in force when values that were saved were refused or not understood, by address: as long as it is,
        /// these stay.
        var refusedValues: [String: ParameterValue?] = [:]
        /// Scenes that were saved and are not built, or not yet.
        var unbuilt: Set<String>
    }

    /// What changed since it was saved, and when it is saved again.
    private struct Changes {
        /// Whether anything changed, and whether plugins did.
        var isDirty = true, arePluginsDirty = true
        var isSaving = false
        var timer: Task<Void, Never>?
        /// Why it could not be saved last; told once.
        var told: String?
        /// Seconds until what could not be saved is tried again.
        var patience = SessionFolder.delay
        /// Told of unsaved changes (true), and that there are none (false).
        var hears: (@Sendable (Bool) -> Void)?
    }

    /// Seconds between a change and its being saved, and most between two tries where that fails.
    static let delay = 1.0, longestDelay = 30.0

    /// A folder for a session that plays; made where there is none.
    ///
    /// - Parameters:
    ///   - options: what was said on the command line, to be said again.
    ///   - lock: the folder, if it was taken already.
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
        var saved = try SavedSession(folder: path) ?? SavedSession()
        // What is typed takes the place of whatever stood there, wherever that was.
        var places = SessionFiles.find(saved, in: path).places
        for option in options.keys { places = places.filter { $0.key != option && !$0.key.hasPrefix(option + ":") } }
        saved.options.merge(options) { $1 }
        self.saved = saved
        absent = Absent(places: places, unbuilt: Set(saved.scenes.keys))
        (typed, said) = (options, SavedSession.said(by: options))
        self.autosaves = autosaves
    }

    /// Gives the session what the folder holds and it has not yet, and saves it from now on.
    package func open() async {
        await live.begin(inScene: saved.scene)
        let former = saved.former(but: said)
        for (address, refusal) in await live.takeUpRest(of: former) {
            absent.refusedValues.updateValue(nil, forKey: address)
            let value = former.values[address]?.written.joined(separator: " ") ?? ""
            // What was not changed is not missed.
            guard value != Parameter.standing(at: address)?.standard else { continue }
            tell(.note("session: \(address) \(value) is not done here: \(refusal)"))
        }
        if !saved.links.isEmpty { await live.connect(saved.links, of: saved.client) }
        await openScenes()
        await live.enterState()
        let values = desk.state.state.values
        for address in Array(absent.refusedValues.keys) + Array((saved.unread["state"] ?? [:]).keys) {
            absent.refusedValues.updateValue(values[address], forKey: address)
        }
        absent.standing.words.merge(saved.standing(for: values).words) { $1 }
        ending =
            desk.state.hear { [weak self] change in
                guard change.values.keys.contains(where: Self.isSaved) else { return }
                let plugins = change.values.keys.contains(where: Self.isOfPlugins)
                Task { await self?.note(plugins: plugins) }
            }.end
        await live.hearLinks { [weak self] in Task { await self?.noteLinks() } }
        // Where a session manager asks for saving, what was just opened is as it was saved.
        if autosaves { note(plugins: true) } else { changes.isDirty = false }
    }

    /// Whether what stands at an address is saved; facts of this session, as its server's, are not.
    private static func isSaved(_ address: String) -> Bool {
        isOfPlugins(address) || address == "scene" || StateAddress.isKept(address)
    }

    private static func isOfPlugins(_ address: String) -> Bool {
        address.hasPrefix("plugin/") || ["plugin-changes", "scenes"].contains(address)
    }

    /// Has the scenes built that are not heard.
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
        if let scenes = await live.snapshot(keeping: []).scenes {
            absent.standing.words.merge(saved.standing(forScenes: scenes).words) { $1 }
        }
    }

    /// Has `hears` told when there are unsaved changes and when there are none.
    package func watch(_ hears: @escaping @Sendable (Bool) -> Void) {
        changes.hears = hears
        if changes.isDirty, !autosaves { hears(true) }
    }

    /// Saves now.
    package func save() async throws(SessionError) {
        changes.timer?.cancel()
        changes.timer = nil
        // One at a time: a task that asks while another saves wants what changed since.
        while changes.isSaving { try? await Task.sleep(for: .milliseconds(5)) }
        changes.isSaving = true
        defer { changes.isSaving = false }
        let (plugins, wasDirty) = (changes.arePluginsDirty, changes.isDirty)
        var failure: SessionError?
        (changes.isDirty, changes.arePluginsDirty) = (false, false)
        do throws(SessionError) {
            take(await live.snapshot(keeping: saved.links))
            saved.used = try link(saved)
            // One that cannot tell its state keeps nothing else from being saved.
            if plugins { do throws(SessionError) { try await live.savePlugins(in: path) } catch { failure = error } }
            try saved.write(to: path)
            try noteReach()
            for name in SceneFacts.names where name != saved.scene && saved.scenes[name] == nil {
                StateFolder.remove(path + "/" + SavedSession.plugins(of: name), isFormer: SavedChains.isFormer)
            }
            if let failure { throw failure }
        } catch {
            (changes.isDirty, changes.arePluginsDirty) = (true, changes.arePluginsDirty || plugins)
            throw error
        }
        // What changed meanwhile was told.
        if wasDirty, !changes.isDirty { changes.hears?(false) }
    }

    /// Notes that the folder is this user's, with what of its reach was agreed to or typed.
    private func noteReach() throws(SessionError) {
        var known = KnownSessions()
        let reach = SessionReach(options: saved.options)
        try known.note(path, known.agreed(reach, in: path).union(SessionReach(options: typed).parts))
    }

    /// Takes up the present state. What this machine could not take is kept for one that can.
    private func take(_ now: LiveSession.Snapshot) {
        // Its own ports without their client's name: it may be called otherwise when it comes back.
        (saved.client, saved.links) = ("", Self.plain(now.links, now.client))
        saved.state = saved.state.filter { !$0.key.hasPrefix("plugin/") }
        for (address, value) in now.values where StateAddress.isKept(address) {
            if let then = absent.refusedValues[address] {
                if then == value { continue }
                absent.refusedValues[address] = nil
                saved.unread["state"]?[address] = nil
            }
            saved.state[address] = value
        }
        saved.modes = now.modes
        SavedTrackers.merge(now.trackers, into: &saved.trackers)
        if let scene = now.scene { saved.turn(to: scene, &absent.standing) }
        saved.takeMakings(&absent.standing)
        if let scene = now.scene, let scenes = now.scenes {
            absent.unbuilt.subtract(scenes.keys.map(\.self) + [scene])
            saved.take(scenes: scenes, unbuilt: absent.unbuilt, &absent.standing)
        }
    }

    /// Saves, unless a session manager asks for that, and hears no more; others may have the folder.
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

    /// Connections came or went; those that only come back are what was saved.
    private func noteLinks() async {
        guard ending != nil else { return }
        let now = await live.savedLinks(keeping: saved.links)
        if Set(Self.plain(now.links, now.client)) != Set(saved.links) { note(plugins: false) }
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

    /// Links to the files that options and scenes name, in the session's folder, and what is in them.
    private func link(_ saved: SavedSession) throws(SessionError) -> [String: SavedSession.UsedFile] {
        let names = SessionFiles.named(by: saved)
        // What is named otherwise by now is another; a file that is not here is kept for a machine that has it.
        var used = saved.used.filter { names[$0.key]?.word == $0.value.named }
        for (key, name) in names {
            var (real, link): (String?, String?) = (nil, nil)
            if let place = absent.places[key], isStanding(place, key, name.word) {
                // What was saved is another than what stands in for it, but for a map, which is learnt anew.
                guard place.isAsSaved || key == "surface" else { continue }
                (real, link) = (place.path, used[key]?.link)
            } else if case .at(let path) = FileName(name.word, of: name.option, in: path) {
                real = path
            }
            guard let real, let hash = SessionFiles.hash(of: real) else { continue }
            let own = key.replacing("/", with: "-").replacing(":", with: "-")
            let linkName = link ?? own + "-" + (real as NSString).lastPathComponent
            try point(linkName, to: real)
            var file = SavedSession.UsedFile(path: real, hash: hash, link: linkName, named: name.word)
            file.others = used[key]?.others ?? [:]
            if name.option == "headphone-eq" { file.parts = try linkParts(of: real, beside: linkName) }
            used[key] = file
        }
        return used
    }

    /// Links to the sound files that an equaliser's text names, beside the link to it, and what is in them.
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

    /// Whether what was found in place of a file still stands for it: what a stage is built of may have become another.
    private func isStanding(_ place: SessionFiles.Place, _ key: String, _ word: String) -> Bool {
        let isOfStage = ["hrtf", "room", "layout"].contains(key) || key.contains("/")
        return !isOfStage || absent.standing.words[key] != nil || place.path == word
    }

    /// Has a link in the session's folder lead to a file.
    private func point(_ name: String, to real: String) throws(SessionError) {
        let target = path + "/" + SavedSession.files + "/" + name
        let folder = (target as NSString).deletingLastPathComponent
        for part in [path + "/" + SavedSession.files, folder] where readlink(part) != nil {
            throw SessionError(.input, "\(part) is a symbolic link, which is not followed; take it away")
        }
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // A copy that was put there in place of the link is as good.
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

    /// The same with this session's ports without their client's name.
    private static func plain(_ links: [JACKLink], _ client: String) -> [JACKLink] {
        func plain(_ port: String) -> String {
            port.hasPrefix(client + ":") ? String(port.dropFirst(client.count)) : port
        }
        return links.map { JACKLink(from: plain($0.from), to: plain($0.to)) }
    }
}

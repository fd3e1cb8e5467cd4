import AudioIO
import Foundation
import Glibc
import Synchronization

/// A session's folder while the session runs: saved when something changed, at most every second, and at its end.
///
/// Whatever is cut off, the folder holds what was saved last, whole. What a session was told to have and could not have on
/// this machine stays in the folder, for another.
package actor SessionFolder {
    /// The folder.
    package nonisolated let path: String
    private let live: LiveSession
    private let desk: SessionDesk
    private let tell: @Sendable (SessionRemark) -> Void
    private var saved: SavedSession
    /// Options that may name files.
    private let fileOptions: Set<String>
    private var ending: (@Sendable () -> Void)?
    /// Whether something changed since it was saved, and whether plugins did.
    private var isDirty = true, arePluginsDirty = true
    private var isSaving = false
    private var timer: Task<Void, Never>?
    /// Scenes that were saved and are not built, or not yet.
    private var unbuilt: Set<String> = []
    /// Why it could not be saved last; told once.
    private var told: String?
    /// Hashes by path, size and time of change: a file is read once.
    private var hashes: [String: String] = [:]
    /// Told of unsaved changes (true), and that there are none (false).
    private var hearsDirt: (@Sendable (Bool) -> Void)?

    /// Seconds between a change and its being saved.
    static let delay = 1.0

    /// Whether it is saved when something changed, and at its end; else only where that is asked for.
    private let autosaves: Bool
    /// Names of options that were said now: they count more than what was saved.
    private let typed: Set<String>

    /// A folder for a session that plays; made where there is none. `options`: what was said on the command line, to be
    /// said again; `files`: which options name files.
    package init(
        _ path: String, of live: LiveSession, at desk: SessionDesk, options: [String: JSONValue], files: Set<String>,
        autosaves: Bool = true,
        tell: @escaping @Sendable (SessionRemark) -> Void
    ) throws(SessionError) {
        self.path = path
        self.live = live
        self.desk = desk
        self.tell = tell
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw SessionError(.environment, "\(path) cannot be made: \(error.localizedDescription)")
        }
        saved = try SavedSession(folder: path) ?? SavedSession()
        saved.options.merge(options) { $1 }
        unbuilt = Set(saved.scenes.keys)
        typed = Set(options.keys)
        fileOptions = files
        self.autosaves = autosaves
    }

    /// Gives the session what the folder holds, and saves it from now on.
    package func open() async {
        await live.begin(inScene: saved.scene)
        let wanted = saved.state.filter { address, _ in
            let parts = address.split(separator: "/")
            let isTyped = typed.contains(String(parts.last ?? "")) && (parts.count == 1 || parts[1] == "main")
            // What the plugins' own states hold they have already.
            return StateAddress.isSettable(address) && !address.hasPrefix("plugin/") && !isTyped
        }
        for (address, refusal) in await live.put(wanted.mapValues { $0 }) {
            let value = wanted[address]?.written.joined(separator: " ") ?? ""
            // What nobody had changed is missed by nobody.
            guard value != Parameter.standing(at: address)?.standard else { continue }
            tell(.note("session: \(address) \(value) is not done here: \(refusal)"))
        }
        if !saved.links.isEmpty { await live.connect(saved.links, of: saved.client) }
        await openScenes()
        await live.enterState()
        ending =
            desk.state.hear { [weak self] change in
                // How long a take is by now is not kept.
                guard !change.values.keys.allSatisfy({ $0.hasPrefix(StateAddress.record) }) else { return }
                let plugins = change.values.keys.contains {
                    $0.hasPrefix("plugin/") || ["plugin-changes", "scenes"].contains($0)
                }
                Task { await self?.note(plugins: plugins) }
            }.end
        // Where somebody else asks for saving, what was just opened is as it was saved.
        if autosaves { note(plugins: true) } else { isDirty = false }
    }

    /// Has the scenes built that are not heard.
    private func openScenes() async {
        for name in saved.scenes.keys.sorted() {
            let (values, remarks) = SessionFiles.find(scene: name, of: saved, in: path)
            for remark in remarks { tell(.note("session: \(remark)")) }
            do throws(SessionError) {
                let plugins = try SessionFiles.plugins(in: path, scene: name)
                guard let reason = await live.begin(scene: name, values, plugins: plugins) else {
                    unbuilt.remove(name)
                    continue
                }
                tell(.note("session: scene \(name) is not here: \(reason)"))
            } catch {
                tell(.note("session: scene \(name) is not here: \(error.description)"))
            }
        }
    }

    /// Has `hears` told when there are unsaved changes and when there are none.
    package func watch(_ hears: @escaping @Sendable (Bool) -> Void) {
        hearsDirt = hears
        if isDirty, !autosaves { hears(true) }
    }

    /// Saves now.
    package func save() async throws(SessionError) {
        timer?.cancel()
        timer = nil
        // One at a time: who asks while another saves wants what changed since.
        while isSaving { try? await Task.sleep(for: .milliseconds(5)) }
        isSaving = true
        defer { isSaving = false }
        let (plugins, wasDirty) = (arePluginsDirty, isDirty)
        var failure: SessionError?
        (isDirty, arePluginsDirty) = (false, false)
        do throws(SessionError) {
            let now = await live.snapshot()
            // Its own ports without their client's name: it may be called otherwise when it comes back.
            saved.client = ""
            saved.links = now.links.map { link in
                JACKLink(from: Self.plain(link.from, now.client), to: Self.plain(link.to, now.client))
            }
            // What this machine could not take is kept for one that can.
            saved.state = saved.state.filter { !$0.key.hasPrefix("plugin/") }
            saved.state.merge(now.values.filter { StateAddress.isKept($0.key) }) { $1 }
            saved.takeMakings()
            if let scene = now.scene, let scenes = now.scenes {
                saved.scene = scene
                unbuilt.subtract(scenes.keys.map(\.self) + [scene])
                saved.take(scenes: scenes, unbuilt: unbuilt)
            }
            saved.used = try link(saved)
            // One that cannot tell its state keeps nothing else from being saved.
            if plugins { do throws(SessionError) { try await live.savePlugins(in: path) } catch { failure = error } }
            try saved.write(to: path)
            for name in SceneFacts.names where name != saved.scene && saved.scenes[name] == nil {
                try? FileManager.default.removeItem(atPath: path + "/" + SavedSession.plugins(of: name))
            }
            if let failure { throw failure }
        } catch {
            (isDirty, arePluginsDirty) = (true, arePluginsDirty || plugins)
            throw error
        }
        // What changed meanwhile was told.
        if wasDirty, !isDirty { hearsDirt?(false) }
    }

    /// Saves, unless that is somebody else's to ask for, and hears no more.
    package func close() async throws(SessionError) {
        ending?()
        ending = nil
        if autosaves { try await save() }
    }

    private func note(plugins: Bool) {
        if !isDirty { hearsDirt?(true) }
        isDirty = true
        if plugins { arePluginsDirty = true }
        guard timer == nil, autosaves else { return }
        timer = Task {
            try? await Task.sleep(for: .seconds(Self.delay))
            guard !Task.isCancelled else { return }
            await self.saveInTime()
        }
    }

    private func saveInTime() async {
        timer = nil
        do throws(SessionError) {
            try await save()
            told = nil
        } catch {
            if told != error.description { tell(.note("session: \(error.description)")) }
            told = error.description
        }
    }

    /// Links to the files that options and scenes name, in the session's folder, and what is in them.
    private func link(_ saved: SavedSession) throws(SessionError) -> [String: SavedSession.UsedFile] {
        var (used, names) = (saved.used, [String: String]())
        for option in fileOptions { names[option] = saved.options[option]?.text }
        for (scene, values) in saved.scenes {
            for (id, value) in values where fileOptions.contains(SavedSession.option(of: id)) {
                names["\(scene)/\(id)"] = value.written.joined(separator: ",")
            }
        }
        // What is named otherwise by now is another; a file that is not here is kept for a machine that has it.
        used = used.filter { names[$0.key] == $0.value.named }
        for (option, named) in names {
            guard let real = Self.file(named) else { continue }
            let name = option.replacing("/", with: "-") + "-" + (real as NSString).lastPathComponent
            guard let hash = hash(of: real) else { continue }
            let folder = path + "/" + SavedSession.files
            let target = folder + "/" + name
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // A copy that somebody put there in place of the link is as good.
            if readlink(target) != real, !Self.isCopy(target) {
                unlink(target)
                guard symlink(real, target) == 0 else {
                    throw SessionError(.environment, "\(target) cannot be made: \(String(cString: strerror(errno)))")
                }
            }
            used[option] = SavedSession.UsedFile(path: real, hash: hash, link: name, named: named)
        }
        return used
    }

    private func hash(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let key = "\(path) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        if let known = hashes[key] { return known }
        guard let found = SessionFiles.hash(of: path) else { return nil }
        hashes[key] = found
        return found
    }

    private func readlink(_ path: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    }

    private static func isCopy(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// A port's name without its client's, where that is ours.
    private static func plain(_ port: String, _ client: String) -> String {
        port.hasPrefix(client + ":") ? String(port.dropFirst(client.count)) : port
    }

    /// The absolute path of a file that is there; nil for what is none, as a set's or a room's name.
    private static func file(_ named: String) -> String? {
        var status = stat()
        guard stat(named, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return URL(fileURLWithPath: named).standardizedFileURL.path
    }
}

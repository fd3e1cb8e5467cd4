import CLilv
import CPlugins
import Foundation
import Synchronization

/// The folder in which an instance keeps files it makes while it sounds; made when it first asks, gone with it.
final class LV2ScratchFolder: Sendable {
    /// Where it is, or would be.
    let path: String
    private let isMade = Mutex(false)
    /// What the plugin asks with; the addresses of `LV2_State_Make_Path` and its like as numbers.
    private let addresses: [(uri: String, address: UInt)]

    /// A folder of its own below the system's temporary one, asked for through an instance's memory.
    init(_ memory: LV2Memory) {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("plugin-\(UUID().uuidString)").path
        let make = memory.one(LV2_State_Make_Path(handle: nil, path: nil))
        let map = memory.one(LV2_State_Map_Path(handle: nil, abstract_path: nil, absolute_path: nil))
        let free = memory.one(LV2_State_Free_Path(handle: nil) { _, path in Glibc.free(path) })
        addresses = [
            (URIs.state + "makePath", UInt(bitPattern: make)), (URIs.state + "mapPath", UInt(bitPattern: map)),
            (URIs.state + "freePath", UInt(bitPattern: free)),
        ]
        let handle = Unmanaged.passUnretained(self).toOpaque()
        make.pointee = LV2_State_Make_Path(handle: handle) { handle, name in
            guard let handle, let name else { return nil }
            let folder = Unmanaged<LV2ScratchFolder>.fromOpaque(handle).takeUnretainedValue()
            return folder.file(String(cString: name)).flatMap { strdup($0) }
        }
        // Outside a save or a restore a path stands for itself.
        map.pointee = LV2_State_Map_Path(
            handle: handle, abstract_path: { _, path in path.flatMap { strdup($0) } },
            absolute_path: { _, path in path.flatMap { strdup($0) } })
    }

    /// The features that offer it.
    var features: [(uri: String, data: UnsafeMutableRawPointer?)] {
        addresses.map { ($0.uri, UnsafeMutableRawPointer(bitPattern: $0.address)) }
    }

    /// The absolute path of a file in it, whose folders are made; nil where that fails or the name leads out of it.
    private func file(_ name: String) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: true)
        guard !name.hasPrefix("/"), !parts.isEmpty, !parts.contains("..") else { return nil }
        let file = URL(fileURLWithPath: path).appendingPathComponent(name)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch { return nil }
        isMade.withLock { $0 = true }
        return file.path
    }

    /// Removes it with all that is in it.
    func remove() {
        if isMade.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
    }
}

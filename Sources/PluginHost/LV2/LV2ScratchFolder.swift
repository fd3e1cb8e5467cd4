import CLilv
import CPlugins
import Foundation
import Takes

/// Folder for files that an instance creates while it runs. The folder is created at the first request, and removed
/// when the instance's memory is freed or the process ends. The plugin has the address of this object, which therefore
/// exists as long as that memory.
final class LV2ScratchFolder: Sendable {
    private let folder = TemporaryFolder()
    /// Path of the folder, whether or not it exists.
    var path: String { folder.path + "/files" }
    /// Features for the plugin: addresses of `LV2_State_Make_Path` and similar structures as numbers.
    private let addresses: [(uri: String, address: UInt)]

    /// Chooses a unique path in the system's temporary folder. The features are in an instance's memory.
    init(_ memory: LV2Memory) {
        let make = memory.one(LV2_State_Make_Path(handle: nil, path: nil))
        let map = memory.one(LV2_State_Map_Path(handle: nil, abstract_path: nil, absolute_path: nil))
        let free = memory.one(LV2_State_Free_Path(handle: nil) { _, path in Glibc.free(path) })
        addresses = [
            (URIs.state + "makePath", UInt(bitPattern: make)), (URIs.state + "mapPath", UInt(bitPattern: map)),
            (URIs.state + "freePath", UInt(bitPattern: free)),
        ]
        let owned = Unmanaged.passRetained(self)
        memory.whenFreed { owned.release() }
        let handle = owned.toOpaque()
        make.pointee = LV2_State_Make_Path(handle: handle) { handle, name in
            guard let handle, let name else { return nil }
            let folder = Unmanaged<LV2ScratchFolder>.fromOpaque(handle).takeUnretainedValue()
            return folder.file(String(cString: name)).flatMap { strdup($0) }
        }
        // Except during saving and restoring, a path maps to itself.
        map.pointee = LV2_State_Map_Path(
            handle: handle, abstract_path: { _, path in path.flatMap { strdup($0) } },
            absolute_path: { _, path in path.flatMap { strdup($0) } })
    }

    /// Features that offer the folder to the plugin.
    var features: [(uri: String, data: UnsafeMutableRawPointer?)] {
        addresses.map { ($0.uri, UnsafeMutableRawPointer(bitPattern: $0.address)) }
    }

    /// Returns the absolute path of a file in the folder and creates its parent folders. Nil if that fails or if the
    /// name leads out of the folder.
    private func file(_ name: String) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: true)
        guard !name.hasPrefix("/"), !parts.isEmpty, !parts.contains("..") else { return nil }
        let file = URL(fileURLWithPath: path).appendingPathComponent(name)
        do {
            try folder.make()
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch { return nil }
        return file.path
    }
}

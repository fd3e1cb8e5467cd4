import CLilv
import CPlugins
import Glibc
import Synchronization

/// Numbers for URIs, one map for the whole program: what plugins, their messages and their state name things by.
///
/// A number, once given, stands for the same URI until the program ends, and so does the text it is given back by. Any
/// thread; takes a lock, so plugins ask before they sound.
final class URIDMap: Sendable {
    /// The program's map.
    static let shared = URIDMap()

    private struct Names: ~Copyable {
        var numbers: [String: UInt32] = [:]
        /// Text of number n at n − 1; never freed, since plugins may keep it.
        var texts: [UnsafeMutablePointer<CChar>] = []
    }
    private let names = Mutex(Names())

    /// The number of a URI; never 0.
    func callAsFunction(_ uri: String) -> UInt32 {
        names.withLock { names in
            if let number = names.numbers[uri] { return number }
            guard let text = strdup(uri) else { return 0 }
            names.texts.append(text)
            let number = UInt32(names.texts.count)
            names.numbers[uri] = number
            return number
        }
    }

    /// The URI of a number; nil where none was asked for.
    func uri(of number: UInt32) -> String? { text(of: number).map { String(cString: $0) } }

    private func text(of number: UInt32) -> UnsafePointer<CChar>? {
        names.withLock { names in
            let index = Int(number) - 1
            // The address leaves the lock as a number: it is never freed.
            return names.texts.indices.contains(index) ? UInt(bitPattern: names.texts[index]) : nil
        }.flatMap { UnsafePointer(bitPattern: $0) }
    }

    /// What a plugin maps with; valid as long as the program runs.
    var mapping: LV2_URID_Map {
        LV2_URID_Map(handle: Unmanaged.passUnretained(self).toOpaque()) { handle, uri in
            guard let handle, let uri else { return 0 }
            return Unmanaged<URIDMap>.fromOpaque(handle).takeUnretainedValue()(String(cString: uri))
        }
    }

    /// What a plugin maps back with; valid as long as the program runs.
    var unmapping: LV2_URID_Unmap {
        LV2_URID_Unmap(handle: Unmanaged.passUnretained(self).toOpaque()) { handle, number in
            guard let handle else { return nil }
            return Unmanaged<URIDMap>.fromOpaque(handle).takeUnretainedValue().text(of: number)
        }
    }
}

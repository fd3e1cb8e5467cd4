import CLilv
import CPlugins
import Glibc
import Synchronization

/// Map from URIs to numbers and back, one for the whole program. Plugins, their messages and their states use the
/// numbers.
///
/// A number and the address of its URI's text stay valid until the program ends. Any thread may use the map. It takes a
/// lock, so plugins must map URIs before they process sound.
final class URIDMap: Sendable {
    /// Map of the program.
    static let shared = URIDMap()

    private struct Names: ~Copyable {
        var numbers: [String: UInt32] = [:]
        /// Text of number n, at index n − 1. Texts are never freed, because plugins may keep their addresses.
        var texts: [UnsafeMutablePointer<CChar>] = []
    }
    private let names = Mutex(Names())

    /// Returns the number of a URI, from 1; 0 if memory is exhausted.
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

    /// Returns the URI of a number; nil for an unassigned number.
    func uri(of number: UInt32) -> String? { text(of: number).map { String(cString: $0) } }

    private func text(of number: UInt32) -> UnsafePointer<CChar>? {
        names.withLock { names in
            let index = Int(number) - 1
            // The address is returned from the lock as an integer. The text is never freed.
            return names.texts.indices.contains(index) ? UInt(bitPattern: names.texts[index]) : nil
        }.flatMap { UnsafePointer(bitPattern: $0) }
    }

    /// Feature with which a plugin maps URIs; valid as long as the program runs.
    var mapping: LV2_URID_Map {
        LV2_URID_Map(handle: Unmanaged.passUnretained(self).toOpaque()) { handle, uri in
            guard let handle, let uri else { return 0 }
            return Unmanaged<URIDMap>.fromOpaque(handle).takeUnretainedValue()(String(cString: uri))
        }
    }

    /// Feature with which a plugin maps numbers back; valid as long as the program runs.
    var unmapping: LV2_URID_Unmap {
        LV2_URID_Unmap(handle: Unmanaged.passUnretained(self).toOpaque()) { handle, number in
            guard let handle else { return nil }
            return Unmanaged<URIDMap>.fromOpaque(handle).takeUnretainedValue().text(of: number)
        }
    }
}

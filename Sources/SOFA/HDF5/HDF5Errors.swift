import CHDF5
import Glibc

/// HDF5's error stack of the calling thread. Its messages are quoted in errors, and never printed.
enum HDF5Errors {
    /// Stops HDF5 from printing on this thread, and clears older errors.
    static func silence() {
        // All objects are closed one by one. A damaged file may leave an object that cannot be closed. If the library
        // tried to close this object at the end of the process, it would access invalid memory.
        H5dont_atexit()
        H5open()
        H5Eset_auto2(0, nil, nil)
        H5Eclear2(0)
    }

    /// Returns HDF5's innermost error message and clears the stack.
    static func take() -> String {
        var message = ""
        withUnsafeMutablePointer(to: &message) { pointer in
            _ = H5Ewalk2(
                0, H5E_WALK_UPWARD,
                { _, record, context in
                    guard let record, let context else { return 0 }
                    let message = context.assumingMemoryBound(to: String.self)
                    if message.pointee.isEmpty, let text = record.pointee.desc {
                        message.pointee = String(cString: text)
                    }
                    return 0
                }, pointer)
        }
        H5Eclear2(0)
        return message.isEmpty ? "HDF5 gives no reason" : message
    }
}

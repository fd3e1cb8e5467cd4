import Foundation

/// Prints a line on standard error.
func say(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
}

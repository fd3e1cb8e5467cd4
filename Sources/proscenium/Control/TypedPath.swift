import ArgumentParser
import Gate

/// Paths that are typed for a session, which may stand in another folder.
enum TypedPath {
    /// The whole path from where it is typed.
    ///
    /// - Throws: `ValidationError` where it is none, or its folder is not there.
    static func whole(_ said: String) throws -> String {
        do throws(PathRefusal) { return try PathText.resolved(said) } catch {
            throw ValidationError(error.description)
        }
    }
}

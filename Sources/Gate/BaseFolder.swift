/// A folder of the XDG Base Directory Specification 0.8, by the variable that names it.
///
/// By the specification a relative path in a variable is invalid. It is ignored, as is an empty text: the caller's
/// default is then in force.
package enum BaseFolder: String, CaseIterable, Sendable {
    /// The user's settings.
    case config = "XDG_CONFIG_HOME"
    /// The user's own data.
    case data = "XDG_DATA_HOME"
    /// What the program keeps from one run to the next.
    case state = "XDG_STATE_HOME"
    /// Files that the program can make again.
    case cache = "XDG_CACHE_HOME"
    /// Sockets and locks, until the user logs out.
    case runtime = "XDG_RUNTIME_DIR"

    /// Returns the folder that an environment names; nil if it names none.
    package func named(in environment: [String: String]) -> String? { named { environment[$0] } }

    /// Returns the folder that the environment names; nil if it names none.
    ///
    /// - Parameter value: returns the value of an environment variable.
    package func named(where value: (String) -> String?) -> String? { value(rawValue).flatMap(Self.absolute) }

    /// Returns the folders of shared data, `XDG_DATA_DIRS`, in their order.
    package static func sharedData(in environment: [String: String]) -> [String] {
        let named = (environment["XDG_DATA_DIRS"] ?? "").split(separator: ":").compactMap { absolute(String($0)) }
        return named.isEmpty ? ["/usr/local/share", "/usr/share"] : named
    }

    private static func absolute(_ path: String) -> String? { path.hasPrefix("/") ? path : nil }
}

import Loading

/// Findings on devices that may be trackers, and on ports.
extension Doctor {
    static func devices(_ facts: MachineFacts) -> [Finding] {
        guard !facts.devices.isEmpty else { return [Finding("trackers", "none is plugged in (serial line or HID)")] }
        return facts.devices.map { device in
            device.isOpenable
                ? Finding("trackers", "\(device.tracker) may be opened")
                : Finding("trackers", .warning, "\(device.tracker) may not be opened", cure: access(to: device, facts))
        }
    }

    private static func access(to device: MachineFacts.Device, _ facts: MachineFacts) -> NextStep {
        // Only root may open a HID device, unless a rule gives it to the user at the screen.
        guard device.tracker.hasPrefix("serial:"), device.group != "root", !device.group.isEmpty else {
            let kind = device.tracker.hasPrefix("serial:") ? "tty" : "hidraw"
            return NextStep(
                "\(device.tracker) belongs to root. This rule gives such devices to the user at the screen; plug it in again.",
                #"echo 'SUBSYSTEM==""# + kind
                    + #"", TAG+="uaccess"' | sudo tee /etc/udev/rules.d/70-trackers.rules && sudo udevadm control --reload"#
            )
        }
        return facts.groups.contains(device.group)
            ? NextStep(
                "You are in the group '\(device.group)', but you logged in before you joined it. This opens a shell with the group; or log in again.",
                ShellLine(["newgrp", device.group]).text)
            : NextStep(
                "\(device.tracker) belongs to the group '\(device.group)'. Log in again afterwards.",
                "sudo usermod -aG \(ShellLine([device.group]).text) $USER")
    }

    static func ports(_ facts: MachineFacts) -> [Finding] {
        usualPorts.map { port, use in
            let subject = portSubject + String(port)
            guard facts.busyPorts.contains(port) else { return Finding(subject, "free (\(use))") }
            let session = facts.sessions.isEmpty ? "" : "; a session runs"
            return Finding(
                subject, .warning, "in use (\(use))\(session)",
                cure: NextStep(
                    "Port \(port) (\(use)) is in use. This names the program; stop it, or use another port.",
                    "ss -\(port == panelPort ? "t" : "u")lpn 'sport = :\(port)'"))
        }
    }
}

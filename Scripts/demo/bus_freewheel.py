"""The bus ride on the clock of the sound: the same packets and head tracking, without a server and without waiting.

The trackers' packets are written with the times of their arrival. `proscenium demo follow` passes them through
decoders, clocks, filters and forecasts as a session does, and prints the head's pose at each time at which a stage
would read it. The scene is rendered with those poses, and the voice for the judge with the same, as after a ride in
real time.
"""

import os
import sys

import processes
from bus_clients import CLIENTS, LEAD, PERIOD, RATE, REST, write_run

HERE = os.path.dirname(os.path.abspath(__file__))
#: Seconds after the start of the stream at which the head is recentred, as in the ride in real time.
RECENTRE = 1.0


def ride(program, folder, seconds, why):
    """Writes poses and sound of every client to FOLDER."""
    packets = f"{folder}/packets"
    os.makedirs(packets, exist_ok=True)
    with processes.Progress("riding in freewheel") as progress:
        length = ["--seconds", seconds]
        processes.run([sys.executable, f"{HERE}/send_motion.py", f"{folder}/motion", "--packets", f"{packets}/fused-", "--start",
                       LEAD, *length], "making the fused trackers' packets")
        processes.run([sys.executable, f"{HERE}/send_imu.py", f"{folder}/motion", "--packets", f"{packets}/raw-", "--begin",
                       LEAD - REST, "--start", LEAD, *length], "making the raw sensors' packets")
        # No port is opened: the number only completes the tracker's name.
        kinds = {
            "head-only": ["--head", "osc:1", "--head-packets", f"{packets}/fused-head.csv"],
            "ours": ["--head", "osc:1", "--head-packets", f"{packets}/fused-head.csv", "--device", "opentrack:1",
                     "--device-packets", f"{packets}/fused-device.csv"],
            "imu": ["--head", "serial:head,ximu3", "--head-packets", f"{packets}/raw-head.csv", "--device", "udp:1",
                    "--device-packets", f"{packets}/raw-device.csv"]}

        def board(name):
            poses = f"{folder}/{name}-poses.csv"
            if CLIENTS[name]:
                processes.run([program, "demo", "follow", "-y", poses, *kinds[name], "--recentre-at", RECENTRE, "--rate", RATE,
                               "--period", PERIOD, "--seconds", LEAD + seconds + 1], f"tracking for '{name}'")
            else:
                with open(poses, "w") as file:
                    file.write("t,w,x,y,z\n0,1,0,0,0\n")
            processes.run([program, "render", "-y", f"{folder}/scene.wav", f"{folder}/{name}.wav", "--layout", "7.1.4", "--poses",
                           poses], f"rendering '{name}'")

        processes.in_pairs(board, list(CLIENTS), lambda done: progress.tell(f"{done} of {len(CLIENTS)}"))
    write_run(folder, {"ride": f"in freewheel, on the clock of the sound ({why})", "period": f"{PERIOD} frames at {RATE / 1000:g} kHz"},
              {name: {"motion_start": LEAD} for name in CLIENTS}, None)

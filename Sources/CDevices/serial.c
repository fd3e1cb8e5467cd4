// <asm/termbits.h> has termios2 and cannot be included beside <termios.h>.
#include "devices.h"
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int set(int descriptor, uint32_t baud) {
    struct termios2 line;
    if (ioctl(descriptor, TCGETS2, &line) < 0) return -errno;
    line.c_iflag = IGNBRK;
    line.c_oflag = 0;
    line.c_lflag = 0;
    line.c_cflag = CS8 | CREAD | CLOCAL | BOTHER | (BOTHER << IBSHIFT);
    line.c_ispeed = baud;
    line.c_ospeed = baud;
    for (int i = 0; i < NCCS; i++) line.c_cc[i] = 0;
    line.c_cc[VMIN] = 1;
    if (ioctl(descriptor, TCSETS2, &line) < 0) return -errno;
    if (ioctl(descriptor, TCGETS2, &line) < 0) return -errno;
    // Drivers take the nearest speed they have: 3 % is what a start bit's timing forgives.
    if (line.c_ospeed < baud * 0.97 || line.c_ospeed > baud * 1.03) return -EINVAL;
    return 0;
}

int pcd_serial_open(const char *path, uint32_t baud) {
    int descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    int result = set(descriptor, baud);
    if (result < 0) {
        close(descriptor);
        return result;
    }
    ioctl(descriptor, TIOCEXCL);
    ioctl(descriptor, TCFLSH, TCIFLUSH);
    return descriptor;
}

int pcd_serial_speed(int descriptor, uint32_t baud) {
    int result = set(descriptor, baud);
    if (result == 0) ioctl(descriptor, TCFLSH, TCIFLUSH);
    return result;
}

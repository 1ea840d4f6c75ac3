package netlab

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Avahi is an avahi-daemon that runs in a host, with a message bus of its own
// in a mount namespace of its own.
type Avahi struct {
	host   *Host
	daemon *Process
}

// avahi starts both. The shell is the process that a client enters the
// namespaces of.
const avahi = `
mount --make-rprivate / && mount -t tmpfs tmpfs /run && mkdir -p /run/dbus /run/avahi-daemon || exit 1
cat >/run/avahi.conf <<END
[server]
host-name=%s
use-ipv4=%s
use-ipv6=%s
ratelimit-interval-usec=1000000
ratelimit-burst=1000
[wide-area]
enable-wide-area=no
END
dbus-daemon --system --nofork --nopidfile & bus=$!
for i in $(seq 100); do [ -S /run/dbus/system_bus_socket ] && break; sleep 0.05; done
avahi-daemon --no-drop-root --no-chroot --no-rlimits -f /run/avahi.conf & daemon=$!
trap 'kill $daemon; wait $daemon; kill $bus; wait $bus; exit 0' TERM
wait $daemon
kill $bus
`

// NeedAvahi skips the test where Avahi is not installed.
func NeedAvahi(t testing.TB) {
	t.Helper()
	for _, program := range []string{"avahi-daemon", "avahi-publish", "avahi-browse", "dbus-daemon", "nsenter", "unshare"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("SKIPPED: no %s here; install avahi-daemon avahi-utils dbus util-linux", program)
		}
	}
}

// StartAvahi starts avahi-daemon in the host, under the host's name, and waits
// until it is ready. It skips the test where Avahi is not installed.
func (h *Host) StartAvahi(t testing.TB, name string, ipv4, ipv6 bool) *Avahi {
	t.Helper()
	NeedAvahi(t)
	yes := map[bool]string{true: "yes", false: "no"}
	script := fmt.Sprintf(avahi, name, yes[ipv4], yes[ipv6])
	a := &Avahi{h, h.Start(t, "unshare", "-m", "sh", "-c", script)}
	if !a.daemon.Await("startup complete", 15*time.Second) {
		t.Fatalf("avahi-daemon does not start:\n%s", a.daemon.Output())
	}
	return a
}

// Start starts a client of the daemon, such as avahi-publish.
func (a *Avahi) Start(t testing.TB, name string, args ...string) *Process {
	t.Helper()
	pid := fmt.Sprint(a.daemon.Cmd.Process.Pid)
	return a.host.Start(t, "nsenter", append([]string{"-t", pid, "-m", "-n", name}, args...)...)
}

// Run runs a client to its end and returns what it printed.
func (a *Avahi) Run(t testing.TB, name string, args ...string) string {
	t.Helper()
	p := a.Start(t, name, args...)
	<-p.ended
	return p.Output()
}

// Stop stops the daemon.
func (a *Avahi) Stop(t testing.TB) { a.daemon.Stop(t) }

// Unescape undoes the numbers that Avahi's tools print in names: \032 for a
// space.
func Unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) && isDigits(s[i+1:i+4]) {
			b.WriteByte((s[i+1]-'0')*100 + (s[i+2]-'0')*10 + s[i+3] - '0')
			i += 3
			continue
		}
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func isDigits(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

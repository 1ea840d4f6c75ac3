package conform_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
)

// A cable that is plugged in while we run is used: what is announced on it is
// found, what was known by one that is pulled is gone, and an address leads to
// the host's name, for Avahi too.
func TestCablesThatArePluggedInAndPulled(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 2)
	a.IP(t, "link set v1 down")
	ours := a.Start(t, build(t), "register", "-host", "ours", odd, "_http._tcp", "8080")
	browse := b.Start(t, build(t), "browse", "-json", "_http._tcp")
	second := a.Links[1].IPv4.Addr().String()
	await(t, browse, "the first link", func(f found) bool {
		return f.Instance == odd && strings.Contains(fmt.Sprint(f.Addrs), a.Links[0].IPv4.Addr().String())
	})
	if strings.Contains(browse.Output(), second) {
		t.Errorf("the address of a link that is down is found:\n%s", browse.Output())
	}
	a.IP(t, "link set v1 up")
	await(t, browse, "the second link", func(f found) bool { return f.Instance == odd && strings.Contains(fmt.Sprint(f.Addrs), second) })
	if out := b.Run(t, build(t), "lookup", "-json", second); len(lines(out)) != 1 || lines(out)[0].Host != "ours.local" {
		t.Errorf("lookup of %s: %s", second, out)
	}
	seen := len(lines(browse.Output()))
	b.IP(t, "link set v0 down")
	if !browse.AwaitFunc(func(out string) bool {
		all := lines(out)
		last := all[len(all)-1]
		return len(all) > seen && !strings.Contains(fmt.Sprint(last.Addrs), a.Links[0].IPv4.Addr().String()) && strings.Contains(fmt.Sprint(last.Addrs), second)
	}, 20*time.Second) {
		t.Errorf("the addresses of a link that went are still there:\n%s", browse.Output())
	}
	b.IP(t, "link set v0 up")
	daemon := b.StartAvahi(t, "theirs", true, true)
	for _, addr := range []string{a.Links[0].IPv4.Addr().String(), second} {
		if out := daemon.Run(t, "avahi-resolve", "-a", addr); !strings.Contains(out, "ours.local") {
			t.Errorf("avahi-resolve -a %s: %s", addr, out)
		}
	}
	ours.Stop(t)
}

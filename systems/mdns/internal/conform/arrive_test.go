package conform_test

import (
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/internal/conform"
	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
)

// On a cable that is plugged in, a host's name is heard first in three probes,
// though the host gets another address on its other cable at the same time and
// is asked for its name all the while.
func TestACableThatIsPluggedInHearsProbesFirst(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 2)
	a.IP(t, "link set v1 down")
	ours := a.Start(t, build(t), "register", "-json", "-host", "ours", "Page", "_http._tcp", "8080")
	await(t, ours, "registered", func(f found) bool { return f.Event == "registered" })
	time.Sleep(4 * time.Second) // its announcements are over
	for _, ipv6 := range []bool{false, true} {
		x := conform.NewTesterOn(t, b, a, ipv6, 1)
		if ipv6 {
			a.IP(t, "link set v1 down")
			time.Sleep(time.Second)
		}
		start := time.Now()
		a.IP(t, "addr add 10.99.0.77/24 dev v0")
		a.IP(t, "link set v1 up")
		if ipv6 { // the address went with the link
			a.IP(t, "addr add "+a.Links[1].IPv6.String()+"/64 dev v1 nodad")
		}
		for range 40 {
			x.Send(t, conform.Query("ours.local. A", "ours.local. AAAA", "Page._http._tcp.local. SRV"))
			time.Sleep(50 * time.Millisecond)
		}
		for _, name := range []string{"ours.local.", "Page._http._tcp.local."} {
			var probes []conform.Packet
			said := false
			for _, p := range x.Since(start) {
				switch {
				case conform.Probes(p, name):
					probes = append(probes, p)
				case !said && conform.Says(p, name):
					said = true
					if len(probes) != 3 || p.At.Sub(probes[2].At) < 200*time.Millisecond {
						t.Errorf("IPv6 %v: %s is said after %d probes:\n%v", ipv6, name, len(probes), p.Msg)
					}
				}
			}
			if !said {
				t.Errorf("IPv6 %v: %s is never said, %d probes", ipv6, name, len(probes))
			}
		}
		a.IP(t, "addr del 10.99.0.77/24 dev v0")
	}
}

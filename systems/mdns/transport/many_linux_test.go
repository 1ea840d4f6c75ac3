package transport_test

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// A socket may join 20 groups. A host with more interfaces, as each that runs
// containers, is heard on all of them, on those that come later and after others
// have gone, and hears each packet once.
func TestMoreInterfacesThanMembershipsOfASocket(t *testing.T) {
	const links = 25
	a, b := netlab.Pair(t, links)
	b.IP(t, "link set v24 down") // comes later
	var here, there *transport.Conn
	for _, side := range []struct {
		host *netlab.Host
		conn **transport.Conn
	}{{a, &here}, {b, &there}} {
		side.host.Do(t, func() {
			c, err := transport.Listen(t.Context(), transport.Config{})
			if err != nil {
				t.Error(err)
				return
			}
			t.Cleanup(func() { c.Close() })
			*side.conn = c
		})
	}
	if t.Failed() {
		return
	}
	// heard sends a packet by each link and family, and returns the links on which
	// both came. lost is what did not, or more than once. It waits for those of all
	// links that are up, and then a moment for what comes twice.
	heard := func(round string, up int) (both []string, lost []string) {
		for _, l := range a.Links {
			for _, v6 := range []bool{false, true} {
				_ = here.SendGroup(l.Index, v6, fmt.Appendf(nil, "%s %s %v", round, l.Name, v6))
			}
		}
		counts := map[string]int{}
		for {
			wait := 10 * time.Second
			if len(counts) == 2*up {
				wait = 300 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), wait)
			data, meta, err := there.ReceiveCopy(ctx)
			cancel()
			if err != nil {
				break
			}
			f := strings.Fields(string(data))
			i := slices.IndexFunc(b.Links, func(l netlab.Link) bool { return l.Name == f[1] })
			if f[0] != round || meta.IfIndex != b.Links[i].Index {
				t.Errorf("%q came on interface %d", data, meta.IfIndex)
			}
			counts[f[1]+" "+f[2]]++
		}
		for _, l := range b.Links {
			if counts[l.Name+" false"] == 1 && counts[l.Name+" true"] == 1 {
				both = append(both, l.Name)
			} else {
				lost = append(lost, fmt.Sprintf("%s: IPv4 %d, IPv6 %d", l.Name, counts[l.Name+" false"], counts[l.Name+" true"]))
			}
		}
		return both, lost
	}
	refresh := func() {
		b.Do(t, func() { // the system's list is that of the thread's namespace
			if _, err := there.Refresh(); err != nil {
				t.Error(err)
			}
		})
	}
	if both, lost := heard("first", links-1); len(both) != links-1 {
		t.Errorf("heard on %d of %d links that are up; %v", len(both), links-1, lost)
	}
	up := func(name string) {
		b.IP(t, "link set "+name+" up")
		i := slices.IndexFunc(b.Links, func(l netlab.Link) bool { return l.Name == name })
		b.IP(t, fmt.Sprintf("addr add %v/64 dev %s nodad", b.Links[i].IPv6, name)) // it went with the link
		// The system tells its own parts of the link a little later.
		for _, host := range []*netlab.Host{a, b} {
			host.Do(t, func() {
				running := func() bool {
					l, err := net.InterfaceByName(name)
					return err == nil && l.Flags&net.FlagRunning != 0
				}
				for end := time.Now().Add(10 * time.Second); !running() && time.Now().Before(end); {
					time.Sleep(10 * time.Millisecond)
				}
			})
		}
	}
	// One comes and, of those that the first socket has joined, some go.
	up("v24")
	for _, gone := range []string{"v3", "v4", "v5"} {
		b.IP(t, "link set "+gone+" down")
	}
	refresh()
	if both, lost := heard("second", links-3); len(both) != links-3 {
		t.Errorf("after a change heard on %d of %d links that are up; %v", len(both), links-3, lost)
	}
	for _, back := range []string{"v3", "v4", "v5"} {
		up(back)
	}
	refresh()
	if both, lost := heard("third", links); len(both) != links {
		t.Errorf("at the end heard on %d of %d links; %v", len(both), links, lost)
	}
}

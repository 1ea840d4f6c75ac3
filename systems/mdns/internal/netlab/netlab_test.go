package netlab_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
)

func TestHostsReachEachOtherAndNothingElse(t *testing.T) {
	a, b := netlab.Pair(t, 2)
	var listener net.PacketConn
	b.Do(t, func() {
		var err error
		if listener, err = net.ListenPacket("udp", ":7777"); err != nil {
			t.Error(err)
		}
	})
	if t.Failed() {
		return
	}
	defer listener.Close()
	for l := range 2 {
		a.Do(t, func() {
			for _, to := range []string{b.Links[l].IPv4.Addr().String(), b.Links[l].IPv6.WithZone(a.Links[l].Name).String()} {
				c, err := net.Dial("udp", net.JoinHostPort(to, "7777"))
				if err != nil {
					t.Error(err)
					continue
				}
				c.Write([]byte("hello"))
				c.Close()
			}
		})
	}
	buf := make([]byte, 10)
	for range 4 {
		listener.SetReadDeadline(time.Now().Add(5 * time.Second))
		if n, _, err := listener.ReadFrom(buf); err != nil || string(buf[:n]) != "hello" {
			t.Errorf("%q, %v", buf[:n], err)
		}
	}
	if out := a.Run(t, "ip", "-br", "link"); strings.Count(out, "\n") != 3 {
		t.Errorf("a host has other interfaces than lo, v0 and v1:\n%s", out)
	}
}

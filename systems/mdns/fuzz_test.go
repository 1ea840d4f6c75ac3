package mdns

import (
	"context"
	"net/netip"
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/systems/mdns/message"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// mute is a network of one link on which nothing is sent.
type mute struct{}

func (mute) changes(context.Context) <-chan struct{} { return nil }
func (mute) refresh() error                          { return nil }
func (mute) places() []place                         { return []place{{1, false}} }
func (mute) zone(int) string                         { return "eth0" }
func (mute) mtu(int) int                             { return 1500 }
func (mute) addrs(int) []netip.Prefix {
	return []netip.Prefix{netip.MustParsePrefix("10.99.0.1/24")}
}
func (mute) send(_ place, _ netip.AddrPort, msg []byte) error {
	if f := message.Check(msg); f.Reason != message.OK {
		panic(f.Err())
	}
	return nil
}
func (mute) serve(ctx context.Context, _ func(*transport.Packet)) error {
	<-ctx.Done()
	return ctx.Err()
}
func (mute) close() error { return nil }

// FuzzReceive hands two packets to a node that owns names and browses: it
// answers and remembers within its bounds, and what it sends can be read.
func FuzzReceive(f *testing.F) {
	files, err := filepath.Glob("testdata/packets/*.bin")
	if err != nil || len(files) == 0 {
		f.Fatalf("%d packets, %v", len(files), err)
	}
	for i, name := range files {
		one, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		two, err := os.ReadFile(files[(i+1)%len(files)])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(one, two, i%2 == 0, uint16(transport.Port))
	}
	n, err := newNode(mute{}, "theirs", nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { n.Close() })
	n.loop.mu.Lock()
	host := n.resp.ownHost()
	host.claim.win()
	n.loop.mu.Unlock()
	var watches []*watch
	for _, name := range []string{"_http._tcp", "_ipp._tcp"} {
		typ, err := typeName(name)
		if err != nil {
			f.Fatal(err)
		}
		watches = append(watches, n.quer.watch(true, typ, message.TypePTR))
		r, err := n.newRegistration(Service{Instance: "Page", Type: name, Port: 80, Text: []string{"path=/x"}})
		if err != nil {
			f.Fatal(err)
		}
		n.loop.mu.Lock()
		r.settle()
		r.build()
		r.claim.begin()
		r.claim.win()
		n.loop.mu.Unlock()
	}
	f.Fuzz(func(t *testing.T, one, two []byte, group bool, port uint16) {
		dst := transport.GroupIPv4
		if !group {
			dst = netip.MustParseAddr("10.99.0.1")
		}
		for _, msg := range [][]byte{one, two} {
			n.receive(&transport.Packet{Data: msg, Meta: transport.Meta{Src: netip.AddrPortFrom(netip.MustParseAddr("10.99.0.2"), port), Dst: dst, IfIndex: 1, HopLimit: 255}})
		}
		for _, w := range watches { // what a browser is told
			n.quer.changes(w, map[message.Name]Service{})
		}
		checkInvariants(t, n)
	})
}

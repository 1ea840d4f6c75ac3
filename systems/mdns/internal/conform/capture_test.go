package conform_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/internal/conform"
	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
	"github.com/poolproof/poolproof/systems/mdns/message"
)

var capture = flag.Bool("capture", false, "write the packets that Avahi sends to ../../testdata/packets")

// What Avahi sends when a page and twelve printers are announced, asked for and
// withdrawn can be read; with -capture it becomes the corpus of the fuzz tests
// and the packets of the benchmarks.
func TestPacketsOfAvahiCanBeRead(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 1)
	x := conform.NewTester(t, b, a, false)
	x6 := conform.NewTester(t, b, a, true)
	start := time.Now()
	daemon := a.StartAvahi(t, "printers", true, true)
	page := daemon.Start(t, "avahi-publish", "-s", "Page", "_http._tcp", "8080", "path=/x", "ver=1")
	var all []*netlab.Process
	for i := range 12 {
		all = append(all, daemon.Start(t, "avahi-publish", "-s", fmt.Sprintf("Printer %d", i+1), "_ipp._tcp", "631",
			"txtvers=1", "qtotal=1", "rp=ipp/print", "ty=Laser Printer "+strconv.Itoa(i+1), "adminurl=http://printers.local/", "pdl=application/pdf,image/urf", "Color=T", "Duplex=T"))
	}
	for _, p := range append(all, page) {
		if !p.Await("Established", 15*time.Second) {
			t.Fatal(p.Output())
		}
	}
	x.Settle(2500 * time.Millisecond)
	for _, q := range []string{"_http._tcp.local. PTR", "_ipp._tcp.local. PTR", "_services._dns-sd._udp.local. PTR", "Page._http._tcp.local. ANY", "printers.local. A"} {
		x.Send(t, conform.Query(q))
		x6.Send(t, conform.Query(q))
		time.Sleep(1200 * time.Millisecond)
	}
	daemon.Run(t, "avahi-browse", "-rpt", "_http._tcp")
	for _, p := range append(all, page) {
		p.Stop(t)
	}
	time.Sleep(time.Second)

	packets := append(x.Since(start), x6.Since(start)...)
	if len(packets) < 20 {
		t.Fatalf("%d packets", len(packets))
	}
	kept := map[string]bool{}
	for _, p := range packets {
		if f := message.Check(p.Raw); f.Reason != message.OK {
			t.Errorf("%v: %x", f.Err(), p.Raw)
		}
		h, _ := message.ReadHeader(p.Raw)
		kind := "query"
		if h.Flags&message.Response != 0 {
			kind = "response"
		}
		// One packet of each shape.
		name := fmt.Sprintf("avahi-%s-%d-%d-%d-%d", kind, h.Counts[0], h.Counts[1], h.Counts[2], h.Counts[3])
		if kept[name] || !*capture {
			continue
		}
		kept[name] = true
		if err := os.WriteFile(filepath.Join("../../testdata/packets", name+".bin"), slices.Clone(p.Raw), 0o666); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d packets, %d kept", len(packets), len(kept))
}

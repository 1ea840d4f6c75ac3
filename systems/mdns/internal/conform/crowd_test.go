package conform_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/poolproof/poolproof/systems/mdns"
	"github.com/poolproof/poolproof/systems/mdns/internal/conform"
	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
)

// crowdVariable has the test's binary be a program that registers this many
// services and updates each once.
const crowdVariable = "MDNS_CROWD"

// crowd is that program. It prints what became of the services, and ends when it
// is told to.
func crowd(services string) error {
	many, err := strconv.Atoi(services)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	n, err := mdns.Open(ctx, mdns.Config{Host: "crowd"})
	if err != nil {
		return err
	}
	defer n.Close()
	regs := make([]*mdns.Registration, many)
	errs := make([]error, many)
	service := func(i int, port uint16) mdns.Service {
		return mdns.Service{Instance: fmt.Sprintf("Service %d", i), Type: "_crowd._tcp", Port: port, Text: []string{fmt.Sprintf("port=%d", port)}}
	}
	var wait sync.WaitGroup
	for i := range regs {
		wait.Go(func() { regs[i], errs[i] = n.Register(ctx, service(i, 1000)) })
	}
	wait.Wait()
	result := struct{ Renamed, Failed, Conflicts int }{}
	for i, r := range regs {
		if errs[i] == nil {
			errs[i] = r.Update(service(i, 2000))
		}
	}
	time.Sleep(3 * time.Second)
	for i, r := range regs {
		switch {
		case errs[i] != nil:
			result.Failed++
		case r.Instance() != fmt.Sprintf("Service %d", i):
			result.Renamed++
		}
	}
	result.Conflicts = int(n.Stats().Conflicts)
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// 500 services of one program, each changed once, keep their names, and all are
// found with what they have changed to.
func TestACrowdOfServices(t *testing.T) {
	long(t)
	a, b := netlab.Pair(t, 1)
	const many = 500
	browse := b.Start(t, build(t), "browse", "-json", "_crowd._tcp")
	p := a.Start(t, "env", fmt.Sprintf("%s=%d", crowdVariable, many), os.Args[0])
	if !p.Await("}", 60*time.Second) || p.Output() != `{"Renamed":0,"Failed":0,"Conflicts":0}`+"\n" {
		t.Errorf("the program says %s", p.Output())
	}
	last := func(out string) map[string]int {
		ports := map[string]int{}
		for _, f := range lines(out) {
			if ports[f.Instance] = f.Port; f.Event == "removed" {
				delete(ports, f.Instance)
			}
		}
		return ports
	}
	if !browse.AwaitFunc(func(out string) bool {
		ports := last(out)
		for _, port := range ports {
			if port != 2000 {
				return false
			}
		}
		return len(ports) == many
	}, 20*time.Second) {
		t.Errorf("%d services are found", len(last(browse.Output())))
	}
	p.Stop(t)
	if !browse.AwaitFunc(func(out string) bool { return len(last(out)) == 0 }, 10*time.Second) {
		t.Errorf("%d services are left after their goodbyes", len(last(browse.Output())))
	}
}

// On a host with more interfaces than a socket may have memberships a service is
// announced on each, questions are answered on the last, and it is found on all.
func TestManyInterfaces(t *testing.T) {
	long(t)
	const links = 25
	a, b := netlab.Pair(t, links)
	ours := a.Start(t, build(t), "register", "-v", "-host", "ours", "-stats", odd, "_http._tcp", "8080")
	browse := b.Start(t, build(t), "browse", "-json", "_http._tcp")
	await(t, browse, "all interfaces", func(f found) bool {
		for _, l := range a.Links {
			if !slices.Contains(f.Addrs, l.IPv4.Addr().String()) || !slices.Contains(f.Endpoints, endpoint{l.IPv4.Addr().String(), l.Name}) || !slices.Contains(f.Addrs, l.IPv6.WithZone(l.Name).String()) {
				return false
			}
		}
		return f.Instance == odd
	})
	browse.Stop(t)
	tester := conform.NewTesterOn(t, b, a, false, links-1)
	time.Sleep(1100 * time.Millisecond)
	sent := tester.Send(t, conform.Query("ours.local. A"))
	if _, ok := tester.Await(sent, 2*time.Second, func(p conform.Packet) bool { return p.Response() && conform.Says(p, "ours.local.") }); !ok {
		t.Error("no answer on the last interface")
	}
	ours.Stop(t)
	if out := ours.Output(); !strings.Contains(out, "LinkErrors:0") || strings.Contains(out, "level=WARN") {
		t.Errorf("the program says\n%s", out)
	}
}

// Where the system allows no membership at all, the program says so.
func TestAnInterfaceThatCannotBeJoined(t *testing.T) {
	long(t)
	t.Parallel()
	a, _ := netlab.Pair(t, 2)
	a.IP(t, "link set v1 down")
	ours := a.Start(t, build(t), "register", "-v", "-host", "ours", "-stats", odd, "_http._tcp", "8080")
	if !ours.Await("registered", 10*time.Second) {
		t.Fatal("not registered")
	}
	a.Run(t, "sysctl", "-w", "net.ipv4.igmp_max_memberships=0")
	a.IP(t, "link set v1 up")
	if !ours.AwaitFunc(func(out string) bool {
		return strings.Contains(out, "level=WARN") && strings.Contains(out, "IPv4 group on v1") && strings.Contains(out, "igmp_max_memberships")
	}, 10*time.Second) {
		t.Errorf("the program says\n%s", ours.Output())
	}
	ours.Stop(t)
	if out := ours.Output(); strings.Count(out, "cannot be used") != 1 || strings.Contains(out, "LinkErrors:0") {
		t.Errorf("the program says\n%s", out)
	}
}

// flood sends truncated queries for four seconds, and a probe for the host's name
// each second. It returns how many probes were defended within 250 ms.
func flood(t *testing.T, tester *conform.Tester, host string, perSecond int) (defended int) {
	m := conform.Query("_pp._tcp.local. PTR")
	m.Truncated = true
	const seconds = 4
	stop := make(chan struct{})
	var flooding sync.WaitGroup
	flooding.Go(func() {
		const burst = 20
		tick := time.NewTicker(time.Second / time.Duration(perSecond/burst))
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				for range burst {
					tester.Send(t, m)
				}
			}
		}
	})
	for range seconds {
		time.Sleep(time.Second)
		probe := conform.WithQU(conform.Query(host + " ANY"))
		probe.Ns = conform.Records(host + " 120 IN A 10.99.0.200")
		sent := tester.Send(t, probe)
		if _, ok := tester.Await(sent, 250*time.Millisecond, func(p conform.Packet) bool {
			return p.Response() && slices.ContainsFunc(p.Msg.Answer, func(rr dns.RR) bool {
				return rr.Header().Rrtype == dns.TypeA && strings.EqualFold(rr.Header().Name, host)
			})
		}); ok {
			defended++
		}
	}
	close(stop)
	flooding.Wait()
	return defended
}

// Names are defended under a flood of queries at least as well as Avahi does.
func TestDefenceUnderAFlood(t *testing.T) {
	long(t)
	for _, perSecond := range []int{700, 2000, 10000} {
		var defended [2]int
		for i, who := range []conform.Responder{ours(t), avahi(t)} {
			t.Run(fmt.Sprintf("%s at %d a second", who.Name, perSecond), func(t *testing.T) {
				a, b := netlab.Pair(t, 1)
				stop := who.Start(t, a, false)
				defer stop()
				tester := conform.NewTester(t, b, a, false)
				if _, ok := tester.Await(time.Time{}, 10*time.Second, func(p conform.Packet) bool { return p.Response() && conform.Says(p, "Dut._pp._tcp.local.") }); !ok {
					t.Fatal("the service is not announced")
				}
				tester.Settle(3 * time.Second)
				defended[i] = flood(t, tester, "duthost.local.", perSecond)
			})
		}
		t.Logf("%d queries a second: ours defends %d of 4, Avahi %d", perSecond, defended[0], defended[1])
		if defended[0] < defended[1] {
			t.Errorf("%d queries a second: ours defends %d of 4, Avahi %d", perSecond, defended[0], defended[1])
		}
	}
}

// Avahi and python-zeroconf find a service that is announced for another host, and
// other names of ours.
func TestProxiesForOthers(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 1)
	daemon := b.StartAvahi(t, "theirs", true, true)
	camera := a.Start(t, build(t), "register", "-host", "ours", "-for", "camera.local", "-addr", "10.99.0.77,fe80::77", "-priority", "3", "-weight", "7", "-ttl", "1h", "Camera", "_http._tcp", "554", "path=/x")
	alias := a.Start(t, build(t), "host", "-host", "ours", "app.local")
	for p, text := range map[*netlab.Process]string{camera: "registered", alias: "registered"} {
		if !p.Await(text, 10*time.Second) {
			t.Fatalf("not registered:\n%s", p.Output())
		}
	}
	if out := daemon.Run(t, "avahi-browse", "-rtp", "_http._tcp"); !strings.Contains(out, ";Camera;") || !strings.Contains(out, ";camera.local;10.99.0.77;554;") {
		t.Errorf("avahi-browse:\n%s", out)
	}
	for host, want := range map[string]string{"camera.local": "10.99.0.77", "app.local": a.Links[0].IPv4.Addr().String()} {
		if out := daemon.Run(t, "avahi-resolve", "-4", "-n", host); !strings.Contains(out, want) {
			t.Errorf("avahi-resolve %s: %s", host, out)
		}
	}
	out := b.Run(t, build(t), "lookup", "-json", "Camera", "_http._tcp")
	if all := lines(out); len(all) != 1 || all[0].Priority != 3 || all[0].Weight != 7 || all[0].Host != "camera.local" || !slices.Contains(all[0].Endpoints, endpoint{"10.99.0.77", "v0"}) {
		t.Errorf("lookup: %s", out)
	}
	t.Run("python-zeroconf", func(t *testing.T) {
		theirs := b.Start(t, python(t), "testdata/peer.py", "browse", b.Links[0].IPv4.Addr().String(), "unused")
		if !theirs.Await("added Camera 554 /x 10.99.0.77", 20*time.Second) {
			t.Errorf("python-zeroconf:\n%s", theirs.Output())
		}
		camera.Stop(t)
		if !theirs.Await("removed Camera", 10*time.Second) {
			t.Errorf("python-zeroconf:\n%s", theirs.Output())
		}
	})
	alias.Stop(t)
}

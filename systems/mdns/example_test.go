package mdns_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"net/netip"
	"time"

	"github.com/poolproof/poolproof/systems/mdns"
)

// Browse for web pages for three seconds. (It needs a network, so its output is
// not compared.)
func ExampleNode_Browse() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	node, err := mdns.Open(ctx, mdns.Config{})
	if err != nil {
		log.Print(err)
		return
	}
	defer node.Close()
	for event, err := range node.Browse(ctx, "_http._tcp") {
		if err != nil {
			log.Print(err)
			return
		}
		fmt.Println(event.Kind, event.Service.Instance, event.Service.Host, event.Service.Port)
	}
}

// Announce a camera that does not speak Multicast DNS, and another name for this
// host. (It needs a network, so it is compiled and not run.)
func ExampleNode_Register() {
	ctx := context.Background()
	node, err := mdns.Open(ctx, mdns.Config{Log: slog.Default().Handler()})
	if err != nil {
		log.Print(err)
		return
	}
	defer node.Close()
	camera, err := node.Register(ctx, mdns.Service{
		Instance: "Camera", Type: "_rtsp._tcp", Port: 554,
		Host: "camera.local", Addrs: []netip.Addr{netip.MustParseAddr("10.0.0.9")},
	})
	if err != nil {
		log.Print(err)
		return
	}
	alias, err := node.RegisterHost(ctx, mdns.Host{Name: "app.local"})
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println(camera.Instance(), camera.Host(), alias.Name())
}

func ExampleService_Value() {
	s := mdns.Service{Text: []string{"path=/index.html", "secure", "Path=/other"}}
	path, _ := s.Value("PATH")
	_, secure := s.Value("secure")
	_, missing := s.Value("user")
	fmt.Println(path, secure, missing)
	// Output: /index.html true false
}

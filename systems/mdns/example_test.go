package mdns_test

import (
	"context"
	"fmt"
	"log"
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

func ExampleService_Value() {
	s := mdns.Service{Text: []string{"path=/index.html", "secure", "Path=/other"}}
	path, _ := s.Value("PATH")
	_, secure := s.Value("secure")
	_, missing := s.Value("user")
	fmt.Println(path, secure, missing)
	// Output: /index.html true false
}

package message_test

import (
	"fmt"
	"net/netip"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

func Example() {
	host, err := message.ParseName("printer.local")
	if err != nil {
		panic(err)
	}
	var b message.Builder
	b.Reset(0, message.Response|message.Authoritative, 1472)
	typ, data := message.A(netip.MustParseAddr("192.0.2.1"))
	err = b.Record(message.Answers, message.Resource{Name: host, Type: typ, Class: message.ClassIN, Flush: true, TTL: 120, Data: data})
	if err != nil {
		panic(err)
	}

	var r message.Reader
	r.Open(b.Bytes())
	for r.Next() {
		fmt.Println(r.Resource())
	}
	if err := r.Fault().Err(); err != nil {
		panic(err)
	}
	// Output: printer.local. 120 flush A 192.0.2.1
}

// Package poolvar shows the statistics of all pools that have a name, of packages
// pool, buffer and hotswap, in expvar.
//
//	func init() { poolvar.Publish("pools") }
//
// It is a package of its own because expvar imports net/http, and registers the
// handler of /debug/vars in http.DefaultServeMux.
package poolvar

import (
	"expvar"
	"slices"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/pool"
)

// Stats is the value that Publish publishes.
type Stats struct {
	Pools   []pool.Stats    // of pool.New with Options.Name, in the order in which they were made
	Buffers []buffer.Stats  // of buffer.New with Options.Name, likewise
	Values  []hotswap.Stats // of hotswap.NewPool with Options.Name, likewise
}

// Read returns the statistics of the pools that have a name and are in use. It is
// safe for concurrent use.
func Read() Stats {
	s := Stats{Pools: []pool.Stats{}, Buffers: []buffer.Stats{}, Values: []hotswap.Stats{}} // in JSON [], not null
	s.Pools = slices.AppendSeq(s.Pools, pool.All())
	s.Buffers = slices.AppendSeq(s.Buffers, buffer.All())
	s.Values = slices.AppendSeq(s.Values, hotswap.All())
	return s
}

// Publish publishes what Read returns as the expvar variable of that name, read
// afresh for each request. It ends the program if the name is taken, as
// expvar.Publish does; so it is called once.
func Publish(name string) {
	expvar.Publish(name, expvar.Func(func() any { return Read() }))
}

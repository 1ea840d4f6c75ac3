package practice

import (
	"testing"

	hotswap "github.com/poolproof/poolproof/studies/hot-swap"
	"github.com/poolproof/poolproof/studies/internal/crew"
)

// Serve is a server in small: two goroutines answer requests, each of which
// looks some keys up and makes 4 KiB of garbage, and the Table of 100,000 entries
// is replaced once in an operation, between 16,384 requests. So several
// collections run from one replacement to the next because they must, and the
// clock runs through all of it. made/op is the tables made for a replacement.
func Serve(b *testing.B, arms []Arm) {
	for _, arm := range arms {
		b.Run("impl="+arm.Name, func(b *testing.B) {
			s := newServer(containerOf(arm), data(), requests)
			defer s.close()
			before := s.container.Made()
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				s.run()
			}
			b.StopTimer()
			if s.wrong() {
				b.Fatal("the values found were not those that each table has")
			}
			b.ReportMetric(float64(s.container.Made()-before)/float64(b.N), "made/op")
		})
	}
}

const (
	requests = 1 << 14
	garbage  = 4 << 10 // bytes of a request
	asked    = 8       // keys of a request
	servers  = 2       // goroutines
)

// server answers requests by several goroutines.
type server struct {
	container hotswap.Container
	next      func() func(*hotswap.Table)
	members   [servers]member
	requests  int
	crew      *crew.Crew
}

// member is a goroutine of a server.
type member struct {
	lookup  func(keys []string) int
	release func()
	keys    []string
	want    int // the sum of all keys
	wrong   bool
	page    []byte // of the last request: it has to be on the heap
}

func newServer(c hotswap.Container, d *hotswap.Data, requests int) *server {
	s := &server{container: c, next: fills(d), requests: requests}
	keys := hot(d, asked)
	want := c.Lookup(keys)
	for i := range s.members {
		lookup, release := handle(c)
		s.members[i] = member{lookup: lookup, release: release, keys: keys, want: want}
	}
	s.crew = crew.New(servers, s.share)
	return s
}

func (s *server) close() {
	s.crew.Close()
	for i := range s.members {
		s.members[i].release()
	}
}

func (s *server) run() { s.crew.Run() }

func (s *server) share(i int) {
	m := &s.members[i]
	own := s.requests / servers
	m.serve(own / 2)
	if i == 0 {
		s.container.Replace(s.next())
	}
	m.serve(own - own/2)
}

func (m *member) serve(requests int) {
	for range requests {
		m.page = make([]byte, garbage)
		if m.lookup(m.keys) != m.want {
			m.wrong = true
		}
	}
}

// wrong reports whether any request has found another value than it should.
func (s *server) wrong() bool {
	for i := range s.members {
		if s.members[i].wrong {
			return true
		}
	}
	return false
}

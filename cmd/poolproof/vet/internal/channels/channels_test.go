package channels_test

import (
	"fmt"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/channels"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

const common = `package p
import "sync"
type T struct { n int; next *T }
type message struct { t *T; n int }
var pool = sync.Pool{New: func() any { return new(T) }}
func put(t *T) { pool.Put(t) }
func cond() bool { return pools > 0 }
var pools int
`

// What is sent in F is given up: "" is what is sent itself, ".0" its first field.
func TestWhatReceiversPut(t *testing.T) {
	for name, test := range map[string]struct{ source, want string }{
		"each":                     {`func F(t *T) { c := make(chan *T); go func() { for t := range c { put(t) } }(); c <- t }`, `[""]`},
		"on one path":              {`func F(t *T) { c := make(chan *T); go func() { for t := range c { if cond() { put(t) } } }(); c <- t }`, `[]`},
		"the first field":          {`func F(t *T) { c := make(chan message); go func() { for m := range c { put(m.t) } }(); c <- message{t: t} }`, `[".0"]`},
		"one of two receivers":     {`func F(t *T) { c := make(chan *T); go func() { put(<-c) }(); go func() { println((<-c).n) }(); c <- t }`, `[]`},
		"both receivers":           {`func F(t *T) { c := make(chan *T); go func() { put(<-c) }(); go func() { put(<-c) }(); c <- t }`, `[""]`},
		"in a function":            {`func F(t *T) { c := make(chan *T); go drain(c); c <- t }; func drain(c chan *T) { for t := range c { put(t) } }`, `[""]`},
		"in a function, and here":  {`func F(t *T) { c := make(chan *T); go drain(c); println((<-c).n); c <- t }; func drain(c chan *T) { for t := range c { put(t) } }`, `[]`},
		"of a field":               {`type S struct { c chan *T }; func F(s *S, t *T) { s.c <- t }; func (s *S) run() { for t := range s.c { put(t) } }`, `[""]`},
		"of an exported field":     {`type S struct { C chan *T }; func F(s *S, t *T) { s.C <- t }; func (s *S) run() { for t := range s.C { put(t) } }`, `[]`},
		"of a package variable":    {`var c = make(chan *T); func F(t *T) { c <- t }; func run() { put(<-c) }`, `[""]`},
		"of an exported variable":  {`var C = make(chan *T); func F(t *T) { C <- t }; func run() { put(<-C) }`, `[]`},
		"in a select":              {`func F(t *T, stop chan int) { c := make(chan *T); go func() { select { case t := <-c: put(t); case <-stop: } }(); c <- t }`, `[""]`},
		"in one of a select's two": {`func F(t *T) { c := make(chan *T); go func() { select { case t := <-c: put(t); case t := <-c: println(t.n) } }(); c <- t }`, `[]`},
		"nobody receives":          {`func F(t *T) { c := make(chan *T, 1); c <- t }`, `[]`},
		"code that is not seen":    {`var other func(chan *T); func F(t *T) { c := make(chan *T); go drain(c); other(c); c <- t }; func drain(c chan *T) { for t := range c { put(t) } }`, `[]`},
		"closed before":            {`func F(t *T) { c := make(chan *T); go func() { t, ok := <-c; if !ok { return }; put(t) }(); c <- t }`, `[""]`},
	} {
		t.Run(name, func(t *testing.T) {
			codes := sourcetest.Codes(t, common+test.source)
			listened := channels.Listen(codes)
			for _, code := range codes {
				if code.F.Name() != "F" {
					continue
				}
				for _, b := range code.F.Blocks {
					for _, instr := range b.Instrs {
						if send, ok := instr.(*ssa.Send); ok {
							if got := fmt.Sprintf("%q", listened.Given(channels.Key(code.Program, send.Chan))); got != test.want {
								t.Errorf("%s, want %s", got, test.want)
							}
						}
					}
				}
			}
		})
	}
}

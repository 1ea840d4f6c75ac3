package fields

import (
	"strings"
	"testing"
)

// The other end of a channel may be there for the next user.
func TestChannelsThatAreTheObjects(t *testing.T) {
	const types = "import \"sync\"\ntype T struct{ c chan int; n int }\nvar all []chan int\nfunc loop(c chan int) {}\n"
	for name, test := range map[string]struct{ code, want string }{
		"made with the object":       {"var p = sync.Pool{New: func() any { return &T{c: make(chan int, 1)} }}", "T.c"},
		"made at first use":          {"func (t *T) init() { if t.c == nil { t.c = make(chan int) } }", "T.c"},
		"used":                       {"var p = sync.Pool{New: func() any { return &T{c: make(chan int, 1)} }}\nfunc (t *T) use() int { t.c <- 1; select { case t.c <- 2: default: }; for range t.c { break }; n := len(t.c) + <-t.c; return n }", "T.c"},
		"closed":                     {"func (t *T) init() { if t.c == nil { t.c = make(chan int) } }\nfunc (t *T) stop() { close(t.c) }", "T.c"},
		"made for each user":         {"func (t *T) init() { t.c = make(chan int) }", ""},
		"a goroutine has it":         {"var p = sync.Pool{New: func() any { c := make(chan int); go func() { <-c }(); return &T{c: c} }}", ""},
		"a closure has it":           {"var f func()\nvar p = sync.Pool{New: func() any { c := make(chan int); f = func() { c <- 1 }; return &T{c: c} }}", ""},
		"a function has it":          {"var p = sync.Pool{New: func() any { t := &T{c: make(chan int)}; go loop(t.c); return t }}", ""},
		"a function uses it":         {"var p = sync.Pool{New: func() any { t := &T{c: make(chan int)}; loop(t.c); return t }}", "T.c"},
		"a list has it":              {"var p = sync.Pool{New: func() any { t := &T{c: make(chan int)}; all = append(all, t.c); return t }}", ""},
		"it is sent":                 {"var cs chan chan int\nvar p = sync.Pool{New: func() any { t := &T{c: make(chan int)}; cs <- t.c; return t }}", ""},
		"somebody else's":            {"func newT(c chan int) *T { return &T{c: c} }", ""},
		"a closure within its maker": {"var f = func() *T { c := make(chan int); return &T{c: c} }", "T.c"},
	} {
		t.Run(name, func(t *testing.T) {
			got := owned(scanned([]Package{pkg(t, types+test.code), std(t, "sync")}, asIs, nil))
			if s := strings.ReplaceAll(strings.Join(got, " "), "example.com/x.", ""); s != test.want {
				t.Errorf("owned: %q, want %q", s, test.want)
			}
		})
	}
}

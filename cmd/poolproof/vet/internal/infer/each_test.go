package infer_test

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/facts"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

func TestWhatEachPartOfAResultIs(t *testing.T) {
	const fresh = "\nfunc fresh(b []byte) []byte { return append([]byte(nil), b...) }\nfunc at(b []byte) int { return len(b) }\n"
	for name, test := range map[string]struct {
		source string
		want   bool
	}{
		"pieces in a list":           {`func F(b []byte) [][]byte { l := make([][]byte, 2); l[0], l[1] = b[:1], b[1:]; return l }`, true},
		"a copy in a list":           {`func F(b []byte) [][]byte { l := make([][]byte, 2); l[0], l[1] = b[:1], fresh(b); return l }`, false},
		"pieces appended":            {`func F(b []byte) (l [][]byte) { for i := range b { l = append(l, b[:i]) }; return l }`, true},
		"a copy appended":            {`func F(b []byte) (l [][]byte) { for i := range b { l = append(l, b[:i], fresh(b)) }; return l }`, false},
		"pieces of two":              {`func F(b, c []byte) [][]byte { return [][]byte{b, c} }`, false},
		"one list or another":        {`func F(b []byte) [][]byte { if len(b) == 0 { return nil }; if len(b) > 9 { return G(b) }; return [][]byte{b} }; func G(b []byte) [][]byte { return [][]byte{b[1:]} }`, true},
		"one list or one of a copy":  {`func F(b []byte) [][]byte { if len(b) > 9 { return G(b) }; return [][]byte{b} }; func G(b []byte) [][]byte { return [][]byte{fresh(b)} }`, false},
		"a list that a callee fills": {`func F(b []byte) [][]byte { l := make([][]byte, 2); l[0] = b; fill(l); return l }; func fill(l [][]byte) { l[1] = make([]byte, 1) }`, false},
		"a list of a parameter":      {`func F(b []byte, l [][]byte) [][]byte { return append(l, b) }`, false},
		"a list of nothing":          {`func F(b []byte) [][]byte { return make([][]byte, len(b)) }`, false},
		"what is yielded":            {`func F(b []byte) func(func([]byte) bool) { return func(yield func([]byte) bool) { for i := range b { if !yield(b[i:]) { return } } } }`, true},
		"what is cut off and yielded": {`func F(b []byte) func(func([]byte) bool) { return func(yield func([]byte) bool) {
			for len(b) > 0 { var line []byte; if i := at(b); i > 0 { line, b = b[:i], b[i:] } else { line, b = b, nil }; if !yield(line[:len(line):len(line)]) { return } } } }`, true},
		"a copy is yielded":         {`func F(b []byte) func(func([]byte) bool) { return func(yield func([]byte) bool) { for i := range b { if !yield(fresh(b[i:])) { return } } } }`, false},
		"a copy is yielded at last": {`func F(b []byte) func(func([]byte) bool) { return func(yield func([]byte) bool) { _ = yield(b) && yield(fresh(b)) } }`, false},
		"what another one yields":   {`func F(b []byte) func(func([]byte) bool) { return G(b[1:]) }; func G(b []byte) func(func([]byte) bool) { return func(yield func([]byte) bool) { yield(b) } }`, true},
	} {
		t.Run(name, func(t *testing.T) {
			got := sourcetest.Facts(t, common+fresh+test.source, facts.Analyzer)["example.com/p.F"]
			if each := strings.Contains(got, "each{0}"); each != test.want {
				t.Errorf("%t, want %t: %s", each, test.want, got)
			}
		})
	}
}

func TestWhatACallbackIsCalledWith(t *testing.T) {
	for name, test := range map[string]struct {
		source string
		want   bool
	}{
		"memory of a parameter":       {`func F(b []byte, f func([]byte)) { f(b[1:]) }`, true},
		"memory that is cut off":      {`func F(b []byte, f func([]byte)) { for len(b) > 0 { n := len(b)/2 + 1; f(b[:n]); b = b[n:] } }`, true},
		"memory of one of two":        {`func F(b []byte, f func([]byte)) { f(b[1:]); f([]byte("x")) }`, false},
		"passed on":                   {`func F(b []byte, f func([]byte)) { f(b); G(f) }; func G(f func([]byte)) { f(nil) }`, false},
		"what a field of it leads to": {`func F(b *buf, f func([]byte)) { f(b.b) }`, true},
		"its number":                  {`func F(b *buf, f func(int)) { f(b.n) }`, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := sourcetest.Facts(t, common+test.source, facts.Analyzer)["example.com/p.F"]
			if of := strings.Contains(got, "Of:{0}"); of != test.want {
				t.Errorf("%t, want %t: %s", of, test.want, got)
			}
		})
	}
}

package fields

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A tree is appended to an object's array by a method that calls itself for each child: the
// usual shape of a function AppendJSON. The array stays the object's as long as the method
// returns nothing but what it was given.
func TestWhatAFunctionThatCallsItselfReturns(t *testing.T) {
	const (
		lease = "type T struct{ b []byte }\nfunc (t *T) reset() { t.b = t.b[:0] }\n"
		tree  = "type D struct{ kids []int; d *D; buf []byte }\ntype N struct{ d *D; at int }\n"
	)
	for name, test := range map[string]struct{ code, want string }{
		"the array that it was given": {lease + tree +
			"func (t *T) set(n N) { t.b = n.Append(t.b[:0]) }\n" +
			"func (n N) Append(dst []byte) []byte { return n.d.append(dst, n.at) }\n" +
			"func (d *D) append(dst []byte, at int) []byte { for _, k := range d.kids { dst = d.append(dst, k) }; return append(dst, '.') }", "T.b"},
		"the array that it was given, for a child": {lease + tree +
			"func (t *T) set(d *D) { t.b = d.append(t.b[:0], nil) }\n" +
			"func (d *D) append(dst []byte, m map[string]int) []byte { if d.d != nil { dst = d.d.append(dst, m) }; return append(dst, '.') }", "T.b"},
		"the array of a child, at the end": {lease + tree +
			"func (t *T) set(d *D) { t.b = append(d.last(t.b[:0]), 1) }\n" +
			"func (d *D) last(dst []byte) []byte { if d.d != nil { return d.d.last(dst) }; return d.buf }", ""},
		"the field of a receiver that changes": {lease + tree +
			"func (t *T) set(d *D) { t.b = append(t.b, d.last()...) }\n" +
			"func (d *D) last() []byte { return d.buf }\n" +
			"func (d *D) fill() { d.buf = append(d.deepest(), 1) }\n" +
			"func (d *D) deepest() []byte { for d.d != nil { d = d.d }; return d.buf[:0] }", "T.b"},
		"the field of the next receiver": {lease + tree +
			"func (t *T) set(d *D) { t.b = append(t.b, d.buf...) }\n" +
			"func (d *D) fill() { d.buf = append(d.deepest(), 1) }\n" +
			"func (d *D) deepest() []byte { if d.d != nil { return d.d.deepest() }; return d.buf[:0] }", "T.b"},
		"its own field, for any child": {lease + tree +
			"func (t *T) set(d *D) { t.b = append(t.b, d.buf...) }\n" +
			"func (d *D) fill() { d.buf = append(d.mine(3), 1) }\n" +
			"func (d *D) mine(n int) []byte { if n > 0 { return d.mine(n-1) }; return d.buf[:0] }", "T.b D.buf"},
		"another parameter, each third time": {lease + tree +
			"func (t *T) set(p, q []byte) { t.b = append(turn(t.b[:0], p, q, 2), 1) }\n" +
			"func turn(a, b, c []byte, n int) []byte { if n > 0 { return turn(b, c, a, n-1) }; return a }", ""},
		"its other result": {lease + tree + "var shared []byte\n" +
			"func (t *T) set(n int) { b, _ := pair(t.b[:0], n); t.b = append(b, 1) }\n" +
			"func pair(a []byte, n int) ([]byte, []byte) { if n > 0 { _, b := pair(a, n-1); return b, a }; return a, shared }", ""},
		"what a function returns that calls it": {lease + tree +
			"func (t *T) set(d *D) { t.b = append(d.even(t.b[:0]), 1) }\n" +
			"func (d *D) even(dst []byte) []byte { if d.d == nil { return dst }; return d.d.odd(dst) }\n" +
			"func (d *D) odd(dst []byte) []byte { if d.d == nil { return dst }; return d.d.even(dst) }", "T.b"},
		"what a function returns that calls it, of a child": {lease + tree +
			"func (t *T) set(d *D) { t.b = append(t.b, d.buf...) }\n" +
			"func (d *D) fill() { d.buf = append(d.even(), 1) }\n" +
			"func (d *D) even() []byte { if d.d == nil { return d.buf[:0] }; return d.odd() }\n" +
			"func (d *D) odd() []byte { return d.d.even() }", "T.b"},
		"what a child's function returns that calls it": {lease + tree +
			"func (t *T) set(d *D) { t.b = append(t.b, d.buf...) }\n" +
			"func (d *D) fill() { d.buf = append(d.even(), 1) }\n" +
			"func (d *D) even() []byte { if d.d == nil { return d.buf[:0] }; return d.d.odd() }\n" +
			"func (d *D) odd() []byte { return d.even() }", "T.b"},
		"what another method of a child returns": {lease + tree +
			"func (t *T) set(d *D) { t.b = append(t.b, d.buf...) }\n" +
			"func (d *D) fill() { d.buf = append(d.deepest(), 1) }\n" +
			"func (d *D) deepest() []byte { if d.d != nil { return d.d.deepest() }; return d.room() }\n" +
			"func (d *D) room() []byte { return d.buf[:0] }", "T.b"},
		"a field of a variable that changes before it is stored": {lease + tree +
			"func (t *T) set(d *D) { t.b = append(t.b, d.buf...) }\n" +
			"func swap(x, y *D) { b := x.room(); x = y; x.buf = append(b, 1) }\n" +
			"func (d *D) room() []byte { return d.buf[:0] }", "T.b"},
	} {
		t.Run(name, func(t *testing.T) {
			var want []string
			for _, w := range strings.Fields(test.want) {
				want = append([]string{"example.com/x." + w}, want...)
			}
			p := pkg(t, test.code)
			r := scanned([]Package{p}, asIs, nil)
			if d := cmp.Diff(want, owned(r)); d != "" {
				t.Errorf("%s\nT.b: %+v\nD.buf: %+v", d, r.Fields["example.com/x.T.b"], r.Fields["example.com/x.D.buf"])
			}
		})
	}
}

package duet

import (
	"fmt"
	"path/filepath"
	"strings"
)

// padding returns a file that shifts the machine code of the package without
// changing what it does: small functions that are never inlined and always
// linked. The linker lays functions out in the order of the files' names, and
// this one sorts first.
func (p Package) padding(index int) (path string, text []byte) {
	name, file := p.Name, "aaa_poolproof_pad.go"
	switch {
	case len(p.GoFiles) > 0:
	case len(p.TestGoFiles) > 0:
		file = "aaa_poolproof_pad_test.go"
	default:
		name, file = strings.TrimSuffix(p.Name, "_test")+"_test", "aaa_poolproof_pad_test.go"
	}
	n := padFunctions(index)
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\n", name)
	for i := range n {
		fmt.Fprintf(&b, "//go:noinline\nfunc poolproofPad%d(x uint64) uint64 { return x + %d }\n\n", i, i)
	}
	b.WriteString("var poolproofPads = [...]func(uint64) uint64{")
	for i := range n {
		fmt.Fprintf(&b, "poolproofPad%d, ", i)
	}
	b.WriteString("}\n\nvar poolproofPadSink uint64\n\n")
	fmt.Fprintf(&b, "func init() { poolproofPadSink = poolproofPads[poolproofPadSink%%%d](poolproofPadSink) }\n", n)
	return filepath.Join(p.Dir, file), []byte(b.String())
}

// padFunctions is the number of functions that make the padding of an index.
// Each takes one alignment unit of the linker (16 bytes, 32 on amd64), so an
// odd step moves what follows to another place of its cache line and of its
// page from one index to the next. (Where functions begin at multiples of 32
// there are two places in a line of 64.)
func padFunctions(index int) int { return 37*index - 1 }

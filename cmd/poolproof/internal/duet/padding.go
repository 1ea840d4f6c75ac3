package duet

import (
	"fmt"
	"path/filepath"
	"strings"
)

// layout is one way to lay out the functions of a binary.
type layout struct {
	linker string // flags of the linker
	padded bool   // by padding of the package
}

// Layouts is the version of the ways to lay out a padded build. It changes with
// what they make of the same source.
const Layouts = 1

// layouts lists the ways to lay out a padded build, the best first: what an old
// toolchain does not know fails, and the next is tried.
//
// The best is the linker's own: it shuffles all functions of the program and
// lets each begin at any address that the processor allows. That moves a loop
// to any place of its cache line and of the window that the processor decodes.
// Where functions begin at multiples of 32 bytes, as they do on amd64, a loop
// keeps its offset in those windows in each build, and two arms that differ by
// dead code before the same loop differ in each build alike.
func (b Build) layouts() []layout {
	if b.Layout == 0 {
		return []layout{{}}
	}
	user, ok := b.linkerFlags()
	if !ok { // flags that are not for this package alone cannot be added to
		return []layout{{padded: true}}
	}
	// A padded build is measured and thrown away: without what debuggers
	// read it is linked in three quarters of the time. The code is the same.
	shuffled := strings.TrimSpace(fmt.Sprintf("%s -w -randlayout=%d", user, b.Layout))
	var ways []layout
	if align := finest[b.Toolchain.Arch]; align > 0 {
		ways = append(ways, layout{linker: fmt.Sprintf("%s -funcalign=%d", shuffled, align)})
	}
	return append(ways, layout{linker: shuffled, padded: true}, layout{padded: true})
}

// finest is the least alignment of a function, in bytes.
var finest = map[string]int{
	"amd64": 1, "386": 1, "s390x": 2, "arm64": 4, "arm": 4, "loong64": 4, "riscv64": 4, "mips64le": 4, "mips64": 4,
}

// linkerFlags are those of GOFLAGS, which a flag of the command line replaces.
func (b Build) linkerFlags() (flags string, ok bool) {
	for _, f := range b.Toolchain.Flags() {
		name, value, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if name == "ldflags" {
			flags = value
		}
	}
	return flags, flags == "" || strings.HasPrefix(flags, "-")
}

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

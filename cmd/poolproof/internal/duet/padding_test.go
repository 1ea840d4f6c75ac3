//go:build unix

package duet

import (
	"debug/elf"
	"runtime"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// addresses returns where the functions of a package lie in a binary, those of
// the padding left out.
func addresses(t *testing.T, binary, pkg string) map[string]uint64 {
	t.Helper()
	f, err := elf.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]uint64{}
	for _, s := range symbols {
		name, ok := strings.CutPrefix(s.Name, pkg+".")
		if ok && elf.ST_TYPE(s.Info) == elf.STT_FUNC && !strings.Contains(name, "poolproofPad") && !strings.HasPrefix(name, "init") {
			at[name] = s.Value
		}
	}
	return at
}

func TestEachLayoutMovesTheFunctionsElsewhere(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads ELF binaries")
	}
	for _, tt := range []struct {
		path, pkg string
		functions []string
	}{
		{"shift/plain", "example.org/shift/plain", []string{"Sum", "Long", "BenchmarkSum"}},
		{"shift/inside", "example.org/shift/inside", []string{"Sum", "BenchmarkSum"}},
		{"shift/outside", "example.org/shift/outside_test", []string{"Sum", "BenchmarkSum"}},
	} {
		t.Run(tt.path, func(t *testing.T) {
			lines, pages := map[string]map[uint64]bool{}, map[string]map[uint64]bool{}
			for layout := range 4 {
				m := built(t, tt.path, study.EngineDuet, layout)
				at := addresses(t, m.side.Binary, tt.pkg)
				for _, name := range tt.functions {
					a, ok := at[name]
					if !ok {
						t.Fatalf("no function %s in %v", name, at)
					}
					if lines[name] == nil {
						lines[name], pages[name] = map[uint64]bool{}, map[uint64]bool{}
					}
					lines[name][a%64] = true
					if pages[name][a%4096] {
						t.Errorf("layout %d: %s is at offset %d of its page as in another layout", layout, name, a%4096)
					}
					pages[name][a%4096] = true
				}
				if layout > 0 {
					// The least of some: the runtime may allocate now and then.
					proc := serveFrom(t, m.side, "BenchmarkSum")
					s := burst(t, proc, 5)
					for range 5 {
						s.Allocs = min(s.Allocs, burst(t, proc, 5).Allocs)
					}
					if s.N != 5 || s.Allocs != 0 {
						t.Errorf("layout %d runs other code: %+v", layout, s)
					}
				}
			}
			for name, offsets := range lines {
				if len(offsets) < 2 {
					t.Errorf("%s is at offset %v of its cache line in all layouts", name, offsets)
				}
			}
		})
	}
}

// Two functions must not keep their distance, nor their offsets in the windows
// of 32 bytes that the processor decodes: arms that differ by dead code before
// the same loop would differ in each build alike.
func TestFunctionsMoveApartAndToAnyOffset(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("reads ELF binaries of a processor without an alignment of instructions")
	}
	offsets, distances, uneven := map[uint64]bool{}, map[uint64]bool{}, 0
	for layout := 1; layout <= 8; layout++ {
		m := built(t, "shift/plain", study.EngineDuet, layout)
		if strings.HasPrefix(m.chain.Version, "go1.24") || strings.HasPrefix(m.chain.Version, "go1.25") {
			t.Skip("the linker has no -funcalign")
		}
		at := addresses(t, m.side.Binary, "example.org/shift/plain")
		offsets[at["Sum"]%64] = true
		distances[(at["Long"]-at["Sum"])%64] = true
		if at["Sum"]%16 != 0 {
			uneven++
		}
	}
	if len(offsets) < 5 || len(distances) < 5 || uneven < 5 {
		t.Errorf("8 builds: %d offsets in a cache line, %d distances of two functions, %d times at no multiple of 16", len(offsets), len(distances), uneven)
	}
}

func TestLinkerFlagsOfTheUserStay(t *testing.T) {
	m := built(t, "shift/plain", study.EngineDuet, 0)
	for _, tt := range []struct {
		goflags string
		want    string // of the first way
	}{
		{"", "-w -randlayout=3 -funcalign=1"},
		{"'-ldflags=-s -w' -v", "-s -w -w -randlayout=3 -funcalign=1"},
		{"-ldflags=all=-s", ""}, // not for this package alone: padding
	} {
		t.Setenv("GOFLAGS", tt.goflags)
		chain, err := overlay.Find(t.Context(), m.pkg.Dir, scratch)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOARCH != "amd64" {
			t.Skip("another alignment")
		}
		ways := Build{Toolchain: chain, Layout: 3}.layouts()
		if ways[0].linker != tt.want || !ways[len(ways)-1].padded {
			t.Errorf("GOFLAGS=%s: %+v", tt.goflags, ways)
		}
	}
}

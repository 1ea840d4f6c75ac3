package orderedjson

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// Documents that others have written are in the test data of public modules,
// which allow to use them (MIT, Apache 2.0). They are no part of this project,
// and this module does not require theirs: where the module cache does not
// happen to hold them, their tests are skipped.
var foreign = []struct{ module, file string }{
	{"github.com/pb33f/libopenapi@v0.39.0", "test_specs/burgershop.openapi.yaml"},
	{"github.com/pb33f/libopenapi@v0.39.0", "test_specs/petstorev3.json"},
	{"github.com/pb33f/libopenapi@v0.39.0", "test_specs/digitalocean.yaml"},
	{"github.com/pb33f/libopenapi@v0.39.0", "test_specs/asana.yaml"},
	{"github.com/go-openapi/spec@v0.22.1", "fixtures/bugs/1614/gitea.json"},
}

// ofOthers returns a document of a module, or skips the test.
func ofOthers(t *testing.T, module, file string) []byte {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Skipf("no go command: %v", err)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), filepath.FromSlash(module), filepath.FromSlash(file)))
	if err != nil {
		t.Skipf("not in the module cache; to have it: go mod download %s", module)
	}
	return source
}

// The documents that are timed are made by this package. Those of others show
// that their order of magnitude is no accident: the pool saves a part of the
// bytes, and the arm lean more. The arm presized has no such rule: where the
// source is JSON with indents, it is twice as large as the compact form, and
// the buffer too.
func TestArmsAgreeOnDocumentsOfOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("large documents")
	}
	for _, f := range foreign {
		t.Run(filepath.Base(f.file), func(t *testing.T) {
			d, err := Parse(ofOthers(t, f.module, f.file))
			if err != nil {
				t.Fatal(err)
			}
			want, err := Grow(d)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, f.file, d, want)

			bytesOf := map[string]uint64{}
			for _, arm := range orderedArms {
				var allocs uint64
				allocs, bytesOf[arm.name] = exact.Counters(t, func() { arm.marshal(d) })
				t.Logf("%d bytes of JSON, %s: %d allocations of %d bytes", len(want), arm.name, allocs, bytesOf[arm.name])
			}
			if bytesOf["pool"] >= bytesOf["grow"] {
				t.Errorf("the pool saves nothing: %d bytes, %d without it", bytesOf["pool"], bytesOf["grow"])
			}
			if bytesOf["lean"] >= 2*bytesOf["pool"]/3 {
				t.Errorf("lean takes %d bytes, more than two thirds of the %d of the pool", bytesOf["lean"], bytesOf["pool"])
			}
		})
	}
}

// What is timed as petstore3 is no copy of the original. Its size is the same,
// and what each arm allocates for it is nearly so.
func TestPetstore3IsOfTheSizeOfTheOriginal(t *testing.T) {
	source := ofOthers(t, foreign[1].module, foreign[1].file)
	original, err := Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Grow(original)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := Petstore3.Source()
	if err != nil {
		t.Fatal(err)
	}
	d, err := Parse(ours)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := Grow(d); len(got) != len(want) {
		t.Errorf("%d bytes of compact JSON, the original has %d", len(got), len(want))
	}
	near(t, "the source", "bytes", uint64(len(ours)), uint64(len(source)), 3)
	for _, arm := range orderedArms {
		allocs, bytes := exact.Counters(t, func() { arm.marshal(d) })
		originalAllocs, originalBytes := exact.Counters(t, func() { arm.marshal(original) })
		if arm.name != "lean" { // it has some ten, one for each object of many keys
			near(t, arm.name, "allocations", allocs, originalAllocs, 1)
		}
		near(t, arm.name, "bytes allocated", bytes, originalBytes, 3)
	}
}

// near reports a value that differs from that of the original by more than some
// per cent.
func near(t *testing.T, name, unit string, got, want, percent uint64) {
	t.Helper()
	t.Logf("%s: %d %s, the original %d", name, got, unit, want)
	if max(got, want)-min(got, want) > want*percent/100 {
		t.Errorf("%s: %d %s, the original %d: more than %d %% away", name, got, unit, want, percent)
	}
}

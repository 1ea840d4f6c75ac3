package mutants

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/internal/mutate"
)

var (
	mutated = flag.Bool("mutants", false, "run the tests of the library on each mutant of the list (minutes)")
	sweep   = flag.Int("sweep", 0, "run them on so many mutants that are drawn, and print which live")
	seed    = flag.Uint64("seed", 0, "which mutants -sweep draws; 0: others each time")
)

// root is the folder of the library.
const root = "../.."

// swept are the packages that -sweep draws from.
var swept = []string{"pool", "buffer", "internal/reserve", "internal/registry", "internal/gcepoch"}

// TestMutantsAreKilled runs the tests of its package on each mutant of the list.
func TestMutantsAreKilled(t *testing.T) {
	if !*mutated {
		t.Skip("only with -mutants")
	}
	for _, m := range list(t) {
		t.Run(m.File+"/"+m.Func+"/"+m.Operator, func(t *testing.T) {
			t.Parallel()
			noticed, err := notices(t, m)
			switch {
			case err != nil:
				t.Fatalf("no mutant: %v", err)
			case !noticed:
				t.Error("survived")
			}
		})
	}
}

// TestSweep draws mutants of all that there are. One that lives changes nothing
// that matters, or a test is missing: a reader has to decide. The lines of those
// that are killed may go to the list.
func TestSweep(t *testing.T) {
	if *sweep == 0 {
		t.Skip("only with -sweep")
	}
	var all []mutate.Edit
	for _, folder := range swept {
		places, err := mutate.Places(root, folder)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, places...)
	}
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("-seed %d", *seed)
	r := rand.New(rand.NewPCG(*seed, 0))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, m := range all[:min(*sweep, len(all))] {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			what := "killed"
			if noticed, err := notices(t, m); err != nil {
				what = "does not build" // or nothing is left that runs
			} else if !noticed {
				what = "LIVES"
			}
			t.Logf("%s: %s\t%s\t%s", what, m.File, m.Func, m.Operator)
		})
	}
}

// notices tells whether the tests of its package notice m.
func notices(t *testing.T, m mutate.Edit) (bool, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	overlay, err := mutate.Overlay(t.TempDir(), root, []mutate.Edit{m})
	if err != nil {
		return false, err
	}
	noticed, _, err := mutate.Test(ctx, root, overlay, "-short", "-timeout=90s", "./"+m.File)
	return noticed, err
}

// TestTheListIsSorted: and has no mutant twice. That its functions and places exist
// is seen when it is run.
func TestTheListIsSorted(t *testing.T) {
	var lines []string
	for _, m := range list(t) {
		lines = append(lines, m.File+"\t"+m.Func+"\t"+m.Operator)
	}
	if !slices.IsSorted(lines) {
		t.Error("testdata/mutants.txt is not sorted")
	}
	if n := len(lines); len(slices.Compact(lines)) != n {
		t.Error("testdata/mutants.txt has a line twice")
	}
}

// list reads the list: a folder, a function and an operator a line.
func list(t *testing.T) (all []mutate.Edit) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "mutants.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 3 {
			t.Fatal(errors.New("not three fields: " + lines.Text()))
		}
		all = append(all, mutate.At(fields[0], fields[1], fields[2]))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

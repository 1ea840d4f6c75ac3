package mutants

import (
	"context"
	"flag"
	"regexp"
	"testing"
	"time"

	"github.com/poolproof/poolproof/internal/mutate"
)

var mutated = flag.Bool("mutants", false, "run the studies' tests on each mutant (minutes)")

// root is the folder of the studies.
const root = "../.."

// TestMutantsAreKilled runs the test that knows of it on each mutant.
func TestMutantsAreKilled(t *testing.T) {
	if !*mutated {
		t.Skip("only with -mutants")
	}
	for _, m := range mutants {
		t.Run(m.study+"/"+m.name, func(t *testing.T) {
			t.Parallel()
			overlay, err := mutate.Overlay(t.TempDir(), root, m.edits)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case m.killer != "" && m.noticedBy(t, overlay, "^"+m.killer+"$"):
			case m.noticedBy(t, overlay, "."):
				t.Errorf("%q does not notice it, but another test does: name that one in the list", m.killer)
			default:
				t.Error("survived")
			}
		})
	}
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// noticedBy tells whether one of these tests of the study fails.
func (m mutant) noticedBy(t *testing.T, overlay, tests string) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	noticed, out, err := mutate.Test(ctx, root, overlay, "-short", "-timeout=5m", "-run="+tests, "./"+m.study)
	if err != nil {
		t.Fatalf("no mutant: %v\n%s", err, out)
	}
	if noticed {
		t.Logf("noticed by %q", failed.FindAllSubmatch(out, -1))
	}
	return noticed
}

// TestMutantsFollowTheSource keeps the list in step with the arms.
func TestMutantsFollowTheSource(t *testing.T) {
	for _, m := range mutants {
		if _, err := mutate.Texts(root, m.edits); err != nil {
			t.Errorf("%s: %s: %v", m.study, m.name, err)
		}
	}
}

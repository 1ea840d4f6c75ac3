package mutants

import (
	"context"
	"flag"
	"testing"
	"time"

	"github.com/poolproof/poolproof/internal/mutate"
)

var mutated = flag.Bool("mutants", false, "run the studies' tests on each mutant (minutes)")

// root is the folder of the studies.
const root = "../.."

// TestMutantsAreKilled runs the tests of the study on each of its mutants.
func TestMutantsAreKilled(t *testing.T) {
	if !*mutated {
		t.Skip("only with -mutants")
	}
	for _, m := range mutants {
		t.Run(m.study+"/"+m.name, func(t *testing.T) {
			overlay, err := mutate.Overlay(t.TempDir(), root, m.edits)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			noticed, out, err := mutate.Test(ctx, root, overlay, "-short", "-timeout=5m", "./"+m.study)
			switch {
			case err != nil:
				t.Errorf("no mutant: %v\n%s", err, out)
			case !noticed:
				t.Error("survived")
			}
		})
	}
}

// TestMutantsFollowTheSource keeps the list in step with the arms.
func TestMutantsFollowTheSource(t *testing.T) {
	for _, m := range mutants {
		if _, err := mutate.Texts(root, m.edits); err != nil {
			t.Errorf("%s: %s: %v", m.study, m.name, err)
		}
	}
}

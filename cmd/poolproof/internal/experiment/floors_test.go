package experiment

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// cacheHere has the user's cache folder lie in a folder of the test.
func cacheHere(t *testing.T) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
}

func TestAFloorIsKnownToTheSameQuestionOnly(t *testing.T) {
	cacheHere(t)
	floor := 0.03
	p := planOf("A", "B")
	keepFloors(p, []study.Result{{Floor: &floor}, {}})
	known := knownFloors(p)
	if len(known) != 1 || known[p.Comparisons[0].ID] != floor {
		t.Fatalf("known floors %v, want 0.03 of A", known)
	}
	others := map[string]func(p *study.Plan){
		"another binary":      func(p *study.Plan) { p.Binaries[0].SHA256 = "bb" },
		"another processor":   func(p *study.Plan) { p.Machine.CPU = "other" },
		"more cores":          func(p *study.Plan) { p.Machine.Cores = 99 },
		"another environment": func(p *study.Plan) { p.Env = []string{"GOGC=25"} },
		"another cell":        func(p *study.Plan) { p.Comparisons[0].Cell = []string{"GOGC=25"} },
		"another benchmark":   func(p *study.Plan) { p.Comparisons[0].Old.Leaf = "C" },
	}
	for name, change := range others {
		t.Run(name, func(t *testing.T) {
			p := planOf("A")
			change(&p)
			if known := knownFloors(p); len(known) != 0 {
				t.Errorf("known floors %v, want none", known)
			}
		})
	}
}

func TestAFloorIsThatOfTheBaselinesOwnBinary(t *testing.T) {
	cacheHere(t)
	floor := 0.03
	several := func() study.Plan {
		p := planOf("A")
		p.Binaries = append([]study.Binary{{ID: "test@old", SHA256: "bb"}, {ID: "test@old-shifted1", SHA256: "cc", Layout: 1}}, p.Binaries...)
		p.Comparisons[0].Old.Binary = "test@old"
		return p
	}
	keepFloors(several(), []study.Result{{Floor: &floor}})
	if known := knownFloors(several()); len(known) != 1 {
		t.Fatalf("known floors %v, want one", known)
	}
	if known := knownFloors(planOf("A")); len(known) != 0 {
		t.Errorf("a floor of another binary is known: %v", known)
	}
	p := several()
	p.Binaries[2].SHA256 = "dd" // the arm's, which has no say
	if known := knownFloors(p); len(known) != 1 {
		t.Errorf("known floors %v, want one", known)
	}
}

func TestFloorsOfSeveralRunsAreKeptTogether(t *testing.T) {
	cacheHere(t)
	a, b := 0.03, 0.05
	keepFloors(planOf("A"), []study.Result{{Floor: &a}})
	keepFloors(planOf("B"), []study.Result{{Floor: &b}})
	if known := knownFloors(planOf("A", "B")); len(known) != 2 {
		t.Errorf("known floors %v, want two", known)
	}
}

func TestABrokenCacheIsAnEmptyOne(t *testing.T) {
	for _, text := range []string{"{", "null", `{"a": "text"}`} {
		cacheHere(t)
		put(t, floorFile(), text)
		if known := knownFloors(planOf("A")); len(known) != 0 {
			t.Errorf("%s: known floors %v", text, known)
		}
		floor := 0.03
		keepFloors(planOf("A"), []study.Result{{Floor: &floor}})
		if known := knownFloors(planOf("A")); len(known) != 1 {
			t.Errorf("%s: %d floors after one was kept", text, len(known))
		}
	}
}

func TestACacheThatCannotBeWrittenIsNoError(t *testing.T) {
	cacheHere(t)
	put(t, filepath.Dir(floorFile()), "a file where the folder should be")
	floor := 0.03
	keepFloors(planOf("A"), []study.Result{{Floor: &floor}})
	if known := knownFloors(planOf("A")); len(known) != 0 {
		t.Errorf("known floors %v", known)
	}
	if _, err := os.Stat(floorFile()); err == nil {
		t.Error("the cache was written after all")
	}
}

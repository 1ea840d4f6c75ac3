package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func cases(t *testing.T) []Case {
	t.Helper()
	all, err := Read(filepath.Join("testdata", "module"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTheCorpusIsLargeEnough(t *testing.T) {
	var bugs, fast, legal, leaks int
	seen := map[string]string{}
	for _, c := range cases(t) {
		if at, ok := seen[c.Test]; ok {
			t.Errorf("%s is in %s and in %s", c.Test, at, c.Package)
		}
		seen[c.Test] = c.Package
		switch {
		case c.Leak != nil:
			leaks++
		case c.Bug():
			bugs++
			if len(c.Fast) > 0 && c.Seen() {
				fast++
			}
		default:
			legal++
		}
	}
	t.Logf("%d bugs, %d of them for fast mode, %d legal uses, %d tests of leaks", bugs, fast, legal, leaks)
	if bugs < 60 || legal < 30 || leaks < 8 || 5*fast < 2*bugs {
		t.Error("cases are missing")
	}
}

func TestEachKindHasCases(t *testing.T) {
	all := cases(t)
	for _, kind := range kinds {
		if !slices.ContainsFunc(all, func(c Case) bool {
			return slices.ContainsFunc(c.Exact, func(e Expected) bool { return e.Kind == kind })
		}) {
			t.Errorf("there is no case of %s", kind)
		}
	}
}

func TestAnIndexWithMistakesIsRefused(t *testing.T) {
	for doc, want := range map[string]string{
		"// It is read.":                               "TestIt has no directive",
		"//want:exact":                                 "says nothing",
		"//want:exact read-after-pot":                  `there is no kind "read-after-pot"`,
		"//want:exactly read-after-put":                `there is no directive "exactly"`,
		"//want:silence\n//want:exact nil-put":         "is to be silent and is not",
		"//want:exact nil-put\n//want:fast double-put": "fast mode finds double-put, and exact mode does not",
		"//want:leaked job 3 of 10":                    "is not a type and two numbers",
		"//want:leaked job 3/x":                        "is not a type and two numbers",
		"//want:in TestOther":                          "has no directive",
	} {
		dir := t.TempDir()
		text := "package p\n\nimport \"testing\"\n\n" + doc + "\nfunc TestIt(t *testing.T) {}\n"
		if err := os.WriteFile(filepath.Join(dir, "it_test.go"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", doc, err, want)
		}
	}
}

func TestJudge(t *testing.T) {
	bug := Case{Test: "TestIt", In: []string{"TestIt"}, Exact: []Expected{{"read-after-put", false}, {"write-after-put", true}}}
	quick := bug
	quick.Fast = []Expected{{"read-after-put", false}}
	part := bug
	part.In = []string{"TestIt/wrong"}
	legal := Case{Test: "TestIt", In: []string{"TestIt"}}
	leak := legal
	leak.Leak = &Leak{"job", 3, 10}
	keeps := Case{Test: "TestIt", In: []string{"TestIt"}, Exact: []Expected{{Retained, false}}}
	hidden := Case{Test: "TestIt", In: []string{"TestIt"}, Exact: []Expected{{Unseen, false}}}
	self := Case{Test: "TestIt", In: []string{"TestIt"}, Exact: []Expected{{Poison, false}}}
	own := []string{"TestIt"}
	read, write := []string{"read-after-put"}, []string{"write-after-put"}
	for _, test := range []struct {
		name string
		c    Case
		fast bool
		seen Observed
		want string
	}{
		{"a bug that is found", bug, false, Observed{Kinds: read, Failed: own}, ""},
		{"a bug that is not found", bug, false, Observed{}, "read-after-put was not found"},
		{"a bug that fast mode need not find", bug, true, Observed{}, ""},
		{"a bug that fast mode finds beyond what it must", bug, true, Observed{Kinds: read, Failed: own}, ""},
		{"a bug that fast mode must find", quick, true, Observed{}, "read-after-put was not found"},
		{"a test that misuses a pool and passes", bug, false, Observed{Kinds: read}, "TestIt did not fail"},
		{"another kind", bug, false, Observed{Kinds: []string{"read-after-put", "nil-put"}, Failed: own}, "nil-put was found and is not expected"},
		{"only what may be found", bug, false, Observed{Kinds: write, Failed: own}, "read-after-put was not found"},
		{"a false report", legal, false, Observed{Kinds: write, Failed: own}, "write-after-put was found and is not expected"},
		{"a legal use that fails", legal, false, Observed{Failed: own}, "TestIt failed"},
		{"the subtest that must fail", part, false, Observed{Kinds: read, Failed: []string{"TestIt", "TestIt/wrong"}}, ""},
		{"the test beside it fails too", part, false, Observed{Kinds: read, Failed: []string{"TestIt", "TestIt/wrong", "TestIt/right"}}, "TestIt/right failed"},
		{"the wrong subtest fails", part, false, Observed{Kinds: read, Failed: []string{"TestIt", "TestIt/right"}}, "TestIt/wrong did not fail; TestIt/right failed"},
		{"exact leaks", leak, false, Observed{Leak: &Leak{"job", 3, 10}}, ""},
		{"one leak too many", leak, false, Observed{Leak: &Leak{"job", 4, 10}}, "4 of 10 leaked, want 3 of 10"},
		{"no leaks at all", leak, false, Observed{}, "no leak of job was seen"},
		{"a warning", keeps, false, Observed{Retained: 1}, ""},
		{"no warning", keeps, false, Observed{}, "retained was not found"},
		{"a false warning", legal, false, Observed{Retained: 1}, "retained was found and is not expected"},
		{"what cannot be seen", hidden, false, Observed{}, ""},
		{"what could not be seen and is", hidden, false, Observed{Kinds: read, Failed: own}, "read-after-put was found and is not expected"},
		{"a test that fails by itself", self, false, Observed{Poisoned: true, Failed: own}, ""},
		{"a test that does not fail by itself", self, false, Observed{}, "poison was not found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(test.c.Judge(!test.fast, test.seen), "; "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

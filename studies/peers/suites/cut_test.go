package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const theirs = `package peer

import (
	"fmt"
	"testing"
	"time"
)

// TestKept is kept.
func TestKept(t *testing.T) { fmt.Sprint(limit, helper()) }

const limit = 1

func helper() int { return 2 }

// TestInside goes, and so does this comment.
func TestInside(t *testing.T) { time.Sleep(0) }

func BenchmarkIt(b *testing.B) {}
func ExampleIt()               {}
func TestMain(m *testing.M)    {}
`

func TestWhatDoesNotApplyIsCutWithItsImports(t *testing.T) {
	s := suite{edits: [][2]string{{"limit = 1", "limit = 10"}}, drop: []reason{{[]string{"TestInside"}, "why"}}}
	c, err := s.cut("a_test.go", theirs)
	if err != nil {
		t.Fatal(err)
	}
	text := string(c.text)
	for _, want := range []string{"package suite", "TestKept", "limit = 10", "func helper", `"fmt"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	for _, gone := range []string{"TestInside", "BenchmarkIt", "ExampleIt", "TestMain", `"time"`} {
		if strings.Contains(text, gone) {
			t.Errorf("%q is left in\n%s", gone, text)
		}
	}
	if c.dropped != 1 || len(c.tests) != 1 || !c.helpers {
		t.Errorf("%d dropped, %d left, helpers %v, want 1, 1, true", c.dropped, len(c.tests), c.helpers)
	}
}

func TestKeepTakesOnlyWhatItNames(t *testing.T) {
	c, err := suite{keep: []string{"TestInside"}}.cut("a_test.go", theirs)
	if err != nil || c.dropped != 1 || len(c.tests) != 1 || c.helpers || strings.Contains(string(c.text), "TestKept") {
		t.Errorf("%v, %d dropped, %d left, helpers %v in\n%s", err, c.dropped, len(c.tests), c.helpers, c.text)
	}
}

func TestAWholeFileCanGo(t *testing.T) {
	for _, drop := range []string{"*", "a_test.go*"} {
		c, err := suite{drop: []reason{{[]string{drop}, "why"}}}.cut("a_test.go", theirs)
		if err != nil || c.dropped != 2 || len(c.tests) != 0 || c.helpers {
			t.Errorf("%s: %v, %d dropped, %d left, helpers %v, want 2 and none", drop, err, c.dropped, len(c.tests), c.helpers)
		}
	}
}

func TestAnEditThatFindsNothingIsAnError(t *testing.T) {
	if _, err := (suite{edits: [][2]string{{"absent", ""}}}).cut("a_test.go", theirs); err == nil {
		t.Error("no error")
	}
}

func TestEachAdapterBelongsToASuite(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{}
	for _, e := range entries {
		left[e.Name()] = true
	}
	for _, s := range suites {
		if s.adapter == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join("testdata", s.adapter, "adapter.go")); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		delete(left, s.adapter)
	}
	for name := range left {
		t.Errorf("testdata/%s belongs to no suite", name)
	}
}

package toolchain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tools counts the programs of the toolchain that a go command with -x has run.
func tools(trace string) map[string]int {
	n := map[string]int{}
	for line := range strings.Lines(trace) {
		for _, tool := range []string{"compile", "asm", "link"} {
			if strings.Contains(line, "/"+tool+" -") {
				n[tool]++
			}
		}
	}
	return n
}

// TestNothingIsBuiltTwice: overlay files that are there stay as they are, with
// their times, and so the go command compiles nothing again. It links each
// test binary anew, as it always does.
func TestNothingIsBuiltTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	for _, mode := range []Mode{Exact, Fast} {
		t.Run(string(mode), func(t *testing.T) {
			b := here(t, "seed", mode)
			b.config.CacheDir = cacheDir(t)
			b.compile(t)
			before, err := Prepare(t.Context(), b.config)
			if err != nil {
				t.Fatal(err)
			}
			times := map[string]time.Time{}
			for _, name := range before.Replace {
				times[name] = modified(t, name)
			}
			again, err := Prepare(t.Context(), b.config)
			if err != nil {
				t.Fatal(err)
			}
			for path, name := range again.Replace {
				if name != before.Replace[path] || !modified(t, name).Equal(times[name]) {
					t.Errorf("%s was written again as %s", path, name)
				}
			}
			n := tools(b.compileTo(t, filepath.Join(t.TempDir(), "seed.test"), "-x"))
			if n["compile"] != 0 || n["asm"] != 0 || n["link"] != 1 {
				t.Errorf("the second build ran %v", n)
			}
		})
	}
}

func modified(t *testing.T, name string) time.Time {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// cached is a build that the cache has, under a name in a folder of its own.
func cached(t *testing.T) (k kept, file string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	k = keptOf("plain", 3, "go1.26.8", nil)
	name := filepath.Join(t.TempDir(), "test-padded3")
	put(t, name, "linked")
	k.put(name, sumOf("linked"))
	found, _ := filepath.Glob(filepath.Join(k.dir, "*"))
	if len(found) != 1 {
		t.Fatalf("the cache holds %q", found)
	}
	return k, found[0]
}

func TestAPaddedBuildIsLinkedOnce(t *testing.T) {
	k, _ := cached(t)
	name := filepath.Join(t.TempDir(), "test-padded3")
	put(t, name, "of an earlier run")
	sum, ok := k.take(name)
	if !ok || sum != sumOf("linked") || content(t, name) != "linked" {
		t.Errorf("taken: %t, %s, which holds %q", ok, sum, content(t, name))
	}
}

// A build is not taken for one of another source, layout, toolchain or of other
// flags.
func TestAPaddedBuildIsKeptByWhatItWasMadeOf(t *testing.T) {
	cached(t)
	for name, k := range map[string]kept{
		"another source":    keptOf("other", 3, "go1.26.8", nil),
		"another layout":    keptOf("plain", 4, "go1.26.8", nil),
		"another toolchain": keptOf("plain", 3, "go1.26.9", nil),
		"other flags":       keptOf("plain", 3, "go1.26.8", []string{"-ldflags=-s"}),
		"no plain build":    keptOf("", 3, "go1.26.8", nil),
	} {
		if _, ok := k.take(filepath.Join(t.TempDir(), "x")); ok {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestADamagedBuildIsLinkedAgain(t *testing.T) {
	k, file := cached(t)
	put(t, file, "linkad")
	name := filepath.Join(t.TempDir(), "test-padded3")
	if _, ok := k.take(name); ok || Exists(name) || Exists(file) {
		t.Errorf("taken: %t; binary there: %t; still kept: %t", ok, Exists(name), Exists(file))
	}
}

func TestTheCacheLosesWhatWasUsedLongestAgo(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		name := filepath.Join(dir, fmt.Sprint(i))
		put(t, name, "12345678")
		at := time.Unix(int64(1000+(i+2)%5), 0) // 3 is the oldest, then 4, 0, 1, 2
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	prune(dir, 24)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"0", "1", "2"}; !slices.Equal(names, want) {
		t.Errorf("left are %v, want %v", names, want)
	}
}

func TestTogetherCallsEachOnce(t *testing.T) {
	var calls [100]atomic.Int32
	Together(len(calls), func(i int) { calls[i].Add(1) })
	for i := range calls {
		if n := calls[i].Load(); n != 1 {
			t.Errorf("%d was called %d times", i, n)
		}
	}
}

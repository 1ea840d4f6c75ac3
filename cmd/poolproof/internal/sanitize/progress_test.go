package sanitize

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// noting is a writer that makes a file when it is written a text.
type noting struct {
	io.Writer
	text, file string
}

func (n *noting) Write(b []byte) (int, error) {
	if strings.Contains(string(b), n.text) {
		if err := os.WriteFile(n.file, nil, 0o666); err != nil {
			return 0, err
		}
	}
	return n.Writer.Write(b)
}

func TestTheFirstFindingIsShownBeforeItsPackageIsDone(t *testing.T) {
	dir := module(t, `
func TestMisuse(t *testing.T) {
	misuse(t, "read-after-put", "error")
	for range 6000 { // a minute
		if _, err := os.Stat("shown"); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
`)
	_, out, err := drive(t, dir, func(o *Options) {
		n := &noting{o.Stdout, "poolproof: the first finding, after ", filepath.Join(dir, "shown")}
		o.Stdout, o.Stderr = n, n
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	first, done := strings.Index(out, "poolproof: the first finding, after "), strings.Index(out, "--- FAIL: TestMisuse")
	if first < 0 || done < first {
		t.Errorf("the finding is shown at byte %d, the end of its test at %d of\n%s", first, done, out)
	}
	if strings.Count(out, "poolproof: the first finding") != 1 {
		t.Errorf("it is shown again:\n%s", out)
	}
}

func TestWarningsAndIgnoredMisuseAreNoFirstFinding(t *testing.T) {
	dir := module(t, `
func TestWarning(t *testing.T) { misuse(t, "read-after-put", "warning"); time.Sleep(2 * time.Second) }
//poolproof:ignore it is what is tested
func TestIgnored(t *testing.T) { misuse(t, "read-after-put", "error"); time.Sleep(2 * time.Second) }
`)
	_, out, err := drive(t, dir, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(out, "the first finding") {
		t.Errorf("a finding that does not count is shown:\n%s", out)
	}
}

func TestPackagesAreCountedByTheirLastLine(t *testing.T) {
	const out = "?   \texample.com/a\t[no test files]\nok  \texample.com/b\t0.1s\n--- FAIL: TestX\n    ok  \tnot a package\nFAIL\nFAIL\texample.com/c\t0.2s\nok  \texample.com/d"
	for size := 1; size < 12; size++ {
		var c gotest.Watcher
		for rest := out; rest != ""; {
			n := min(size, len(rest))
			if _, err := c.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if c.Done() != 3 {
			t.Errorf("written %d bytes at a time: %d packages, want 3", size, c.Done())
		}
	}
}

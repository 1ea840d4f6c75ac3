package oas_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/buffer"
)

// What the documentation forbids, and the compiler does not, is seen by poolproof
// test: a Cursor that is kept after its walk. What may be kept, a Node and a
// pointer, is no finding. (A Node that is kept across Reset panics.)
func TestPoolproofSeesWhatIsKeptTooLong(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it builds the command and runs it")
	}
	program := filepath.Join(t.TempDir(), "poolproof")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = filepath.FromSlash("../../cmd/poolproof")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.Command(program, "test", "-reuse=off", "-tags", "misuse", "-run", "Cursor|Documented", "-v", "./internal/misuse")
	out, err := c.CombinedOutput()
	if c.ProcessState == nil || c.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v, want exit status 1\n%s", err, out)
	}
	for test, fails := range map[string]bool{"TestACursorKeptAfterItsWalk": true, "TestWhatIsKeptAsDocumented": false} {
		if fails != strings.Contains(string(out), "--- FAIL: "+test+" ") || fails != strings.Contains(string(out), "in        "+test+" of ") {
			t.Errorf("%s: a finding is wanted: %v\n%s", test, fails, out)
		}
	}
}

// A text that AppendJSON wrote into a buffer of a pool belongs to the pool after
// Release. The checked build fills the memory with bytes that no document has, so
// that a reader fails at once; with POOLPROOFDEBUG=guard the read itself faults.
func TestTheCheckedBuildSeesALeaseReadAfterRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it builds a test with the tag poolproofdebug")
	}
	for _, c := range []struct{ mode, test, want string }{
		{"", "TestALeaseReadAfterRelease", "this byte is not UTF-8"},
		{"", "TestAChunkKeptByAWriter", "this byte is not UTF-8"},
		{"guard", "TestALeaseReadAfterRelease", "unexpected fault address"},
		{"guard", "TestAChunkKeptByAWriter", "unexpected fault address"},
		{"", "TestALeaseReadBeforeRelease", ""},
		{"guard", "TestALeaseReadBeforeRelease", ""},
	} {
		t.Run(strings.TrimSuffix(c.test+" "+c.mode, " "), func(t *testing.T) {
			if c.mode == "guard" && runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
				t.Skip("SKIPPED: there is no guard mode here")
			}
			test := exec.Command("go", "test", "-vet=off", "-count=1", "-tags", "misuse,poolproofdebug", "-run", "^"+c.test+"$", "./internal/misuse")
			test.Env = append(os.Environ(), "POOLPROOFDEBUG="+c.mode)
			out, err := test.CombinedOutput()
			if (err != nil) != (c.want != "") || !strings.Contains(string(out), c.want) {
				t.Errorf("%v, want an output with %q\n%s", err, c.want, out)
			}
		})
	}
}

// The buffer itself cannot be used after Release in any build.
func TestAReleasedBufferRefusesADocument(t *testing.T) {
	d := parse(t, shop)
	b := buffer.New(buffer.Options{Name: "leases"}).Get(d.Size())
	b.Release()
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "Bytes after Release") {
			t.Errorf("panic %q, want one that says that Bytes was called after Release", text)
		}
	}()
	d.AppendJSON(b.Bytes()[:0]) //poolproof:ignore PV001 this test misuses b to see the panic
}

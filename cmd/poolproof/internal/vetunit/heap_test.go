package vetunit

import (
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

var kept [][]byte

// child is the test below in a process of its own. It prints whether there
// was a collection before the first 64 MiB, or whether the usual pace came back after
// the first one.
func child() {
	startLarge()
	var m runtime.MemStats
	for range 64 {
		kept = append(kept, make([]byte, 1<<20))
	}
	runtime.ReadMemStats(&m)
	if m.NumGC > 0 {
		println("collected early")
		return
	}
	runtime.GC()
	for range 10000 { // the cleanup runs some time after
		if debug.SetMemoryLimit(-1) == math.MaxInt64 && debug.SetGCPercent(100) == 100 {
			println("as usual")
			return
		}
		time.Sleep(time.Millisecond)
	}
	println("never as usual")
}

func TestTheFirstCollectionIsLate(t *testing.T) {
	if os.Getenv("VETUNIT_CHILD") != "" {
		child()
		return
	}
	for env, want := range map[string]string{
		"":                 "as usual",
		"GOGC=50":          "collected early",
		"GOMEMLIMIT=20MiB": "collected early",
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTheFirstCollectionIsLate$")
		cmd.Env = append(without(os.Environ(), "GOGC", "GOMEMLIMIT"), "VETUNIT_CHILD=1")
		if env != "" {
			cmd.Env = append(cmd.Env, env)
		}
		out, err := cmd.CombinedOutput()
		first, _, _ := strings.Cut(string(out), "\n")
		if err != nil || first != want {
			t.Errorf("%q: %q, want %q first (%v)", env, out, want, err)
		}
	}
}

func without(environ []string, names ...string) (rest []string) {
next:
	for _, e := range environ {
		for _, n := range names {
			if strings.HasPrefix(e, n+"=") {
				continue next
			}
		}
		rest = append(rest, e)
	}
	return rest
}

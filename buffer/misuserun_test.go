package buffer

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// outcome is how the process of a misuse ends, and what it prints.
type outcome struct {
	how   string
	parts []string
}

func ends(parts ...string) outcome   { return outcome{"ends", parts} }
func panics(parts ...string) outcome { return outcome{"panics", append(parts, "panic: ")} }
func races() outcome                 { return outcome{"is reported", []string{"WARNING: DATA RACE"}} }
func faults() outcome {
	return outcome{"faults", []string{"unexpected fault address", "misuse_test.go"}}
}

// misuseVariable is set in the processes that this test starts.
const misuseVariable = "POOLPROOF_TEST_MISUSE"

func TestMain(m *testing.M) {
	if name := os.Getenv(misuseVariable); name != "" {
		runMisuse(name)
		return
	}
	m.Run()
}

// runMisuse makes what comes back exact, as exactly does, and runs one row.
func runMisuse(name string) {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(-1)
	for _, m := range misuses {
		if m.name == name {
			fmt.Println(m.use(New(Options{Name: "misused"}))) //poolproof:ignore each row misuses a buffer, in a process of its own
		}
	}
}

func TestMisuse(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	run := func(t *testing.T, name, modes string, want outcome) {
		c := exec.Command(program)
		c.Env = append(os.Environ(), misuseVariable+"="+name, "POOLPROOFDEBUG="+modes, "GOTRACEBACK=single", "GORACE=atexit_sleep_ms=0")
		out, err := c.CombinedOutput()
		if ended := err == nil; ended != (want.how == "ends") {
			t.Errorf("the process ended with %v, but such a use %s; it printed:\n%s", err, want.how, out)
		}
		if strings.Contains(string(out), "(unknown place)") {
			t.Errorf("a stack is missing; the process printed:\n%s", out)
		}
		for _, part := range want.parts {
			if !strings.Contains(string(out), part) {
				t.Errorf("a use that %s lacks %q; the process printed:\n%s", want.how, part, out)
			}
		}
	}
	for _, m := range misuses {
		t.Run(m.name, func(t *testing.T) {
			switch {
			case checked && raceDetector && m.checked.how == "ends" && m.race.how == races().how:
				run(t, m.name, "", m.race) // the two builds in one: the report is more
			case checked:
				run(t, m.name, "", m.checked)
				if m.guard.how != "" && guardIsSupported() {
					run(t, m.name, "guard", m.guard)
				}
				if m.foreign.how != "" {
					run(t, m.name, "foreign", m.foreign)
				}
			case raceDetector:
				run(t, m.name, "", m.race)
			default:
				run(t, m.name, "", m.normal)
			}
		})
	}
}

// guardIsSupported reports whether the checked build has a guard mode here.
func guardIsSupported() bool { return runtime.GOOS == "linux" || runtime.GOOS == "darwin" }

// reissue returns a buffer that was released and, if headers are used again, the
// same header with its new owner. The checked build has no new owner for either yet:
// there it returns what another Get returned.
func reissue(p *Pool) (stale, current *Buffer) {
	for range 1000 {
		b := p.Get(100)
		at := start(b)
		b.Release()
		if c := p.Get(100); start(c) == at || checked {
			return b, c
		}
	}
	panic("nothing is used again")
}

// reissueMemory is reissue with the bytes of the released buffer.
func reissueMemory(p *Pool) (stale []byte, current *Buffer) {
	for range 1000 {
		b := p.Get(100)
		bytes := b.Bytes()
		b.Release()
		if c := p.Get(100); start(c) == unsafe.SliceData(bytes) || checked {
			return bytes, c
		}
	}
	panic("nothing is used again")
}

// sameMemory gets buffers until one has the memory of stale. If there is none,
// because the pool has dropped it, it returns the last.
func sameMemory(p *Pool, stale []byte) (b *Buffer) {
	for range 100 {
		if b = p.Get(100); start(b) == unsafe.SliceData(stale) {
			break
		}
	}
	return b
}

// meanwhile runs late after now, in a goroutine that the race detector does not
// see ordered after it: the sign is the number of goroutines.
func meanwhile(late, now func()) {
	done := make(chan any)
	before := runtime.NumGoroutine()
	go func() {
		defer func() { done <- recover() }()
		for runtime.NumGoroutine() < before+2 {
			time.Sleep(time.Millisecond)
		}
		late()
	}()
	now()
	go func() { select {} }()
	if r := <-done; r != nil {
		panic(r)
	}
}

// forget gets a buffer and does not release it.
//
//go:noinline
func forget(p *Pool) { p.Get(100) }

// leave has an owner leave something in the memory that Get(100) returns next.
func leave(p *Pool) {
	b := p.Get(100)
	copy(b.Bytes(), "password=hunter2")
	b.Release()
}

// refusal says how many slices were refused by f.
func refusal(p *Pool, f func()) string {
	before := p.Stats().Foreign
	f()
	return fmt.Sprintf("%d refused", p.Stats().Foreign-before)
}

// owners says whether two slices are the same memory.
func owners(a, b []byte) string {
	if unsafe.SliceData(a) == unsafe.SliceData(b) {
		return "two owners"
	}
	return "one owner"
}

package ledger

import (
	"fmt"
	"runtime"
	"strings"
)

// Stack is where a call came from: return addresses, the innermost first. The
// zero value is an unknown place.
type Stack []uintptr

// maxFrames bounds a Stack: enough to find the caller in, small enough to keep
// one for each object.
const maxFrames = 32

// Here returns the stack of its caller in the checked build and nil in the
// other, where it costs nothing.
func Here() Stack {
	if !Checked {
		return nil
	}
	return callers()
}

func callers() Stack {
	var pcs [maxFrames]uintptr
	n := runtime.Callers(3, pcs[:]) // without Callers, callers and Here
	return append(Stack(nil), pcs[:n]...)
}

// String returns the stack as the dump of a goroutine shows it, two lines a
// frame, each ended. It starts at the first frame outside the library and ends
// before the runtime's.
func (s Stack) String() string {
	if len(s) == 0 {
		return "\t(unknown place)\n"
	}
	var b strings.Builder
	frames := runtime.CallersFrames(s)
	inside := true
	for {
		f, more := frames.Next()
		inside = inside && ours(f.Function, f.File)
		if !inside && !strings.HasPrefix(f.Function, "runtime.") {
			fmt.Fprintf(&b, "%s(...)\n\t%s:%d\n", f.Function, f.File, f.Line)
		}
		if !more {
			break
		}
	}
	return b.String()
}

// module is the path of the library; the modules below it (systems, studies)
// are users like any other.
const module = "github.com/poolproof/poolproof/"

// ours reports whether a frame is the library's own, and not of its tests.
func ours(function, file string) bool {
	if strings.HasPrefix(function, "sync.(*Pool).") {
		return true // between the library's Get and what makes an object
	}
	path, found := strings.CutPrefix(function, module)
	if !found || strings.HasSuffix(file, "_test.go") {
		return false
	}
	for _, own := range []string{"pool.", "buffer.", "hotswap.", "hotswap/", "internal/"} {
		if strings.HasPrefix(path, own) {
			return true
		}
	}
	return false
}

// Entry is one object as a Book knows it. It does not keep the object alive.
type Entry struct {
	Pool      string
	Addr      uintptr
	Size      int    // bytes, as Out or In was told
	Seq       uint64 // when it was handed out, on the clock of Now; 0: never
	Got       Stack  // where it was handed out; checked build only
	Put       Stack  // where it was given back, if it was; checked build only
	Collected bool   // the garbage collector took it while it was out
}

// String says what is out, and where it was got.
func (e Entry) String() string {
	state := ""
	if e.Collected {
		state = ", already collected"
	}
	return fmt.Sprintf("%s: an object of %d bytes at %#x%s, got at\n%s", e.Pool, e.Size, e.Addr, state, e.Got)
}

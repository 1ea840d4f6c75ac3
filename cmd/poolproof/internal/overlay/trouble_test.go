package overlay

import "testing"

// What the system could not do is no mistake in the source.
func TestTroubleOfTheSystemIsTold(t *testing.T) {
	for stderr, want := range map[string]string{
		"": "",
		"# example.com/app\n./app.go:3:2: undefined: x\n":                                     "",
		`./app.go:3:2: cannot use "no space left on device" (untyped string constant) as int`: "",
		"app.c:1:1: fatal error: error writing to /tmp/x.s: No space left on device\n":        "app.c:1:1: fatal error: error writing to /tmp/x.s: No space left on device",
		"go: writing: write /tmp/b001/x.a: no space left on device":                           "go: writing: write /tmp/b001/x.a: no space left on device",
		"# example.com/app\nlink: write /tmp/a.out: no space left on device\n":                "link: write /tmp/a.out: no space left on device",
		"# example.com/app\n/usr/lib/go/pkg/tool/link: signal: killed\n":                      "/usr/lib/go/pkg/tool/link: signal: killed",
		"go: RLock /root/.cache/x: read-only file system":                                     "go: RLock /root/.cache/x: read-only file system",
		"go build runtime: open x: too many open files\ngo build y: open z: no such file":     "go build runtime: open x: too many open files",
		"# a\nfatal error: runtime: out of memory\n\nruntime stack:\nruntime.throw(0x1)\n":    "fatal error: runtime: out of memory",
	} {
		if got := (&CommandError{Stderr: stderr}).Trouble(); got != want {
			t.Errorf("%q: trouble %q, want %q", stderr, got, want)
		}
	}
}

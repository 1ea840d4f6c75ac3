// Package expect has what the library's tests ask of panics, of texts, and of what
// the garbage collector brings about.
package expect

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/internal/gcepoch"
)

// Panic returns what f panics with as a text, "" if it does not.
func Panic(f func()) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint(p)
		}
	}()
	f()
	return ""
}

// InOrder fails the test unless text has all parts, in that order.
func InOrder(t testing.TB, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Errorf("%q is not (or not in that place) in\n%s", part, text)
			return
		}
		rest = after
	}
}

// patience is how long Eventually and AfterGC wait.
const patience = 30 * time.Second

// Eventually waits until something holds that other goroutines bring about.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	await(t, what, holds, func() { time.Sleep(time.Millisecond) })
}

// AfterGC waits until something holds that cleanups bring about, which run some time
// after a collection.
func AfterGC(t testing.TB, what string, holds func() bool) {
	t.Helper()
	await(t, what, holds, func() { gcepoch.Collect(1) })
}

func await(t testing.TB, what string, holds func() bool, pause func()) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); pause() {
		if time.Now().After(deadline) {
			t.Fatalf("not %s after %v", what, patience)
		}
	}
}

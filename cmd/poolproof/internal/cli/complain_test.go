package cli

import (
	"fmt"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

func TestAnErrorIsWordedByFlags(t *testing.T) {
	for want, err := range map[string]error{
		"building: EOF":      fault.Errorf(fault.Code, "building: EOF"),
		"-base v1: no such":  fault.Option("base", "v1", "no such"),
		"-resume D: EOF":     fault.Option("resume", "D", "EOF"),
		"a: resume D: EOF":   fmt.Errorf("a: %w", fault.Option("resume", "D", "EOF")),
		"-index: unreadable": fault.Option("index", "", "unreadable"),
		"-base v1: HEAD is the same commit; -aa shows the noise of this machine": fault.Option("base", "v1", "HEAD is %w", build.ErrSameCommit),
	} {
		if got := Worded(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

package study

import (
	"strings"
	"testing"
)

func TestLeavesComeInTurn(t *testing.T) {
	leaves := strings.Fields("A/1 A/2 A/3 B C/x/1 C/x/2")
	got := InTurn(leaves, func(name string) string { return name })
	if got, want := strings.Join(got, " "), "A/1 B C/x/1 A/2 C/x/2 A/3"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if leaves[1] != "A/2" {
		t.Error("the list was changed")
	}
}

package fault

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestTheOutermostKindCounts(t *testing.T) {
	inner := Errorf(Code, "building %s: %w", "x", io.EOF)
	for _, tt := range []struct {
		err  error
		want Kind
	}{
		{nil, Other},
		{io.EOF, Other},
		{inner, Code},
		{fmt.Errorf("more: %w", inner), Code},
		{Errorf(Input, "outer: %w", inner), Input},
		{Option("base", "v1", "%w", inner), Input},
	} {
		if got := KindOf(tt.err); got != tt.want {
			t.Errorf("KindOf(%v) = %v, want %v", tt.err, got, tt.want)
		}
	}
}

func TestAnErrorSaysItsOptionAndHidesNothing(t *testing.T) {
	for want, err := range map[string]error{
		"reading: EOF":          Errorf(Tools, "reading: %w", io.EOF),
		"base v1: reading: EOF": Option("base", "v1", "reading: %w", io.EOF),
		"base: reading: EOF":    Option("base", "", "reading: %w", io.EOF),
	} {
		if err.Error() != want || !errors.Is(err, io.EOF) {
			t.Errorf("%v; want %s, and the error in it", err, want)
		}
	}
}

func TestEveryKindHasAName(t *testing.T) {
	seen := map[string]bool{}
	for k := Other; k <= Interrupted; k++ {
		seen[k.String()] = true
	}
	if len(seen) != int(Interrupted)+1 || (Interrupted+1).String() != "kind 6" || Kind(-1).String() != "kind -1" {
		t.Errorf("the kinds are called %v", seen)
	}
}

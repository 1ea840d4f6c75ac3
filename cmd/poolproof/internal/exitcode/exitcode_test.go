package exitcode

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestTheStrongestCodeWins(t *testing.T) {
	order := []int{130, 2, 3, 5, 1, 4, 0}
	for i, strong := range order {
		for _, weak := range order[i:] {
			if got := Highest(weak, strong); got != strong {
				t.Errorf("Highest(%d, %d) = %d", weak, strong, got)
			}
			if got := Highest(strong, weak, weak); got != strong {
				t.Errorf("Highest(%d, %d, %d) = %d", strong, weak, weak, got)
			}
		}
	}
	if got := Highest(); got != OK {
		t.Errorf("Highest() = %d", got)
	}
}

func TestAnErrorHasItsCode(t *testing.T) {
	inner := Errorf(Build, "building %s: %w", "x", io.EOF)
	for _, tt := range []struct {
		err  error
		want int
	}{
		{nil, OK},
		{io.EOF, Usage},
		{inner, Build},
		{fmt.Errorf("more: %w", inner), Build},
		{Errorf(Unsafe, "outer: %w", inner), Unsafe},
	} {
		if got := Of(tt.err); got != tt.want {
			t.Errorf("Of(%v) = %d, want %d", tt.err, got, tt.want)
		}
	}
	if inner.Error() != "building x: EOF" || !errors.Is(inner, io.EOF) {
		t.Errorf("%v hides what it wraps", inner)
	}
}

package size

import (
	"os"
	"testing"
	"time"
)

func TestOf(t *testing.T) {
	if Of(-2) != 2 || Of(2) != 2 || os.Getenv("SIZE_IS_WRONG") != "" {
		t.Error(Of(-2), Of(2))
	}
}

func TestStore(t *testing.T) {
	var n int
	if Store(&n, 7); n != 7 {
		t.Error(n)
	}
}

func TestFirst(t *testing.T) {
	if First(1, 2) != 1 {
		t.Error(First(1, 2))
	}
}

func TestMost(t *testing.T) {
	if most != 10 {
		t.Error(most)
	}
}

func TestLabels(t *testing.T) {
	if n := Small([][]int{{5}, {11}, {6}}); n != 2 {
		t.Error(n)
	}
}

func TestSlow(t *testing.T) {
	time.Sleep(400 * time.Millisecond)
	if NotThree(3) {
		t.Error("3 is not 3")
	}
}

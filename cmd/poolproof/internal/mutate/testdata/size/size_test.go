package size

import "testing"

func TestOf(t *testing.T) {
	if Of(-2) != 2 || Of(2) != 2 {
		t.Error(Of(-2), Of(2))
	}
}

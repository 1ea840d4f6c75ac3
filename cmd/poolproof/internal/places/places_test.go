package places_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/places"
)

func TestAFindingTellsOfNothingThatAnotherDoesNot(t *testing.T) {
	for _, test := range []struct {
		places, other string
		want          bool
	}{
		{"", "", false},
		{"a", "a", false},
		{"aa", "a", false},
		{"ab", "ab", true},
		{"ab", "bac", true},
		{"abc", "ab", false},
		{"ab", "", false},
	} {
		if got := places.Tells([]byte(test.places), []byte(test.other)); got != test.want {
			t.Errorf("%q of %q: %t", test.places, test.other, got)
		}
	}
}

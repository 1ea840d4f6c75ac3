package trycmd

import (
	"strings"
	"testing"
)

func TestTheHelpNamesThePagesOfARun(t *testing.T) {
	if len(shown.Pages) == 0 {
		t.Error("a run writes no page")
	}
	for _, p := range shown.Pages {
		if !strings.Contains(Help(), p.Name) {
			t.Errorf("the help does not name %s", p.Name)
		}
	}
}

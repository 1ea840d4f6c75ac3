package git

import (
	"slices"
	"strings"
	"testing"
)

func TestAHooksRepositoryIsNotOurs(t *testing.T) {
	for _, name := range bound {
		t.Setenv(name, "elsewhere")
	}
	t.Setenv("GIT_AUTHOR_NAME", "somebody")
	env := environ()
	for _, e := range env {
		if strings.HasSuffix(e, "=elsewhere") {
			t.Errorf("%s is left", e)
		}
	}
	if !slices.Contains(env, "GIT_AUTHOR_NAME=somebody") {
		t.Error("the author is lost")
	}
}

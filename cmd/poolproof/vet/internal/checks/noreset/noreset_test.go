package noreset_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/noreset"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
)

func Test(t *testing.T) { checktest.Run(t, noreset.Check, "a", "stale", "fields") }

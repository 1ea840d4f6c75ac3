package leakpath_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/leakpath"
)

func Test(t *testing.T) { checktest.Run(t, leakpath.Check, "a") }

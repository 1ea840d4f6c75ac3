package leakpath_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/leakpath"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
)

func Test(t *testing.T) { checktest.Run(t, leakpath.Check, "a", "fields", "fit", "chanpool", "recv") }

package typemismatch_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/typemismatch"
)

func Test(t *testing.T) { checktest.Run(t, typemismatch.Check, "a") }

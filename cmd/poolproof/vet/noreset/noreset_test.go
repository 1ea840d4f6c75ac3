package noreset_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/noreset"
)

func Test(t *testing.T) { checktest.Run(t, noreset.Check, "a") }

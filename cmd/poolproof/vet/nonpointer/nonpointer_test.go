package nonpointer_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/nonpointer"
)

func Test(t *testing.T) { checktest.Run(t, nonpointer.Check, "a") }

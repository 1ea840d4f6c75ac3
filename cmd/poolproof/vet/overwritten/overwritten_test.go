package overwritten_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/overwritten"
)

func Test(t *testing.T) { checktest.Run(t, overwritten.Check, "a") }

package oversize_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/oversize"
)

func Test(t *testing.T) { checktest.Run(t, oversize.Check, "a") }

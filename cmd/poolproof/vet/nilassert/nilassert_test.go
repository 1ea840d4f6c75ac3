package nilassert_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/nilassert"
)

func Test(t *testing.T) { checktest.Run(t, nilassert.Check, "a") }

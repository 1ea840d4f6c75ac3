package returnalias_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/returnalias"
)

func Test(t *testing.T) { checktest.Run(t, returnalias.Check, "a", "fixed") }

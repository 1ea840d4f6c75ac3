package deferinloop_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/deferinloop"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
)

func Test(t *testing.T) { checktest.Run(t, deferinloop.Check, "a") }

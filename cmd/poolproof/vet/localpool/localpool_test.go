package localpool_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/localpool"
)

func Test(t *testing.T) { checktest.Run(t, localpool.Check, "a") }

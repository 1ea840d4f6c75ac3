package neverput_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/neverput"
)

func Test(t *testing.T) { checktest.Run(t, neverput.Check, "a") }

package useafterput_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/useafterput"
)

func Test(t *testing.T) { checktest.Run(t, useafterput.Check, "a", "fixed") }

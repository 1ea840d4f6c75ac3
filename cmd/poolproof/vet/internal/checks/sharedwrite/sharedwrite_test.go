package sharedwrite_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/sharedwrite"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
)

func Test(t *testing.T) { checktest.Run(t, sharedwrite.Check, "a") }

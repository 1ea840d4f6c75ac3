package lostgrowth_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/lostgrowth"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
)

func Test(t *testing.T) { checktest.Run(t, lostgrowth.Check, "a", "cut") }

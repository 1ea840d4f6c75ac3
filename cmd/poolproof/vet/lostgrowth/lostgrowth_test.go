package lostgrowth_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/lostgrowth"
)

func Test(t *testing.T) { checktest.Run(t, lostgrowth.Check, "a") }

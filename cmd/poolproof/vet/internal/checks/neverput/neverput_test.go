package neverput_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/neverput"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
)

func Test(t *testing.T) {
	checktest.Run(t, neverput.Check, "a", "example.com/memory", "gor", "heap", "holder", "kept", "derived", "queries")
}

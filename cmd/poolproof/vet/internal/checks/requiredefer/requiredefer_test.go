package requiredefer_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/requiredefer"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
)

func Test(t *testing.T) {
	checktest.Set(t, "require-defer", "getBuffer, store.get, a.Exported")
	checktest.Run(t, requiredefer.Check, "a")
}

func TestNothingIsRequiredWithoutTheFlag(t *testing.T) {
	checktest.Run(t, requiredefer.Check, "silent")
}

package plan

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
)

func TestAProgramKnowsItsOwnFile(t *testing.T) {
	p := program()
	if len(p.SHA256) != 64 || p.Engine != duet.Version {
		t.Errorf("program %+v", p)
	}
}

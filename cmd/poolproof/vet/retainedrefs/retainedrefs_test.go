package retainedrefs_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/retainedrefs"
)

func Test(t *testing.T) { checktest.Run(t, retainedrefs.Check, "a") }

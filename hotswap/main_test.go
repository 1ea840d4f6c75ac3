package hotswap_test

import (
	"os"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
)

// TestMain has values used again at once, in the checked build too: most tests are of
// that.
func TestMain(m *testing.M) {
	hotswap.SetDelay(0)
	os.Exit(m.Run())
}

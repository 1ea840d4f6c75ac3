package toolchain

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/keep"
)

// store writes the contents into a folder, named by their sum, and returns
// where each path finds its replacement. Several processes may do that at the
// same time.
func store(dir string, files map[string][]byte) (map[string]string, error) {
	replace := map[string]string{}
	for path, text := range files {
		sum := sha256.Sum256(text)
		name := filepath.Join(dir, hex.EncodeToString(sum[:8])+"_"+filepath.Base(path))
		if err := keep.File(name, text); err != nil {
			return nil, err
		}
		replace[path] = name
	}
	return replace, nil
}

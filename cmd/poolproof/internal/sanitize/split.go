package sanitize

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/bymodule"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// byModule sorts packages that are folders by the module that they lie in: one
// go test can test those of one.
var byModule = bymodule.Command{Name: "test"}

// workDir is the folder of the go command: Dir, and -C from there.
func workDir(o Options, line *gotest.Line) (string, error) {
	dir := o.Dir
	if c, ok := line.Get("C"); ok {
		// It must stand first, and is done by us.
		*line = line.Without("C")
		if filepath.IsAbs(c) {
			dir = c
		} else {
			dir = filepath.Join(dir, c)
		}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return "", exitcode.Errorf(exitcode.Usage, "test: %s: no such folder", abs)
	}
	return abs, nil
}

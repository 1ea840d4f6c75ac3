package suite

import (
	"os/exec"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/procgroup"
)

// group gives the process a group of its own, which ends as a whole.
func group(cmd *exec.Cmd) {
	procgroup.Own(cmd)
	cmd.Cancel = func() error { return procgroup.Kill(cmd) }
}

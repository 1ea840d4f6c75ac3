package duet

import (
	"os/exec"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/procgroup"
)

// ownGroup gives the process a group of its own, so that all it starts can be
// ended with it, and has the kernel end it if we die without a word.
func ownGroup(cmd *exec.Cmd) {
	procgroup.Own(cmd)
	procgroup.Tie(cmd)
}

// stop halts the process and all that it started, where the system can.
func (p *Proc) stop() { _ = procgroup.Stop(p.cmd) }

// resume lets them go on.
func (p *Proc) resume() { _ = procgroup.Continue(p.cmd) }

// killGroup ends the process and all that it started.
func killGroup(cmd *exec.Cmd) { _ = procgroup.Kill(cmd) }

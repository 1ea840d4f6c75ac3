package duet

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the process a group of its own, so that all it starts can be
// ended with it, and has the kernel end it if we die without a word.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

//go:build unix && !linux

package duet

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the process a group of its own, so that all it starts can be
// ended with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

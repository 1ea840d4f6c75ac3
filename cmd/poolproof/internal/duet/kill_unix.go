//go:build unix

package duet

import (
	"os/exec"
	"syscall"
)

// killGroup ends the process and all that it started.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

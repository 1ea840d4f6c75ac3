//go:build unix

package vetrun

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a command a process group, and has the end of its context
// interrupt all of it: the go command alone would wait for what it has started.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}

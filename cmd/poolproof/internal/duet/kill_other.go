//go:build !unix

package duet

import "os/exec"

// ownGroup does nothing: there are no process groups here.
func ownGroup(cmd *exec.Cmd) {}

// killGroup ends the process.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		cmd.Process.Kill()
	}
}

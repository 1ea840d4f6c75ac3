// Package procgroup gives commands that start others a process group of their
// own, so that they and all that they have started can be interrupted, or ended,
// together. Where there are no process groups, it is the command alone.
package procgroup

import "os/exec"

// Own gives cmd, which is not started yet, a process group. The end of its
// context, if it has one, interrupts the group as Ctrl-C in a terminal does: a
// command such as go would else be ended alone, and what it has started go on.
func Own(cmd *exec.Cmd) {
	own(cmd)
	if cmd.Cancel != nil { // only a command with a context may have one
		cmd.Cancel = func() error { return interrupt(cmd) }
	}
}

// Kill ends what is left of the group of cmd, which may have ended itself. It
// does nothing if cmd was not started.
func Kill(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return nil
	}
	return kill(cmd)
}

// Tie has the kernel end cmd should this program end without a word, where the
// kernel can. Own comes before it.
func Tie(cmd *exec.Cmd) { tie(cmd) }

// Stop halts the group of cmd until Continue, where there are process groups.
func Stop(cmd *exec.Cmd) error { return stop(cmd) }

// Continue lets the group of cmd go on after Stop.
func Continue(cmd *exec.Cmd) error { return resume(cmd) }

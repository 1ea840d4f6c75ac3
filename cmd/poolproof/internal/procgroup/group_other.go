//go:build !unix

package procgroup

import "os/exec"

func own(*exec.Cmd) {}

func interrupt(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func stop(*exec.Cmd) error { return nil }

func resume(*exec.Cmd) error { return nil }

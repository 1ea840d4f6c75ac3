package netlab

import (
	"os"

	"golang.org/x/sys/unix"
)

// enter moves the calling thread into a namespace.
func enter(ns string) error {
	f, err := os.Open("/run/netns/" + ns)
	if err != nil {
		return err
	}
	defer f.Close()
	return os.NewSyscallError("setns", unix.Setns(int(f.Fd()), unix.CLONE_NEWNET))
}

//go:build !unix

package sanitize

import (
	"errors"
	"os"
	"os/exec"
)

// become runs the program as a child: elsewhere a process cannot become
// another one.
func become(path string, command []string) (code int, err error) {
	cmd := exec.Command(path, command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

package vetrun

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/procgroup"
)

// output is the output of a command.
type output struct{ stdout, stderr string }

// goCommand runs the go command in a folder. An error of the kind [fault.Tools]
// says that there is none; any other is the command's own, and goes with what it printed.
func goCommand(ctx context.Context, dir string, env []string, args ...string) (output, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return output{}, fault.Errorf(fault.Tools, "no Go toolchain: the go command is not in PATH; install it from https://go.dev/dl")
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "PWD="+dir), env...)
	procgroup.Own(cmd)
	cmd.WaitDelay = 5 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return output{stdout.String(), stderr.String()}, err
}

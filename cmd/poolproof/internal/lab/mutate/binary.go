package mutate

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// binary is the compiled tests of a package.
type binary struct {
	file   string
	folder string // of the package
}

// outcome is what became of a mutant.
type outcome string

const (
	killed   outcome = "killed"
	timedOut outcome = "timed out" // no test failed before the limit ended them
	survived outcome = "survived"
	noMutant outcome = "no mutant" // it does not compile, or could not be made
)

// run runs tests as one of the mutants that are woven into the binary, or as the
// code itself if it is none of them, for up to limit.
func (b binary) run(ctx context.Context, mutant string, limit time.Duration, args ...string) (outcome, string) {
	ctx, cancel := context.WithTimeout(ctx, limit+time.Minute) // to say where it hangs
	defer cancel()
	file, err := filepath.Abs(b.file)
	if err != nil {
		return noMutant, err.Error()
	}
	c := exec.CommandContext(ctx, file, append([]string{"-test.short", "-test.failfast", "-test.paniconexit0", "-test.timeout=" + limit.String()}, args...)...)
	c.Dir = b.folder
	c.Env = append(os.Environ(), chosen+"="+mutant)
	c.WaitDelay = time.Minute // if it left somebody behind who could still print
	output, err := c.CombinedOutput()
	out := string(output)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survived, out
	case ctx.Err() != nil, strings.Contains("\n"+out, "\npanic: test timed out after "):
		return timedOut, out
	case !errors.As(err, &exit):
		return noMutant, err.Error() + "\n" + out
	}
	return killed, out
}

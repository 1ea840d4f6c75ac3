package mutate

import (
	"context"
	"errors"
	"fmt"
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

// build compiles the tests of a package of the code in root with other texts for
// some files, which may be new. The compiler's output is its error.
func build(ctx context.Context, dir, root, tests string, texts map[string]string) (binary, error) {
	list, err := write(dir, texts)
	if err != nil {
		return binary{}, err
	}
	b := binary{file: filepath.Join(dir, "mutant.test"), folder: filepath.Join(root, filepath.FromSlash(tests))}
	c := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-o", b.file, "-overlay="+list, tests)
	c.Dir = root
	out, err := c.CombinedOutput()
	if err != nil {
		return binary{}, fmt.Errorf("%w\n%s", err, out)
	}
	if _, err := os.Stat(b.file); err != nil {
		return binary{}, fmt.Errorf("%s has no tests: %s", tests, strings.TrimSpace(string(out)))
	}
	return b, nil
}

// outcome is the result of running a mutant.
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
	c := exec.CommandContext(ctx, b.file, append([]string{"-test.short", "-test.failfast", "-test.paniconexit0", "-test.timeout=" + limit.String()}, args...)...)
	c.Dir = b.folder
	c.Env = append(os.Environ(), chosen+"="+mutant)
	c.WaitDelay = time.Minute // if it left a process that can still print
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

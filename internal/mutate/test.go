package mutate

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Test runs go test with an overlay in a folder and tells whether a test
// failed. That the mutant does not compile, or that nothing ran, is an error: it
// shows nothing about the tests.
func Test(ctx context.Context, dir, overlay string, args ...string) (noticed bool, out []byte, err error) {
	args = append([]string{"test", "-count=1", "-vet=off", "-failfast", "-overlay=" + overlay}, args...)
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir = dir
	out, err = c.CombinedOutput()
	var exit *exec.ExitError
	switch text := string(out); {
	case err == nil && strings.Contains(text, "[no tests to run]"):
		return false, out, errors.New("no test ran")
	case err == nil:
		return false, out, nil
	case ctx.Err() != nil:
		return false, out, ctx.Err()
	case !errors.As(err, &exit):
		return false, out, err
	case strings.Contains(text, "[build failed]"), strings.Contains(text, "[setup failed]"):
		return false, out, fmt.Errorf("the mutant does not build:\n%s", out)
	}
	return true, out, nil
}

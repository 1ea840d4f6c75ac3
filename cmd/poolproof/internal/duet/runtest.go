package duet

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// ErrNoTest says that a test binary has no test of the name that was asked for.
var ErrNoTest = errors.New("no such test")

// RunTest runs the one test of that name in a test binary, built for whatever
// engine, and returns what it printed. A test that is not there is ErrNoTest.
// One that fails, skips itself, crashes or does not end in time is an error
// that holds what it printed.
func RunTest(ctx context.Context, s Program, name string, timeout time.Duration) (printed string, err error) {
	p, all, err := runBinary(ctx, s, timeout, "-test.run=^"+regexp.QuoteMeta(name)+"$", "-test.v", "-test.paniconexit0")
	text := strings.TrimSpace(all.String())
	result := regexp.MustCompile(`(?m)^--- (PASS|FAIL|SKIP): ` + regexp.QuoteMeta(name) + ` `).FindStringSubmatch(text)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return "", fmt.Errorf("%s did not end in %v: it hangs, or needs a longer -timeout", name, timeout)
	case err != nil:
		return "", fmt.Errorf("%s fails (%w):\n%s", name, err, bounded(strings.TrimSpace(text+"\n"+p.errors.String())))
	case result == nil && !strings.Contains(text, "=== RUN"):
		return "", fmt.Errorf("%w: the test binary has no %s", ErrNoTest, name)
	case result == nil || result[1] != "PASS":
		return "", fmt.Errorf("%s does not pass:\n%s", name, bounded(text))
	}
	return text, nil
}

// Exec runs a test binary to its end, with all that it starts, and returns what
// it printed. The error is that of the process; context.DeadlineExceeded after
// timeout, and that of ctx if it ended first.
func Exec(ctx context.Context, s Program, timeout time.Duration, args ...string) (stdout, stderr string, err error) {
	p, all, err := runBinary(ctx, s, timeout, args...)
	return all.String(), p.errors.String(), err
}

// bounded keeps the beginning of a long text, where a failure is told first.
func bounded(text string) string {
	const most = 8 << 10
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "\n..."
}

//go:build unix

package procgroup_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/procgroup"
)

// family is a shell and what it has started.
type family struct {
	shell *exec.Cmd
	ended chan struct{} // closed when nobody has the shell's output open any more
}

// start starts a shell that starts another process.
func start(ctx context.Context, t *testing.T) family {
	t.Helper()
	cmd := exec.CommandContext(ctx, "sh", "-c", "sleep 600 & echo started; wait")
	procgroup.Own(cmd)
	procgroup.Tie(cmd)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = write
	err = cmd.Start()
	write.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = procgroup.Kill(cmd) })
	f := family{cmd, make(chan struct{})}
	out := bufio.NewReader(read)
	if line, err := out.ReadString('\n'); err != nil {
		t.Fatal(line, err)
	}
	go func() {
		_, _ = io.Copy(io.Discard, out)
		read.Close()
		close(f.ended)
	}()
	return f
}

// ends waits until all of a family is gone.
func (f family) ends(t *testing.T) {
	t.Helper()
	select {
	case <-f.ended:
	case <-time.After(time.Minute):
		t.Error("what the shell has started is still there")
	}
}

func TestKillEndsWhatTheCommandHasStarted(t *testing.T) {
	f := start(t.Context(), t)
	if err := procgroup.Kill(f.shell); err != nil {
		t.Fatal(err)
	}
	f.ends(t)
	_ = f.shell.Wait()
}

func TestTheEndOfTheContextInterruptsTheGroup(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	f := start(ctx, t)
	end()
	var exit *exec.ExitError
	if err := f.shell.Wait(); !errors.As(err, &exit) {
		t.Fatalf("error %v", err)
	}
	if s := exit.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGINT {
		t.Errorf("the shell ended otherwise: %v", exit)
	}
	// What a shell that is not interactive starts in the background ignores the
	// interrupt: what is left is for Kill.
	_ = procgroup.Kill(f.shell)
	f.ends(t)
}

func TestKillOfACommandThatWasNotStarted(t *testing.T) {
	if err := procgroup.Kill(exec.Command("sh")); err != nil {
		t.Error(err)
	}
}

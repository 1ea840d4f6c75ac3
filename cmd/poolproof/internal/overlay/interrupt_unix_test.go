//go:build unix

package overlay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A linker must not go on when the go command that started it is interrupted.
func TestWhatTheGoCommandHasStartedEndsWithIt(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "go")
	if err := os.WriteFile(name, []byte("#!/bin/sh\nsleep 600 &\necho $! >pid.new\nmv pid.new pid\nwait\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	pid := 0
	go func() {
		defer cancel()
		for range 3000 {
			if text, err := os.ReadFile(filepath.Join(dir, "pid")); err == nil {
				pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	if _, err := (&Toolchain{command: name}).Go(ctx, dir, "test", "-c"); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	<-ctx.Done()
	if pid == 0 {
		t.Fatal("the command has started nothing")
	}
	for range 3000 {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || zombie(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	t.Error("what it has started is still there")
}

// zombie reports whether a process has ended and waits for its parent.
func zombie(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(text), ") Z ")
}

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestWhatCameOverStandardInputIsKept: it cannot be read again, whatever ends it.
func TestWhatCameOverStandardInputIsKept(t *testing.T) {
	const two = "{\"n\":1}\n{\"n\":2}\n"
	zipped := func(s string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(s))
		z.Flush()
		return b.String()
	}
	for name, c := range map[string]struct {
		sent, flags string
		flows       bool   // until the interrupt
		closed      bool   // and not interrupted
		code        int    // of the end
		want        string // a part of what stands in the file, or no file
		says        string
	}{
		"it is silent":                     {sent: two, code: exitInterrupted, want: "n\n1\n2\n", says: "interrupted"},
		"a line has begun":                 {sent: two + "{\"n\":3", code: exitInterrupted, want: "n\n1\n2\n", says: "interrupted"},
		"more and more comes":              {sent: two, flows: true, code: exitInterrupted, want: "n\n1\n2\n1\n2\n", says: "interrupted"},
		"it is compressed":                 {sent: zipped(two), code: exitInterrupted, want: "n\n1\n2\n", says: "interrupted"},
		"objects over several lines":       {sent: "{\n\"n\":1}\n{\n\"n\":2}\n", code: exitInterrupted, want: "n\n1\n2\n", says: "interrupted"},
		"the compressed objects end":       {sent: zipped("{\n\"n\":1}\n{\n\"n\":2}\n"), closed: true, code: exitUsage, want: "n\n1\n2\n", says: "EOF"},
		"a list":                           {sent: "[\n{\"n\":1}\n,{\"n\":2}\n", code: exitInterrupted, want: "n\n1\n2\n", says: "interrupted"},
		"several files":                    {sent: two, flags: "-rows 1", code: exitInterrupted, want: "n\n1\n", says: "interrupted"},
		"nothing came":                     {sent: "", code: exitInterrupted, says: "interrupted"},
		"a line is no log":                 {sent: two + "panic: x\n", closed: true, code: exitUsage, want: "n\n1\n2\n", says: "line 3"},
		"the compressed data end":          {sent: zipped(two), closed: true, code: exitUsage, want: "n\n1\n2\n", says: "EOF"},
		"the first line is no log":         {sent: "{]\n", closed: true, code: exitUsage, says: "line 1"},
		"it ends as it should":             {sent: two, closed: true, code: exitDone, want: "n\n1\n2\n"},
		"the column of -sort is not there": {sent: two, flags: "-sort m", closed: true, code: exitUsage, says: "-sort"},
	} {
		out := filepath.Join(t.TempDir(), "o.parquet")
		args := append(append([]string{"convert"}, strings.Fields(c.flags)...), "-", out)
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), "ARROWLOG_TEST_MAIN=1")
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		cmd.Stdin = r
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		context.AfterFunc(ctx, func() { cmd.Process.Kill() })
		w.WriteString(c.sent)
		for quiet := 0; quiet < 3 && ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
			n, err := unix.IoctlGetInt(int(r.Fd()), unix.TIOCINQ)
			if err != nil {
				t.Fatal(err)
			}
			if quiet++; n > 0 || !waits(cmd.Process.Pid) {
				quiet = 0
			}
		}
		if c.flows {
			r.Close() // so that writing ends with the process
			much := make(chan struct{})
			go func() {
				n, err := 0, error(nil)
				for written := 0; err == nil; written += n {
					if n, err = w.WriteString(c.sent); written < 1<<20 && written+n >= 1<<20 {
						close(much) // a pipe holds less: it has read most of that
					}
				}
			}()
			select {
			case <-much:
			case <-ctx.Done():
			}
		}
		if c.closed {
			w.Close()
		} else {
			cmd.Process.Signal(os.Interrupt)
		}
		cmd.Wait()
		cancel()
		w.Close()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(stderr.String(), c.says) {
			t.Errorf("%s: it ended with %d, want %d: %s", name, code, c.code, &stderr)
		}
		if _, err := os.Stat(out); c.want == "" {
			if err == nil {
				t.Errorf("%s: there is a file", name)
			}
			continue
		}
		if !strings.Contains(stdout.String(), "o.parquet: ") {
			t.Errorf("%s: the file is not named: %q", name, &stdout)
		}
		if _, got, said := call("cat", out); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: the file has %.100q, want %q: %s", name, got, c.want, said)
		}
	}
}

// waits reports whether no thread of a process runs or wants to.
func waits(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	for _, name := range threads {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		if _, state, _ := strings.Cut(string(stat), ") "); strings.HasPrefix(state, "R") || strings.HasPrefix(state, "D") {
			return false
		}
	}
	return len(threads) > 0
}

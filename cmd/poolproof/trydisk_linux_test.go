package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Where the disk fills up while a run measures, what was measured is judged and
// said, no file is left half written, and the exit code is 2.
func TestAFullDiskTakesNoVerdictAway(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures")
	}
	module := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/full\n\ngo 1.24\n", "full_test.go": `package full

import "testing"

var sink []byte

func BenchmarkX(b *testing.B) {
	for _, way := range []string{"make", "keep"} {
		b.Run("way="+way, func(b *testing.B) {
			buf := make([]byte, 4000)
			for b.Loop() {
				if way == "make" {
					buf = make([]byte, 4000)
				}
				sink = buf
			}
		})
	}
}
`} {
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	disk := smallDisk(t, 24<<10, 0)
	out := filepath.Join(disk, "run")
	cmd := exec.Command("poolproof", "try", "-vary", "way", "-bench", "X", "-budget", "20s", "-out", out, ".")
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { // fills the disk once there is something to judge
		defer close(ended)
		for linesOf(filepath.Join(out, "records.jsonl")) < 1 {
			if cmd.ProcessState != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
		fill, err := os.Create(filepath.Join(disk, "fill"))
		if err != nil {
			return
		}
		defer fill.Close()
		for size := 1 << 20; size > 0; { // to the last byte
			if _, err := fill.Write(make([]byte, size)); err != nil {
				size /= 2
			}
		}
	}()
	_ = cmd.Wait() // its state tells more
	<-ended
	if code := cmd.ProcessState.ExitCode(); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
	if !bytes.Contains(stdout.Bytes(), []byte("\nBenchmarkX  keep ")) || !bytes.Contains(stderr.Bytes(), []byte("no space left on device")) {
		t.Error("the verdict or the cause is missing")
	}
	files, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().IsRegular() && info.Size() == 0 {
			t.Errorf("%s is empty (%v)", f.Name(), err)
		}
	}
	if t.Failed() {
		t.Logf("stdout:\n%s\nstderr:\n%s", &stdout, &stderr)
	}
}

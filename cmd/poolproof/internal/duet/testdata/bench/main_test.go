// Package bench has a benchmark of each kind that the engine must live with.
package bench

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// TestMain leaves traces: BENCH_PIDS names a folder for one file a process,
// gone once the process has ended as under go test. With BENCH_SLEEP set the
// process only sleeps.
func TestMain(m *testing.M) {
	if os.Getenv("BENCH_SLEEP") != "" {
		time.Sleep(time.Hour)
	}
	trace := ""
	if dir := os.Getenv("BENCH_PIDS"); dir != "" {
		trace = filepath.Join(dir, strconv.Itoa(os.Getpid()))
		if err := os.WriteFile(trace, nil, 0o666); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	if trace != "" {
		os.Rename(trace, trace+".tidy")
	}
	os.Exit(code)
}

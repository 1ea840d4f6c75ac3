package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

func TestPasses(t *testing.T)    { t.Log("result: sum 45") }
func TestPassesToo(t *testing.T) { t.Log("result: sum 46") }
func TestFails(t *testing.T)     { t.Error("no two arms agree") }
func TestSkips(t *testing.T)     { t.Skip("not on this machine") }
func TestExits(t *testing.T)     { os.Exit(0) }
func TestInner(t *testing.T)     { t.Run("Passes", func(t *testing.T) { t.Fatal("an inner one fails") }) }

// TestHangs hangs together with a child, whose trace it leaves.
func TestHangs(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "BENCH_SLEEP=1", "BENCH_PIDS=")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(os.Getenv("BENCH_PIDS"), strconv.Itoa(cmd.Process.Pid))
	if err := os.WriteFile(trace, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Hour)
}

//go:build unix

package own

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	arrowallocators "github.com/poolproof/poolproof/studies/arrow-allocators"
	"github.com/poolproof/poolproof/systems/arrowlog"
)

// BenchmarkBesidePyarrow writes 900 rows, which are columns already, to Parquet
// with zstd: by arrowlog and by pyarrow, which writes from a process of its own
// with one thread. Both report the CPU time of their process.
//
//	POOLPROOF_PYTHON names an interpreter that has pyarrow.
func BenchmarkBesidePyarrow(b *testing.B) {
	rows := arrowallocators.NewRows(arrowallocators.BatchRows, 1)
	cells, err := arrowallocators.NewCells(rows)
	if err != nil {
		b.Fatal(err)
	}
	data := dataOf(cells)
	for _, way := range []struct {
		name  string
		flush func(*arrowlog.Encoder, io.Writer) error
	}{{"arrowlog", flush}, {"arrowlog-small", flushSmall()}} {
		b.Run("way="+way.name, func(b *testing.B) {
			e, err := arrowlog.New(schema(), arrowlog.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			var out bytes.Buffer
			write := func() {
				out.Reset()
				if err := e.AppendColumns(len(rows), data...); err != nil {
					b.Fatal(err)
				}
				if err := way.flush(e, &out); err != nil {
					b.Fatal(err)
				}
			}
			write()
			begin := used(b)
			for b.Loop() {
				write()
			}
			report(b, len(rows), (used(b) - begin).Seconds(), out.Len())
		})
	}
	stream := filepath.Join(b.TempDir(), "rows.arrows")
	e, err := arrowlog.New(schema(), arrowlog.Options{Dictionary: arrowlog.DictionaryNone})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	var file bytes.Buffer
	if err := e.AppendColumns(len(rows), data...); err != nil {
		b.Fatal(err)
	}
	if _, err := e.FlushIPC(&file); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(stream, file.Bytes(), 0o666); err != nil {
		b.Fatal(err)
	}
	var low []string
	for _, c := range schema().Columns {
		if c.LowCardinality {
			low = append(low, c.Name)
		}
	}
	for name, dictionary := range map[string]string{"all": "all", "low": strings.Join(low, ",")} {
		b.Run("way=pyarrow-"+name, func(b *testing.B) {
			python := os.Getenv("POOLPROOF_PYTHON")
			if python == "" {
				python = "python3"
			}
			if out, err := exec.Command(python, "-c", "import pyarrow").CombinedOutput(); err != nil {
				b.Skipf("%s has no pyarrow (POOLPROOF_PYTHON names another interpreter): %s", python, out)
			}
			out, err := exec.Command(python, filepath.Join("testdata", "pyarrow_rate.py"), stream, strconv.Itoa(b.N), dictionary).CombinedOutput()
			if err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			var seconds float64
			var size int
			if _, err := fmt.Sscan(string(out), &seconds, &size); err != nil {
				b.Fatalf("%q: %v", out, err)
			}
			report(b, len(rows), seconds, size)
		})
	}
}

// used returns the CPU time that the process has used so far.
func used(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Skip(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func report(b *testing.B, rows int, seconds float64, size int) {
	b.ReportMetric(1e9*seconds/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(rows)*float64(b.N)/seconds, "logs/cpu-s")
	b.ReportMetric(float64(size), "out-B")
}

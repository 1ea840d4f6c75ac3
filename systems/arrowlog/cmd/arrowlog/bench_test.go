package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// convertLines is how many lines BenchmarkConvert has.
const convertLines = 300_000

// BenchmarkConvert writes a Parquet file, compressed by zstd, of 300,000 different JSON
// lines with 16 columns: by this program and by DuckDB with one thread. Each operation
// is a process from its start to its end, and its figures are the processor time of
// that process and the size of the file. GOMAXPROCS holds for arrowlog alone.
//
//	POOLPROOF_PYTHON names an interpreter that has duckdb.
func BenchmarkConvert(b *testing.B) {
	dir := b.TempDir()
	in, out := filepath.Join(dir, "app.jsonl"), filepath.Join(dir, "app.parquet")
	lines := jsonLines(convertLines)
	if err := os.WriteFile(in, lines, 0o644); err != nil {
		b.Fatal(err)
	}
	python := os.Getenv("POOLPROOF_PYTHON")
	if python == "" {
		python = "python3"
	}
	const copyLines = `import duckdb, sys
duckdb.sql("set threads = 1")
duckdb.sql(f"copy (select * from read_json('{sys.argv[1]}', format='newline_delimited')) to '{sys.argv[2]}' (format parquet, compression zstd)")`
	for _, program := range []struct {
		name string
		args []string
	}{
		{"arrowlog", []string{os.Args[0], "convert", in, out}},
		{"duckdb", []string{python, "-c", copyLines, in, out}},
		{"duckdb-start", []string{python, "-c", "import duckdb; duckdb.sql('select 1').fetchall()"}},
	} {
		b.Run("way="+program.name, func(b *testing.B) {
			if program.args[0] == python {
				if said, err := exec.Command(python, "-c", "import duckdb").CombinedOutput(); err != nil {
					b.Skipf("%s has no duckdb (POOLPROOF_PYTHON names another interpreter): %s", python, said)
				}
			}
			b.SetBytes(int64(len(lines)))
			var used float64
			for b.Loop() {
				os.Remove(out)
				c := exec.Command(program.args[0], program.args[1:]...)
				c.Env = append(os.Environ(), "ARROWLOG_TEST_MAIN=1")
				if said, err := c.CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, said)
				}
				used += (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
			}
			b.ReportMetric(used/float64(b.N), "cpu-s/op")
			if s, err := os.Stat(out); err == nil {
				b.ReportMetric(float64(s.Size()), "out-B")
			}
		})
	}
}

// jsonLines returns n lines of a request log, each time the same.
func jsonLines(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	var b bytes.Buffer
	for i := range n {
		ms := r.IntN(900)
		fmt.Fprintf(&b, `{"time":"2026-01-01T%02d:%02d:%02d.%06dZ","severity":%q,"body":"GET /api/v1/users/%d took %d ms","trace_id":"%016x%016x","span_id":"%016x",`,
			i/3600%24, i/60%60, i%60, r.IntN(1e6), pick("INFO", "INFO", "INFO", "WARN", "ERROR"), r.IntN(100_000), ms, r.Uint64(), r.Uint64(), r.Uint64())
		fmt.Fprintf(&b, `"service":%q,"host":"node-%d","http":{"method":%q,"status":%d,"took":%v,"bytes":%d},"region":%q,"tenant":%d,"retries":%d,"ok":%t}`+"\n",
			pick("checkout", "catalog", "users"), r.IntN(40), pick("GET", "POST", "PUT"), 200+100*r.IntN(4), float64(ms)*r.Float64(), r.IntN(1<<16),
			pick("eu-west-1", "us-east-1"), r.IntN(500), r.IntN(3), ms < 800)
	}
	return b.Bytes()
}

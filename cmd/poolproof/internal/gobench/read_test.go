package gobench

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

const head = "goos: linux\ngoarch: amd64\npkg: example.com/m\ncpu: C\n"

func TestReadTellsProcessesApart(t *testing.T) {
	line := func(ns string) string { return "BenchmarkX-2 \t 100\t " + ns + " ns/op\t 64 B/op\t 2 allocs/op\n" }
	tests := []struct {
		name, text string
		process    []int
	}{
		{"count", head + line("1") + line("2") + "PASS\nok  \texample.com/m\t1.2s\n", []int{1, 1}},
		{"two runs", head + line("1") + "PASS\nok  \texample.com/m\t1.2s\n" + head + line("2") + line("3") + "PASS\n", []int{1, 2, 2}},
		{"two runs without an end", head + line("1") + head + line("2"), []int{1, 2}},
		{"two runs of which one failed", head + line("1") + "--- FAIL: BenchmarkY\nFAIL\nexit status 1\nFAIL\texample.com/m\t0.1s\n" + head + line("2"), []int{1, 2}},
		{"without heads", line("1") + line("2"), []int{1, 1}},
		{"with Windows' ends of lines", strings.ReplaceAll(head+line("1")+"PASS\n"+head+line("2"), "\n", "\r\n"), []int{1, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Read(strings.NewReader(tt.text), "f.txt")
			if err != nil || len(f.Benchmarks) != 1 || !slices.Equal(f.Benchmarks[0].Process, tt.process) {
				t.Errorf("%v, %+v", err, f.Benchmarks)
			}
		})
	}
}

func TestReadTakesEveryFigure(t *testing.T) {
	f, err := Read(strings.NewReader(head+`BenchmarkX/n=5-2 	     100	  12.5 ns/op	 80.00 MB/s	 7.000 hits/op	 64 B/op	 2 allocs/op
BenchmarkX/n=5-2 	     200	  13.5 ns/op	 81.00 MB/s	 9.000 hits/op	 64 B/op	 2 allocs/op
BenchmarkMixed-2 	     200	  13.5 ns/op	 64 B/op	 2 allocs/op
BenchmarkMixed-2 	     200	  13.5 ns/op
PASS
`), "f.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := study.PrintedFile{Name: "f.txt", CPUs: []string{"C"}, Systems: []string{"linux/amd64"}, Benchmarks: []study.Printed{
		{Name: "BenchmarkX/n=5-2", Package: "example.com/m", Process: []int{1, 1}, N: []int{100, 200}, Time: []float64{12.5, 13.5}, Bytes: []float64{64, 64}, Allocs: []float64{2, 2},
			Extra: map[string][]float64{"MB/s": {80, 81}, "hits/op": {7, 9}}},
		{Name: "BenchmarkMixed-2", Package: "example.com/m", Process: []int{1, 1}, N: []int{200, 200}, Time: []float64{13.5, 13.5}, Extra: map[string][]float64{}},
	}}
	if d := cmp.Diff(want, f); d != "" {
		t.Error(d)
	}
}

func TestReadUnderstandsJSON(t *testing.T) {
	f, err := Read(strings.NewReader(`{"Action":"start","Package":"m"}
{"Action":"output","Package":"m","Output":"pkg: m\n"}
{"Action":"output","Package":"m","Test":"BenchmarkX","Output":"BenchmarkX-2 \t"}
{"Action":"output","Package":"m","Test":"BenchmarkX","Output":" 100\t 12 ns/op\n"}
`), "f.json")
	if err != nil || len(f.Benchmarks) != 1 || f.Benchmarks[0].Time[0] != 12 || f.Benchmarks[0].Package != "m" {
		t.Errorf("%v, %+v", err, f)
	}
}

func TestReadNamesWhatItCannotUse(t *testing.T) {
	f, err := Read(strings.NewReader(head+"BenchmarkX-2 100 12 ns/op\nBenchmarkY-2 100 twelve ns/op\n--- FAIL: BenchmarkZ\n    z_test.go:5: no luck\nFAIL\nFAIL\texample.com/m\t0.1s\n"), "f.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"f.txt:7: --- FAIL: BenchmarkZ", "f.txt:10: FAIL example.com/m 0.1s", "f.txt:6: parsing measurement: invalid syntax: the line is left out"}
	if d := cmp.Diff(want, f.Notices); d != "" {
		t.Error(d)
	}
	for text, want := range map[string]string{
		"":                        "f.txt holds no result of a benchmark",
		head + "PASS\n":           "f.txt holds no result of a benchmark",
		`{"Output": "x"} nothing`: "f.txt: it begins like the output of go test -json and is not",
		"BenchmarkX" + strings.Repeat("x", 1<<17) + " 1 1 ns/op\n": "f.txt:0: bufio.Scanner: token too long",
	} {
		if _, err := Read(strings.NewReader(text), "f.txt"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(head + "BenchmarkX-2 100 12 ns/op 64 B/op 2 allocs/op\nPASS\n")
	f.Add(`{"Output":"BenchmarkX 1 1 ns/op\n"}`)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Read(strings.NewReader(text), "f")
		if err != nil {
			return
		}
		for _, p := range file.Benchmarks {
			n := len(p.N)
			if n == 0 || len(p.Time) != n || len(p.Process) != n || len(p.Bytes) != 0 && len(p.Bytes) != n || len(p.Allocs) != 0 && len(p.Allocs) != n || slices.Contains(p.Process, 0) {
				t.Errorf("%+v", p)
			}
		}
	})
}

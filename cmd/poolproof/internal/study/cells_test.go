package study

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// inOrder writes planned cells in short form, late ones in brackets.
func inOrder(planned []PlannedCell) string {
	var names []string
	for _, p := range planned {
		name := strings.Join(p.Cell, " ")
		if name == "" {
			name = "as it is"
		}
		if p.Late {
			name = "(" + name + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, "; ")
}

func TestABenchmarksCellsAreInTheOrderOfMeasuring(t *testing.T) {
	file := File{Matrix: "GOGC=100,25 GOMAXPROCS=1,2", Env: []string{"MODE"}}
	for _, tt := range []struct {
		name   string
		b      Benchmark
		matrix string // of the command line
		want   string
	}{
		{"the study's matrix", Benchmark{}, "", "GOGC=100 GOMAXPROCS=1; GOGC=100 GOMAXPROCS=2; GOGC=25 GOMAXPROCS=1; GOGC=25 GOMAXPROCS=2"},
		{"none", Benchmark{Matrix: NoMatrix}, "", "as it is"},
		{"one of its own", Benchmark{Matrix: "GOGC=off MODE=a,b"}, "", "GOGC=off MODE=a; GOGC=off MODE=b"},
		{"whole cells first", Benchmark{Cells: []string{"GOGC=25 GOMAXPROCS=2", "GOGC=100 GOMAXPROCS=2"}}, "",
			"GOGC=25 GOMAXPROCS=2; GOGC=100 GOMAXPROCS=2; (GOGC=100 GOMAXPROCS=1); (GOGC=25 GOMAXPROCS=1)"},
		{"parts of cells first", Benchmark{Cells: []string{"GOMAXPROCS=2"}}, "",
			"GOGC=100 GOMAXPROCS=2; GOGC=25 GOMAXPROCS=2; (GOGC=100 GOMAXPROCS=1); (GOGC=25 GOMAXPROCS=1)"},
		{"a cell named twice comes once", Benchmark{Cells: []string{"GOMAXPROCS=2 GOGC=25", "GOGC=25"}}, "",
			"GOGC=25 GOMAXPROCS=2; GOGC=25 GOMAXPROCS=1; (GOGC=100 GOMAXPROCS=1); (GOGC=100 GOMAXPROCS=2)"},
		{"a late benchmark", Benchmark{Matrix: "GOGC=100,25", Cells: []string{"GOGC=25"}, Late: true}, "", "(GOGC=25); (GOGC=100)"},
		{"the user's replaces all", Benchmark{Matrix: NoMatrix, Cells: []string{"GOGC=25"}}, "GOGC=50,off", "GOGC=50; GOGC=off"},
		{"the user's keeps a benchmark late", Benchmark{Late: true}, "GOGC=50", "(GOGC=50)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := file.CellsOf(tt.b, tt.matrix)
			if err != nil {
				t.Fatal(err)
			}
			if inOrder(got) != tt.want {
				t.Errorf("cells\n%s\nwant\n%s", inOrder(got), tt.want)
			}
		})
	}
}

func TestABenchmarksCellsMustBeThere(t *testing.T) {
	file := File{Matrix: "GOGC=100,25", Env: []string{"MODE"}}
	for _, tt := range []struct {
		name   string
		b      Benchmark
		matrix string
		want   string
	}{
		{"a value that the matrix has not", Benchmark{Cells: []string{"GOGC=50"}}, "", `cells: "GOGC=50" matches no cell of the matrix "GOGC=100,25"`},
		{"nothing", Benchmark{Cells: []string{" "}}, "", `cells: " "`},
		{"a cell without a matrix", Benchmark{Matrix: NoMatrix, Cells: []string{"GOGC=25"}}, "", `no cell of the matrix ""`},
		{"a typing error", Benchmark{Matrix: "GOGCC=50,100"}, "", "matrix holds GOGCC, which the Go runtime does not read"},
		{"a variable that is not listed", Benchmark{}, "MODE=a MOOD=b", `matrix holds MOOD, which the Go runtime does not read; it reads GODEBUG, GOGC, GOMAXPROCS, GOMEMLIMIT, GORACE, GOTRACEBACK. If the package reads it, list it: env = ["MOOD"]`},
		{"another system", Benchmark{Matrix: "GOARCH=386,amd64"}, "", "no setting of one build"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := file.CellsOf(tt.b, tt.matrix); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("cells %v, error %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestNamesThatLookLikeTheRuntimesMustBeItsOwn(t *testing.T) {
	for matrix, ok := range map[string]bool{
		"GOGC=1 GOMEMLIMIT=off GOMAXPROCS=1 GODEBUG=a=1 GOTRACEBACK=all GORACE=x": true,
		"MODE=a": true, "GO_MODE=a": true, "GOOGLE_KEY=a": true, "": true, "GOAMD64=v1": true, // Cells refuses that
		"GOGCC=1": false, "GOMAXPROC=1": false, "GOGC=1 GOMEMLIMITS=1": false,
	} {
		if err := CheckNames(matrix); (err == nil) != ok {
			t.Errorf("%q: %v", matrix, err)
		}
	}
}

func TestAnExpectationOfACellGoesBeforeThatOfItsBenchmark(t *testing.T) {
	a := Arm{Expect: map[string][]Verdict{
		"b":                      {Positive},
		"b GOGC=25":              {Negative},
		"b GOMAXPROCS=1 GOGC=25": {TradeOff},
		"b c":                    {Invalid},
		"b c GOGC=25":            {Unsafe},
	}}
	for _, tt := range []struct {
		benchmark string
		cell      []string
		want      []Verdict
	}{
		{"b", nil, []Verdict{Positive}},
		{"b", []string{"GOGC=100"}, []Verdict{Positive}},
		{"b", []string{"GOGC=25", "GOMAXPROCS=2"}, []Verdict{Negative}},
		{"b", []string{"GOGC=25", "GOMAXPROCS=1"}, []Verdict{TradeOff}},
		{"b c", []string{"GOGC=100"}, []Verdict{Invalid}},
		{"b c", []string{"GOGC=25"}, []Verdict{Unsafe}},
		{"c", []string{"GOGC=25"}, nil},
	} {
		if diff := cmp.Diff(tt.want, a.Expected(tt.benchmark, tt.cell)); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s", tt.benchmark, tt.cell, diff)
		}
	}
}

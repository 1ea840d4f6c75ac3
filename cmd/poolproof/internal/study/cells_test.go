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
		{"a value that the matrix has not", Benchmark{Cells: []string{"GOGC=50"}}, "", `cells names "GOGC=50", which is in no cell of the matrix "GOGC=100,25"`},
		{"nothing", Benchmark{Cells: []string{" "}}, "", `cells names " "`},
		{"a cell without a matrix", Benchmark{Matrix: NoMatrix, Cells: []string{"GOGC=25"}}, "", `no cell of the matrix ""`},
		{"a typing error", Benchmark{Matrix: "GOGCC=50,100"}, "", "matrix holds GOGCC, which the Go runtime does not read"},
		{"a variable that is not listed", Benchmark{}, "MODE=a MOOD=b", `matrix holds MOOD, which the Go runtime does not read; it reads GODEBUG, GOGC, GOMAXPROCS, GOMEMLIMIT, GORACE, GOTRACEBACK. If the package reads it, list it: env = ["MOOD"]`},
		{"what only a build reads", Benchmark{Matrix: "GOAMD64=v1,v3"}, "", "only a build reads"},
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

func TestReadChecksCellsAndBinaries(t *testing.T) {
	pool := `title = "pools"`
	bench := `bench = "BenchmarkB"`
	top := `source = "S"`
	for _, tt := range []struct{ name, old, new, want string }{
		{"a matrix with a typing error", top, top + "\nmatrix = \"GOGCC=1\"",
			`6:10: matrix holds GOGCC, which the Go runtime does not read; it reads GODEBUG, GOGC, GOMAXPROCS, GOMEMLIMIT, GORACE, GOTRACEBACK. If the package reads it, list it: env = ["GOGCC"]`},
		{"a variable that is none", top, top + "\nenv = [\"MODE\", \"mode\"]",
			`6:16: env holds "mode"; write an environment variable in capital letters, such as APP_MODE`},
		{"a benchmark's matrix without values", bench, bench + "\nmatrix = \"GOGC\"",
			`10:10: matrix holds "GOGC", which gives no value; write NAME=value,value`},
		{"a cell that is none", bench, bench + "\nmatrix = \"GOGC=1,2\"\ncells = [\"GOGC=3\"]",
			`11:10: cells names "GOGC=3", which is in no cell of the matrix "GOGC=1,2"; write NAME=value as they stand there`},
		{"an expectation of a cell that is none", pool, pool + "\nexpect.\"b GOGC=3\" = [\"POSITIVE\"]",
			`18:8: expect names "GOGC=3", which is no cell of benchmark "b"; it has no matrix: name the benchmark alone`},
		{"an expectation of a cell of an unknown benchmark", pool, pool + "\nexpect.\"c GOGC=3\" = [\"POSITIVE\"]",
			`18:8: expect names the unknown benchmark "c"; write one of b`},
		{"expectations of cells without a matrix", pool, pool + "\nexpect.\"b GOGC=1\" = [\"POSITIVE\"]\nexpect.\"b GOMAXPROCS=2\" = [\"NEGATIVE\"]",
			`18:8: expect names "GOGC=1", which is no cell of benchmark "b"; it has no matrix: name the benchmark alone
19:8: expect names "GOMAXPROCS=2", which is no cell of benchmark "b"; it has no matrix: name the benchmark alone`},
		{"a test that is none", top, top + "\nagree = \"ArmsAgree\"",
			`6:9: agree "ArmsAgree" is no test; write the name of a test function, as TestArmsAgree`},
		{"build tags with a space", pool, pool + "\ntags = \"a b\"",
			`18:8: tags "a b" is no list of build tags; separate them by commas`},
		{"a module that is absolute", pool, pool + "\nmodule = \"/tmp\"",
			`18:10: module "/tmp" is absolute; write it relative to the study file`},
		{"an optional arm that is always there", pool, pool + "\noptional = \"needs luck\"",
			`18:12: arm "pool" is in the package's own binary, which is always built; remove optional, or give the arm tags or a module`},
		{"an optional baseline", `title = "allocates"`, "title = \"allocates\"\ntags = \"x\"\noptional = \"needs luck\"",
			`15:12: the baseline cannot be optional; every comparison needs it`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, found := parse([]byte(strings.Replace(small, tt.old, tt.new, 1)))
			if len(found) == 0 {
				t.Fatal("no error")
			}
			want := "x.toml:" + strings.ReplaceAll(tt.want, "\n", "\nx.toml:")
			if diff := cmp.Diff(want, found.join("x.toml").Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestTwoExpectationsThatSayEquallyMuchOfACellAreRefused(t *testing.T) {
	file := strings.Replace(small, `source = "S"`, "source = \"S\"\nmatrix = \"GOGC=1,2 GOMAXPROCS=1,2\"", 1)
	file = strings.Replace(file, `title = "pools"`, "title = \"pools\"\nexpect.\"b GOGC=1\" = [\"POSITIVE\"]\nexpect.\"b GOMAXPROCS=2\" = [\"NEGATIVE\"]", 1)
	_, found := parse([]byte(file))
	want := `x:20:8: expect "b GOGC=1" and "b GOMAXPROCS=2" both speak of the cell GOGC=1 GOMAXPROCS=2; write one for "b GOGC=1 GOMAXPROCS=2"`
	if len(found) != 1 || found.join("x").Error() != want {
		t.Fatalf("%v, want %s", found.join("x"), want)
	}
	file = strings.Replace(file, `title = "pools"`, "title = \"pools\"\nexpect.\"b GOGC=1 GOMAXPROCS=2\" = [\"NEGATIVE\"]", 1)
	if _, found := parse([]byte(file)); len(found) > 0 {
		t.Errorf("with one for the cell itself: %v", found.join("x"))
	}
}

func TestModulesOfArmsAreDirectories(t *testing.T) {
	file := strings.Replace(small, `title = "pools"`, "title = \"pools\"\nmodule = \"away\"", 1)
	p, found := parse([]byte(file))
	if len(found) > 0 {
		t.Fatal(found.join("x"))
	}
	found = checkModules(p, t.TempDir())
	want := `x:18:10: module "away" is no directory; write it relative to the study file`
	if len(found) != 1 || found.join("x").Error() != want {
		t.Errorf("%v, want %s", found.join("x"), want)
	}
}

package studyfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
			`11:10: cells: "GOGC=3" matches no cell of the matrix "GOGC=1,2"; write NAME=value as it stands there`},
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
	found = checkFolders(p, t.TempDir())
	want := `x:18:10: module "away" is no directory; write it relative to the study file`
	if len(found) != 1 || found.join("x").Error() != want {
		t.Errorf("%v, want %s", found.join("x"), want)
	}
}

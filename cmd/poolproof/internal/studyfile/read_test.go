package studyfile

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestReadFillsEveryFieldOfAWholeFile(t *testing.T) {
	want := study.File{
		Path:       "testdata/whole/study.toml",
		Title:      "Result slices of a flat mapper",
		Date:       "2026-03-09",
		Question:   "Does a pool for the result slices pay in the pipeline?",
		Hypothesis: "A pool makes the mapper slower.",
		Source:     "a published note",
		Package:    "inner",
		Tags:       "slow linux",
		Key:        "slices",
		Baseline:   "make",
		Threshold:  "3%",
		Matrix:     "GOGC=100,off GOMAXPROCS=1,2",
		Env:        []string{"MAPPER_MODE"},
		Agree:      "TestArmsAgree",
		Benchmarks: []study.Benchmark{
			{Name: "pipeline", Bench: "BenchmarkPipeline/fan=5", Title: "three stages and channels", Cells: []string{"GOGC=off GOMAXPROCS=2", "GOGC=100"}},
			{Name: "isolated", Bench: "BenchmarkIsolated", Isolated: true, Skip: []string{"iter"}, Matrix: "MAPPER_MODE=a,b", Late: true},
			{Name: "paced", Bench: "BenchmarkPaced", Rate: 100, Window: "2s"},
		},
		Arms: []study.Arm{
			{Name: "make", Title: "a new slice for each input", Allocates: 1000},
			{Name: "pool", Title: "slices from a pool", Falls: []string{"B/op", "allocs/op"},
				Reaches: []string{"Pool.Get", "mapPooled"},
				Expect:  map[string][]study.Verdict{"pipeline": {study.Positive, study.TradeOff}, "pipeline GOGC=off": {study.NoChange}, "isolated": {study.Positive}}},
			{Name: "iter", Title: "an iterator", Falls: []string{"B/op"}, Rises: []string{"allocs/op"},
				Tags: "iter,slow", Module: "inner", Optional: "needs a library",
				Expect: map[string][]study.Verdict{"pipeline": {study.Negative}}},
		},
		Metrics: []study.Metric{{Unit: "made/op", Better: "lower", Title: "slices made", Exact: true, Decides: true}, {Unit: "p99-ns", Better: "lower"}},
		Claims: []study.Claim{
			{Text: "sync.Pool makes a mapper 12 % slower", Arm: "pool", Benchmark: "pipeline", Metric: "time", Class: study.Worse},
			{Text: "fewer are made", Arm: "pool", Benchmark: "pipeline", Cell: "GOGC=off", Metric: "made/op", Class: study.Better, Published: "-99 %"},
		},
		Prose: study.Prose{
			Goal:            "Find out whether slices should be pooled.",
			Why:             "The channel costs more\nthan the slice.",
			Recommendations: "Use a stack buffer.",
			Conclusion:      "Pools pay where nothing else runs.",
			Rests:           map[string]study.Verdict{"pipeline/pool": study.Positive, "pipeline/iter GOGC=off": study.Negative},
		},
	}
	abs, err := filepath.Abs("testdata/whole")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"testdata/whole/study.toml", "testdata/whole", "./testdata/whole/", abs} {
		got, err := Read(path)
		if err != nil {
			t.Fatalf("Read(%q): %v", path, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Read(%q) (-want +got):\n%s", path, diff)
		}
	}
}

// small is the shortest study file that is right.
const small = `title = "T"
question = "Q?"
key = "buf"
baseline = "new"
source = "S"

[[benchmark]]
name = "b"
bench = "BenchmarkB"

[[arm]]
name = "new"
title = "allocates"

[[arm]]
name = "pool"
title = "pools"

[[claim]]
text = "faster"
arm = "pool"
benchmark = "b"
metric = "time"
class = "better"
`

func TestReadGivesThePackageOfTheFileItself(t *testing.T) {
	f, found := parse([]byte(small))
	if len(found) > 0 {
		t.Fatal(found.join("x"))
	}
	if f.Package != "." {
		t.Errorf("Package = %q, want the study file's directory", f.Package)
	}
}

func TestReadSaysWhatIsWrongAndWhere(t *testing.T) {
	tests := []struct {
		name     string
		old, new string // in the small file
		want     string // lines, without the file's name
	}{
		// The syntax.
		{"a line that is no TOML", `key = "buf"`, `key "buf"`,
			`3:5: expected '=' after key; correct the TOML there`},
		{"a string that does not end", `title = "T"`, `title = "T`,
			`1:11: basic strings cannot have new lines; correct the TOML there`},
		{"a key that stands twice", `key = "buf"`, "key = \"buf\"\nkey = \"x\"",
			`4:1: key key is already defined; correct the TOML there`},

		// Names and types.
		{"unknown keys, all of them", `key = "buf"`, "key = \"buf\"\nbudget = 3\nkind = \"x\"",
			`4:1: unknown key "budget"; remove it, or write one of FILEKEYS
5:1: unknown key "kind"; remove it, or write one of FILEKEYS`},
		{"an unknown key in a table", `title = "pools"`, "title = \"pools\"\nfall = []",
			`18:1: unknown key "fall"; remove it, or write one of ARMKEYS`},
		{"an unknown table, once for all its keys", "[[claim]]", "[prosa]\ngoal = \"g\"\nwhy = \"w\"\n[[claim]]",
			`19:2: unknown key "prosa"; remove it, or write one of FILEKEYS`},
		{"a number where text is wanted", `title = "T"`, `title = 7`,
			`1:9: title must be a string and is a whole number; write "..."`},
		{"a date without quotes", `source = "S"`, "source = \"S\"\ndate = 2026-01-02",
			`6:8: date must be a string and is a date or time; write "..."`},
		{"a fraction where a count is wanted", `title = "pools"`, "title = \"pools\"\nallocates = 1.5",
			`18:13: allocates must be a whole number and is a number with a point; write a number without a point or quotes`},
		{"text where a list is wanted", `title = "pools"`, "title = \"pools\"\nfalls = \"B/op\"",
			`18:9: falls must be a list of strings and is a string; write ["...", "..."]`},
		{"one verdict that is not in a list", `title = "pools"`, "title = \"pools\"\nexpect.b = \"POSITIVE\"",
			`18:12: b must be a list of strings and is a string; write ["...", "..."]`},
		{"a number in a list of strings", `title = "pools"`, "title = \"pools\"\nfalls = [\"B/op\", 3]",
			`18:18: falls must be a string and is a whole number; write "..."`},
		{"text where yes or no is wanted", `bench = "BenchmarkB"`, "bench = \"BenchmarkB\"\nisolated = \"yes\"",
			`10:12: isolated must be true or false and is a string; write true or false`},
		{"a single table where several are wanted", "[[claim]]", "[claim]",
			`19:2: there may be several of claim; write [[claim]]`},
		{"several tables where one is wanted", "[[claim]]", "[[prose]]\n[[claim]]",
			`19:3: prose is a table; write [prose] above its keys`},
		{"a table where text is wanted", "[[claim]]", "[title]\n[[claim]]",
			`19:2: title is a string; write "..."`},
		{"a key below text", `title = "T"`, `title.x = "T"`,
			`1:7: title is a string and has no keys; remove .x`},
		{"several wrong types at once", "title = \"T\"\nquestion = \"Q?\"", "title = 1\nquestion = true",
			`1:9: title must be a string and is a whole number; write "..."
2:12: question must be a string and is true or false; write "..."`},

		// What is missing.
		{"nothing but a comment", small, "# later",
			`1:1: title is missing; write title = "what the study is about"
1:1: question is missing; write question = "the question that the verdicts answer"
1:1: key is missing; write key = "the key of the arms' part in benchmark names"
1:1: baseline is missing; write baseline = "the name of the arm that the others are compared with"
1:1: no benchmark; add [[benchmark]] with name and bench`},
		{"an empty title", `title = "T"`, `title = " "`,
			`1:9: title is missing; write title = "what the study is about"`},
		{"a benchmark without its parts", "name = \"b\"\nbench = \"BenchmarkB\"", "",
			`7:3: name is missing in [[benchmark]]; write name = "a short label"
7:3: bench is missing in [[benchmark]]; write bench = "BenchmarkX, without the part buf=..."
21:13: claim names the unknown benchmark "b"; give one that name`},
		{"an arm without its title", `title = "pools"`, "",
			`15:3: title is missing in [[arm]]; write title = "what this arm does"`},
		{"a claim without a source", `source = "S"`, "",
			`1:1: source is missing; write source = "where the claims were published"`},
		{"a claim without anything", "text = \"faster\"\narm = \"pool\"\nbenchmark = \"b\"\nmetric = \"time\"\nclass = \"better\"\n", "",
			`19:3: text is missing in [[claim]]; write text = "the published sentence"
19:3: benchmark is missing in [[claim]]; write benchmark = "the name of a benchmark"
19:3: arm is missing in [[claim]]; write arm = "the name of an arm"
19:3: metric is missing in [[claim]]; write metric = "time or cpu or B/op or allocs/op"
19:3: class is missing in [[claim]]; write class = "better or same or worse"`},

		// Names that must fit together.
		{"a benchmark named twice", "[[claim]]", "[[benchmark]]\nname = \"b\"\nbench = \"BenchmarkC\"\n[[claim]]",
			`20:8: benchmark "b" stands already on line 8; change or remove one of them`},
		{"a benchmark measured twice", "[[claim]]", "[[benchmark]]\nname = \"c\"\nbench = \"BenchmarkB\"\n[[claim]]",
			`21:9: bench "BenchmarkB" stands already on line 9; change or remove one of them`},
		{"an arm named twice", "[[claim]]", "[[arm]]\nname = \"pool\"\ntitle = \"x\"\n[[claim]]",
			`20:8: arm "pool" stands already on line 16; change or remove one of them`},
		{"a baseline that is no arm", `baseline = "new"`, `baseline = "old"`,
			`4:12: baseline "old" is not among the arms; write one of new, pool, or add [[arm]] for it`},
		{"a baseline without company", "[[arm]]\nname = \"pool\"\ntitle = \"pools\"\n", "",
			`11:3: the baseline is the only arm; add [[arm]] for what it is compared with
18:7: claim names the unknown arm "pool"; write one of new`},
		{"an expectation for an unknown benchmark", `title = "pools"`, "title = \"pools\"\nexpect.c = [\"POSITIVE\"]",
			`18:8: expect names the unknown benchmark "c"; write one of b`},
		{"an expectation for a skipped benchmark", "[[claim]]", "expect.c = [\"POSITIVE\"]\n[[arm]]\nname = \"x\"\ntitle = \"x\"\n[[benchmark]]\nname = \"c\"\nbench = \"BenchmarkC\"\nskip = [\"pool\"]\n[[claim]]",
			`19:8: expect names the benchmark "c", which skips this arm; remove one of the two`},
		{"an expectation of the baseline", `title = "allocates"`, "title = \"allocates\"\nfalls = [\"B/op\"]\nrises = [\"allocs/op\"]\nexpect.b = [\"POSITIVE\"]\nexpect.b2 = [\"POSITIVE\"]",
			`14:1: the baseline has falls, but is compared with nothing; remove it
15:1: the baseline has rises, but is compared with nothing; remove it
16:1: the baseline has expect, but is compared with nothing; remove it
17:8: expect names the unknown benchmark "b2"; write one of b`},
		{"a claim on an unknown arm and benchmark", "arm = \"pool\"\nbenchmark = \"b\"", "arm = \"pol\"\nbenchmark = \"c\"",
			`21:7: claim names the unknown arm "pol"; write one of new, pool
22:13: claim names the unknown benchmark "c"; write one of b`},
		{"a claim on the baseline", `arm = "pool"`, `arm = "new"`,
			`21:7: claim names the baseline "new", which is compared with nothing; name the other arm`},
		{"a claim on a skipped benchmark, which compares nothing", `bench = "BenchmarkB"`, "bench = \"BenchmarkB\"\nskip = [\"pool\"]",
			`7:3: benchmark "b" compares no arm; shorten skip, or remove the benchmark
22:7: claim names the arm "pool", which benchmark "b" skips; remove one of the two`},
		{"a claim on an arm that is not among the named", "[[claim]]", "[[arm]]\nname = \"x\"\ntitle = \"x\"\n[[benchmark]]\nname = \"c\"\nbench = \"BenchmarkC\"\narms = [\"x\"]\n[[claim]]\ntext = \"t\"\narm = \"pool\"\nbenchmark = \"c\"\nmetric = \"time\"\nclass = \"better\"\nno_size = \"n\"\n[[claim]]",
			`28:7: claim names the arm "pool", which benchmark "c" skips; remove one of the two`},
		{"arms that are unknown, and beside skip", `bench = "BenchmarkB"`, "bench = \"BenchmarkB\"\nskip = []\narms = [\"pol\", \"pool\"]",
			`10:1: skip and arms exclude each other; name the arms that "b" has, or those that it skips
11:9: arms names the unknown arm "pol"; write one of new, pool`},
		{"a skip of an unknown arm and of the baseline", `bench = "BenchmarkB"`, "bench = \"BenchmarkB\"\nskip = [\"pol\", \"new\"]",
			`10:9: skip names the unknown arm "pol"; write one of new, pool
10:16: skip leaves out the baseline "new"; every benchmark needs it`},

		// Words that must be known.
		{"an unknown verdict", `title = "pools"`, "title = \"pools\"\nexpect.b = [\"POSITIVE\", \"positive\"]",
			`18:25: unknown verdict "positive"; write one of POSITIVE, NEGATIVE, TRADE-OFF, NO CHANGE, INCONCLUSIVE, INVALID, UNSAFE`},
		{"an expectation not to be measured", `title = "pools"`, "title = \"pools\"\nexpect.b = [\"not measured\"]",
			`18:13: unknown verdict "not measured"; write one of POSITIVE, NEGATIVE, TRADE-OFF, NO CHANGE, INCONCLUSIVE, INVALID, UNSAFE`},
		{"an expectation of no verdict", `title = "pools"`, "title = \"pools\"\nexpect.b = []",
			`18:8: expect "b" is empty; write one verdict or more, or remove it`},
		{"an unknown counter", `title = "pools"`, "title = \"pools\"\nfalls = [\"bytes\"]\nrises = [\"allocs\"]",
			`18:10: unknown counter "bytes"; write one of B/op, allocs/op
19:10: unknown counter "allocs"; write one of B/op, allocs/op`},
		{"a counter that rises and falls", `title = "pools"`, "title = \"pools\"\nfalls = [\"B/op\"]\nrises = [\"B/op\"]",
			`19:10: B/op cannot rise and fall; remove it from falls or from rises`},
		{"an unknown class and metric", "metric = \"time\"\nclass = \"better\"", "metric = \"ns/op\"\nclass = \"not worse\"",
			`23:10: unknown metric "ns/op"; write one of time, cpu, B/op, allocs/op
24:9: unknown class "not worse"; write one of better, same, worse`},

		// Values.
		{"a day that is none", `source = "S"`, "source = \"S\"\ndate = \"2026-02-30\"",
			`6:8: date "2026-02-30" is not a day; write YYYY-MM-DD`},
		{"a threshold without its sign", `source = "S"`, "source = \"S\"\nthreshold = \"0.02\"",
			`6:13: threshold "0.02" is not a percentage; write one above 0% and below 100%, such as "2%"`},
		{"a matrix without values", `source = "S"`, "source = \"S\"\nmatrix = \"GOGC\"",
			`6:10: matrix holds "GOGC", which gives no value; write NAME=value,value`},
		{"a package that is absolute", `source = "S"`, "source = \"S\"\npackage = \"/tmp\"",
			`6:11: package "/tmp" is absolute; write it relative to the study file`},
		{"a negative count", `title = "pools"`, "title = \"pools\"\nallocates = -1",
			`18:13: allocates is negative; write how often an operation must allocate, or remove it`},
		{"a function with its package", `title = "pools"`, "title = \"pools\"\nreaches = [\"a.b.C\"]",
			`18:12: reaches "a.b.C" is no function; write Function or Type.Method`},
		{"a key that cannot be in a name", `key = "buf"`, `key = "a/b"`,
			`3:7: key "a/b" cannot be part of a benchmark's name; leave out spaces, slashes and equals signs`},
		{"an arm that cannot be in a name", `name = "pool"`, `name = "a pool"`,
			`16:8: arm "a pool" cannot be part of a benchmark's name; leave out spaces, slashes and equals signs
21:7: claim names the unknown arm "pool"; write one of new, a pool`},
		{"a bench that is a pattern's name", `"BenchmarkB"`, `"B/x y"`,
			`9:9: bench "B/x y" is no benchmark's name; write BenchmarkX or BenchmarkX/sub, underscores for spaces`},
		{"a bench with the arm in it", `"BenchmarkB"`, `"BenchmarkB/buf=new"`,
			`9:9: bench "BenchmarkB/buf=new" holds the part buf=...; leave it out, each arm puts its own there`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if strings.Count(small, tt.old) != 1 {
				t.Fatalf("%q stands %d times in the small file", tt.old, strings.Count(small, tt.old))
			}
			file := strings.Replace(small, tt.old, tt.new, 1)
			_, found := parse([]byte(file))
			if len(found) == 0 {
				t.Fatal("no error")
			}
			want := "x.toml:" + strings.ReplaceAll(tt.want, "\n", "\nx.toml:")
			want = strings.NewReplacer("FILEKEYS", names(keysOf(reflect.TypeFor[study.File]())), "ARMKEYS", names(keysOf(reflect.TypeFor[study.Arm]()))).Replace(want)
			if diff := cmp.Diff(want, found.join("x.toml").Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestReadRefusesWhatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	away := strings.Replace(small, `source = "S"`, `package = "away"`+"\n"+`source = "S"`, 1)
	if err := os.WriteFile(filepath.Join(dir, "away.toml"), []byte(away), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, path, want string }{
		{"a directory without a study file", dir, "study.toml: no such file; name a study file, or a directory that holds a study.toml"},
		{"a file", filepath.Join(dir, "no.toml"), "no.toml: no such file; name a study file, or a directory that holds a study.toml"},
		{"a package directory", filepath.Join(dir, "away.toml"), `away.toml:5:11: package "away" is no directory; write it relative to the study file`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(tt.path)
			if err == nil || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("Read(%q) = %v, want ...%s", tt.path, err, tt.want)
			}
		})
	}
}

// What locate lets through, the strict decoder must take too: then a file that
// Read accepts holds nothing that File does not.
func FuzzReadAcceptsOnlyWhatTheStrictDecoderTakes(f *testing.F) {
	whole, err := os.ReadFile("testdata/whole/study.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(small))
	f.Add([]byte("arm = [{name = \"x\", expect = {a = []}}]\n"))
	f.Add([]byte("[arm.expect]\n"))
	f.Add([]byte("[prose]\n[[arm]]\n[arm.expect]\n[[arm]]\nexpect.\"a.b\" = ['x',\n]\n"))
	f.Add([]byte("[\"\"]\n[[]]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, found := parse(data) // must not panic
		if _, located := locate(data); len(located) > 0 {
			return
		}
		var file study.File
		err := toml.NewDecoder(strings.NewReader(string(data))).DisallowUnknownFields().Decode(&file)
		if err != nil && len(found) == 0 {
			t.Errorf("accepted a file that the decoder refuses: %v", err)
		}
	})
}

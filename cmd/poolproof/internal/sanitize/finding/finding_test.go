package finding

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

func sites() *Sites {
	return &Sites{
		Root: "/go",
		Std:  map[string]bool{"bytes": true, "sync": true, "runtime": true, "testing": true, "encoding/json": true},
		Dirs: map[string]string{"example.com/app": "/src/app", "example.com/dep@v1.2.3/sub": "/mod/dep/sub"},
	}
}

func frame(fun, file string, line int) record.Frame {
	return record.Frame{Func: fun, File: file, Line: line}
}

// stack is a stack of the user's code between that of the standard library.
func stack(frames ...record.Frame) []record.Frame {
	all := append([]record.Frame{frame("bytes.(*Buffer).Write", "/go/src/bytes/buffer.go", 181)}, frames...)
	return append(all, frame("testing.tRunner", "/go/src/testing/testing.go", 1934))
}

// misuse is a read at a line of app.go, of what was put at another one.
func misuse(kind record.Kind, access, put int, test string) record.Report {
	at := func(line int) record.Frame { return frame("example.com/app.f", "/src/app/app.go", line) }
	f := record.Report{Kind: kind, Severity: record.Error, Test: test, Type: "*app.T", What: "array", Field: "buf", Offset: 12, Size: 8, Total: 64,
		Access: stack(at(access)), Put: stack(at(put)), Get: stack(at(1)), Count: 1}
	if test != "" {
		f.Tests = []string{test}
	}
	return f
}

// collect makes reports of findings, each slice of them in a process of its own.
func collect(processes ...[]record.Report) []*Report {
	l := &record.Log{}
	for _, findings := range processes {
		l.Processes = append(l.Processes, &record.Process{Launch: &record.Launch{Dir: "/src/app"}, Reports: findings})
	}
	return Collect(l, l.Dirs(), map[string]string{"/src/app": "example.com/app"}, sites())
}

func TestOneBugIsOneFinding(t *testing.T) {
	reports := collect(
		[]record.Report{
			misuse(record.ReadAfterPut, 10, 5, "TestA"),
			misuse(record.WriteAfterPut, 11, 5, "TestA"),
			misuse(record.ReadAfterPut, 20, 6, "TestB"),
		},
		[]record.Report{misuse(record.ReadAfterPut, 10, 5, "TestC")}, // the same in a child
	)
	if len(reports) != 3 {
		t.Fatalf("%d reports, want 3: what two processes saw is one", len(reports))
	}
	found := Group(reports, sites())
	if len(found) != 2 {
		t.Fatalf("%d findings, want one for each place of Put", len(found))
	}
	f := found[0]
	if f.Site.Line != 5 || f.Count() != 3 || !cmp.Equal(f.Kinds(), []record.Kind{record.ReadAfterPut, record.WriteAfterPut}) {
		t.Errorf("%v put at line %d, %d times", f.Kinds(), f.Site.Line, f.Count())
	}
	if len(f.Tests()) != 2 || f.Tests()[1].Name != "TestC" {
		t.Errorf("tests %v", f.Tests())
	}
}

func TestTheSiteIsWhereOneFunctionDoesBoth(t *testing.T) {
	at := func(fun, file string, line int) record.Frame {
		return frame("example.com/app."+fun, "/src/app/"+file, line)
	}
	wrapper := at("(*T).Close", "app.go", 5)
	for name, test := range map[string]struct {
		put, access []record.Frame
		want        record.Frame
	}{
		"in the caller of a wrapper": {
			stack(wrapper, at("encode", "app.go", 20), at("TestA", "app_test.go", 3)),
			stack(at("(*T).Len", "app.go", 7), at("encode", "app.go", 21), at("TestA", "app_test.go", 3)),
			at("encode", "app.go", 20)},
		"in the wrapper itself": {
			stack(wrapper, at("encode", "app.go", 20)), stack(at("(*T).Close", "app.go", 6), at("encode", "app.go", 20)), wrapper},
		"in a goroutine that the function started": {
			stack(wrapper, at("encode", "app.go", 20)), stack(at("(*T).Len", "app.go", 7), at("encode.func1", "app.go", 25)),
			at("encode", "app.go", 20)},
		"in two calls of one function": {
			stack(wrapper, at("helper", "app.go", 30), at("encode", "app.go", 20)),
			stack(at("(*T).Len", "app.go", 7), at("helper", "app.go", 31), at("encode", "app.go", 22)),
			at("encode", "app.go", 20)},
		"in goroutines that know nothing of each other": {
			stack(wrapper, at("encode", "app.go", 20)), stack(at("worker", "app.go", 40)), wrapper},
		"in a test of code that puts": {
			stack(wrapper, at("TestA", "app_test.go", 20)), stack(at("(*T).Len", "app.go", 7), at("TestA", "app_test.go", 21)), wrapper},
		"in a test that puts": {
			stack(at("put", "app_test.go", 5), at("TestA", "app_test.go", 20)), stack(at("TestA", "app_test.go", 21)), at("TestA", "app_test.go", 20)},
		"in a generic wrapper": {
			stack(at("(*Pool[...]).Put", "pool.go", 5), at("serve", "app.go", 20)), stack(at("worker", "app.go", 40)), at("serve", "app.go", 20)},
		"in a wrapper of another package": {
			stack(frame("example.com/bytepool.Put", "/src/bytepool/p.go", 5), at("serve", "app.go", 20)), stack(at("worker", "app.go", 40)), at("serve", "app.go", 20)},
		"in a wrapper of another package, called by a test": {
			stack(frame("example.com/bytepool.Put", "/src/bytepool/p.go", 5), at("TestA", "app_test.go", 20)), stack(at("worker", "app.go", 40)),
			frame("example.com/bytepool.Put", "/src/bytepool/p.go", 5)},
		"of a nil pointer": {nil, stack(wrapper, at("encode", "app.go", 20)), wrapper},
	} {
		t.Run(name, func(t *testing.T) {
			if got := sites().Site(&Report{Put: test.put, Access: test.access}); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

func TestErrorsStandBeforeWarnings(t *testing.T) {
	warning := misuse(record.ReadAfterPut, 10, 5, "TestA")
	warning.Severity, warning.Why = record.Warning, "own worker"
	found := Group(collect([]record.Report{warning, misuse(record.ReadAfterPut, 20, 6, "TestA")}), sites())
	if found[0].Severity != record.Error || found[1].Severity != record.Warning {
		t.Errorf("the order is %s, %s", found[0].Severity, found[1].Severity)
	}
	both := Group(collect([]record.Report{warning, misuse(record.WriteAfterPut, 11, 5, "TestA")}), sites())
	if len(both) != 1 || both[0].Severity != record.Error || both[0].Reports[0].Severity != record.Error {
		t.Error("a finding with an error is one, and it stands first")
	}
}

func TestGenericFunctionsAreNamedAsInTracebacks(t *testing.T) {
	f := misuse(record.ReadAfterPut, 10, 5, "TestA")
	f.Access = []record.Frame{
		frame("example.com/app.(*Pool[go.shape.struct { example.com/x.n [4]int }]).Put", "/src/app/p.go", 1), frame("example.com/app.f", "/src/app/p.go", 2),
	}
	r := collect([]record.Report{f})[0]
	if got := r.Access[0].Func; got != "example.com/app.(*Pool[...]).Put" {
		t.Error(got)
	}
	if got := r.Access[1].Func; got != "example.com/app.f" {
		t.Error(got)
	}
}

func TestTheUsersFrameLeads(t *testing.T) {
	user, dep := frame("example.com/app.(*T).Close", "/src/app/app.go", 3), frame("gopkg.in/yaml%2ev3.Marshal", "/mod/yaml/yaml.go", 4)
	for name, test := range map[string]struct {
		stack []record.Frame
		want  string
	}{
		"behind the standard library":       {stack(user), user.Func},
		"of a dependency":                   {stack(dep, user), dep.Func},
		"of a generic function":             {stack(frame("example.com/app.f[go.shape.*example.com/app.T]", "/src/app/g.go", 1)), "example.com/app.f[go.shape.*example.com/app.T]"},
		"in the tests of std itself":        {[]record.Frame{frame("sync.(*Pool).Put", "/go/src/sync/pool.go", 1), frame("encoding/json.f", "/go/src/encoding/json/e.go", 2)}, "encoding/json.f"},
		"of a file that only GOROOT tells":  {[]record.Frame{frame("unlisted.f", "/go/src/unlisted/x.go", 1), user}, user.Func},
		"not of the generated main package": {[]record.Frame{frame("main.main", "_testmain.go", 1), user}, user.Func},
		"of the runtime, for want of more":  {[]record.Frame{frame("runtime.main", "/go/src/runtime/proc.go", 1)}, "runtime.main"},
		"of nothing":                        {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := sites().Lead(test.stack).Func; got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestFilesOfTrimmedBuildsAreFound(t *testing.T) {
	f := misuse(record.ReadAfterPut, 10, 5, "TestA")
	f.Access = []record.Frame{frame("example.com/dep/sub.F", "example.com/dep@v1.2.3/sub/s.go", 7), frame("example.com/app.f", "example.com/app/app.go", 8), frame("x.y", "elsewhere/y.go", 9)}
	r := collect([]record.Report{f})[0]
	var got []string
	for _, f := range r.Access {
		got = append(got, f.File)
	}
	if want := []string{"/mod/dep/sub/s.go", "/src/app/app.go", "elsewhere/y.go"}; !cmp.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFurtherRunsAddToWhatIsThere(t *testing.T) {
	first := collect([]record.Report{misuse(record.ReadAfterPut, 10, 5, "TestA")})
	second := collect([]record.Report{misuse(record.ReadAfterPut, 10, 5, "TestB"), misuse(record.ReadAfterPut, 99, 5, "TestB")})
	all := Merge(first, second, sites())
	if len(all) != 2 || all[0].Count != 2 || len(all[0].Tests) != 2 {
		t.Errorf("%d reports, the first seen %d times in %v", len(all), all[0].Count, all[0].Tests)
	}
}

func TestThePartThatWasTouchedIsNamed(t *testing.T) {
	for _, test := range []struct {
		r    Report
		want string
	}{
		{Report{What: "array", Field: "buf", Offset: 12, Size: 8, Total: 64}, "the array of field buf, bytes 12 to 19 of 64"},
		{Report{What: "array", Offset: 3, Size: 1, Total: 4}, "the array, byte 3 of 4"},
		{Report{What: "object", Field: "n", Offset: 8, Size: 8, Total: 32}, "field n, bytes 8 to 15 of 32"},
		{Report{What: "object", Offset: 8, Total: 32}, "the object, from byte 8 of 32"},
		{Report{What: "child", Field: "next", Size: 4, Total: 8}, "what field next points to, bytes 0 to 3 of 8"},
		{Report{What: "child", Size: 4, Total: 8}, "what the object points to, bytes 0 to 3 of 8"},
		{Report{Kind: record.DoublePut, What: "object", Size: 8, Total: 8}, "the object"},
		{Report{What: "object"}, "the object"},
	} {
		if got := test.r.Part(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

const shown = `1. read-after-put, write-after-put of *app.T, 3 times
   put       app.go:5  example.com/app.f
   got       app.go:1  example.com/app.f
   read      in bytes.(*Buffer).Write, called at
             app.go:10  example.com/app.f
             the array of field buf, bytes 12 to 19 of 64
   written   in bytes.(*Buffer).Write, called at
             app.go:11  example.com/app.f
             the array of field buf, bytes 12 to 19 of 64; only a warning: own worker
   decide    a method of the object has started the goroutine that touches it after the Put;
             it is right only if each later user waits for that goroutine before it uses the object,
             and a bug if no code waits: put the object where the goroutine has ended (-strict fails the test)
   in        TestA of example.com/app
             example.com/app, outside of any test
   again     poolproof test -run=TestA
   vet       poolproof vet example.com/app

`

func TestAFindingIsShownAtOneGlance(t *testing.T) {
	worker := misuse(record.WriteAfterPut, 11, 5, "")
	worker.Severity, worker.Why = record.Warning, "own worker"
	found := Group(collect([]record.Report{misuse(record.ReadAfterPut, 10, 5, "TestA"), worker}, []record.Report{misuse(record.ReadAfterPut, 10, 5, "TestA")}), sites())
	p := &Printer{
		Sites: sites(), Base: "/src/app",
		Again: map[Test]string{found[0].Tests()[0]: "poolproof test -run=TestA"},
		Vet:   map[string]string{"example.com/app": "poolproof vet example.com/app"},
	}
	var b bytes.Buffer
	p.Print(&b, 1, found[0])
	if d := cmp.Diff(shown, b.String()); d != "" {
		t.Error(d)
	}
	for _, o := range p.Objects(1, found[0]) {
		if o.Again != "poolproof test -run=TestA" && o.Test == "TestA" || o.Vet != "poolproof vet example.com/app" {
			t.Errorf("in JSON: again %q, vet %q", o.Again, o.Vet)
		}
	}
	if got := p.vet([]record.Kind{record.AliasPut}, found[0].Site); got != "" {
		t.Errorf("vet does not look for %s, and is named: %s", record.AliasPut, got)
	}
}

const keptAlive = `1. warning: retained-memory of *app.T, once
   put       app.go:5  example.com/app.f
   got       app.go:1  example.com/app.f
   kept      65536 bytes behind field in, older than the Get, which no other code had any more; only a warning: set the field to nil before Put
   in        TestA of example.com/app

`

func TestMemoryThatIsKeptAliveIsShownWithItsField(t *testing.T) {
	f := misuse(record.RetainedMemory, 10, 5, "TestA")
	f.Severity, f.Why, f.What, f.Field, f.Access, f.Offset, f.Size, f.Total = record.Warning, "memory of the caller is kept alive", "caller", "in", nil, 0, 65536, 65536
	found := Group(collect([]record.Report{f}), sites())
	p := &Printer{Sites: sites(), Base: "/src/app"}
	var b bytes.Buffer
	p.Print(&b, 1, found[0])
	if d := cmp.Diff(keptAlive, b.String()); d != "" {
		t.Error(d)
	}
	if a := p.Annotations(found)[0].String(); !strings.HasPrefix(a, "::warning file=app.go,line=5,title=poolproof test%3A retained-memory::*app.T is put while it still refers to memory of its caller") {
		t.Error(a)
	}
}

func TestManyPlacesAreCutUnlessAllAreWanted(t *testing.T) {
	var all []record.Report
	for i := range 20 {
		all = append(all, misuse(record.ReadAfterPut, 100+i, 5, "Test"+string(rune('A'+i))))
	}
	found := Group(collect(all), sites())
	for _, whole := range []bool{false, true} {
		var b bytes.Buffer
		(&Printer{Sites: sites(), All: whole}).Print(&b, 1, found[0])
		if cut := strings.Contains(b.String(), "and 12 more (-v"); cut == whole {
			t.Errorf("all: %v, cut: %v\n%s", whole, cut, b.String())
		}
		if cut := strings.Contains(b.String(), "and 15 more tests"); cut == whole {
			t.Errorf("all: %v, tests cut: %v", whole, cut)
		}
	}
}

func TestJSONHasWhatAReaderNeeds(t *testing.T) {
	f := misuse(record.NilPut, 10, 5, "TestA/sub")
	f.Put, f.Get = nil, nil
	found := Group(collect([]record.Report{f}), sites())
	text, err := json.Marshal((&Printer{Sites: sites()}).Objects(1, found[0])[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"Action":"finding"`, `"group":1`, `"kind":"nil-put"`, `"severity":"error"`, `"package":"example.com/app"`, `"test":"TestA/sub"`,
		`"type":"*app.T"`, `"field":"buf"`, `"count":1`, `"put":[]`, `"get":[]`, `{"func":"example.com/app.f","file":"/src/app/app.go","line":10}`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

func TestWhatOnlyAChecksumTellsIsShownAtThePut(t *testing.T) {
	f := misuse(record.WriteAfterPut, 10, 5, "TestA")
	f.Access = nil
	found := Group(collect([]record.Report{f}), sites())
	p := &Printer{Sites: sites(), Base: "/src/app"}
	var text, sarif bytes.Buffer
	p.Print(&text, 1, found[0])
	if !strings.Contains(text.String(), "   written   place unknown: found by a checksum\n") {
		t.Error(text.String())
	}
	if err := p.SARIF("v1", found, nil).Write(&sarif); err != nil || !strings.Contains(sarif.String(), `"startLine": 5`) {
		t.Errorf("%v: %s", err, sarif.String())
	}
	if a := p.Annotations(found)[0]; a.File != "app.go" || a.Line != 5 {
		t.Errorf("%v", a)
	}
}

func TestPoolsAreSummedUpByTypeAndGet(t *testing.T) {
	pool := func(typ string, line int, gets, leaked int64) record.Pool {
		get := []record.Frame{frame("sync.(*Pool).Get", "/go/src/sync/pool.go", 1), frame("example.com/app.f", "/src/app/app.go", line)}
		return record.Pool{Type: typ, Get: get, Gets: gets, Hits: gets / 2, Leaked: leaked}
	}
	l := &record.Log{Processes: []*record.Process{
		{Pools: []record.Pool{pool("*app.T", 5, 10, 0), pool("*app.U", 5, 4, 2)}},
		{Pools: []record.Pool{pool("*app.T", 5, 30, 1), {Type: "*app.T", Puts: 3}, pool("", 6, 1, 0)}},
	}}
	all := Pools(l, sites())
	if len(all) != 4 || all[0].Type != "*app.U" || all[1].Gets != 40 || all[1].Leaked != 1 {
		t.Fatalf("%+v", all)
	}
	var b bytes.Buffer
	if err := (&Printer{Sites: sites(), Base: "/src"}).PoolTable(&b, all); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"50.0%", "*app.T  app/app.go:5", "(no Get)", "leaked", "nothing  app/app.go:6"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// Each place that formats something would be a row of its own.
func TestPoolsOfTheStandardLibraryAreOneRow(t *testing.T) {
	std := func(line int, gets int64) record.Pool {
		get := []record.Frame{frame("sync.(*Pool).Get", "/go/src/sync/pool.go", 1), frame("encoding/json.newState", "/go/src/encoding/json/e.go", 3), frame("example.com/app.f", "/src/app/app.go", line)}
		return record.Pool{Type: "json.state", Get: get, Gets: gets, Puts: gets}
	}
	own := record.Pool{Type: "json.state", Get: []record.Frame{frame("example.com/app.g", "/src/app/app.go", 9)}, Gets: 7}
	l := &record.Log{Processes: []*record.Process{{Pools: []record.Pool{std(5, 2), own, std(6, 3), std(5, 4)}}}}
	all := Pools(l, sites())
	for _, c := range []struct {
		verbose bool
		want    []string
	}{
		{false, []string{"9 9 0.0% 0 0 json.state /go/src/encoding/json/e.go:3, for 2 places (-v shows them)", "7 0 0.0% 0 0 json.state app/app.go:9"}},
		{true, []string{"7 0 0.0% 0 0 json.state app/app.go:9", "6 6 0.0% 0 0 json.state app/app.go:5", "3 3 0.0% 0 0 json.state app/app.go:6"}},
	} {
		var b bytes.Buffer
		if err := (&Printer{Sites: sites(), Base: "/src", All: c.verbose}).PoolTable(&b, all); err != nil {
			t.Fatal(err)
		}
		var rows []string
		for line := range strings.Lines(b.String()) {
			rows = append(rows, strings.Join(strings.Fields(line), " "))
		}
		if d := cmp.Diff(c.want, rows[1:]); d != "" {
			t.Errorf("-v %v: %s", c.verbose, d)
		}
	}
}

func TestForgesGetFilesLinesAndKinds(t *testing.T) {
	warning := misuse(record.ReadAfterPut, 11, 6, "TestA")
	warning.Severity = record.Warning
	found := Group(collect([]record.Report{misuse(record.ReadAfterPut, 10, 5, "TestA"), warning}), sites())
	p := &Printer{Sites: sites(), Base: "/src"}
	var b bytes.Buffer
	if err := p.SARIF("v1", found, []string{"a note"}).Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"ruleId": "read-after-put"`, `"uri": "app/app.go"`, `"startLine": 10`, `"level": "warning"`, "a note", "put at app/app.go:5", `"put here"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("SARIF has no %s:\n%s", want, b.String())
		}
	}
	all := p.Annotations(found)
	if len(all) != 2 || !strings.HasPrefix(all[0].String(), "::error file=app/app.go,line=10,title=poolproof test%3A read-after-put::*app.T is read after Put") ||
		!strings.HasPrefix(all[1].String(), "::warning file=app/app.go,line=11") {
		t.Errorf("annotations %v", all)
	}
}

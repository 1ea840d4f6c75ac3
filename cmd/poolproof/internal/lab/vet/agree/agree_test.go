package agree

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
)

// TestMain is the launcher too, for the runs that tests start.
func TestMain(m *testing.M) {
	if sanitize.Launched(os.Args[1:]) {
		os.Exit(sanitize.Launch(os.Args[1:]))
	}
	os.Exit(m.Run())
}

func get(y string) *Stmt             { return &Stmt{Op: opGet, Y: y} }
func do(op Op, x string) *Stmt       { return &Stmt{Op: op, X: x} }
func loop(body ...*Stmt) *Stmt       { return &Stmt{Op: opLoop, Form: 2, Body: body} }
func to(op Op, y, x string) *Stmt    { return &Stmt{Op: op, X: x, Y: y} }
func in(op Op, body ...*Stmt) *Stmt  { return &Stmt{Op: op, Body: body} }
func bit(n int, body ...*Stmt) *Stmt { return &Stmt{Op: opIf, Cond: Cond{Bit: n}, Body: body} }

// not is a branch that is taken if the bit is not set.
func not(n int, body ...*Stmt) *Stmt {
	return &Stmt{Op: opIf, Cond: Cond{Bit: n, Not: true}, Body: body}
}

func TestExecutionsShowMisuse(t *testing.T) {
	for _, test := range []struct {
		name   string
		result Result
		body   []*Stmt
		want   []Misuse
	}{
		{"put at the end", 0, []*Stmt{get("a"), do(opUse, "a"), do(opPut, "a")}, nil},
		{"used after the put", 0, []*Stmt{get("a"), do(opPut, "a"), do(opUse, "a")}, []Misuse{usedAfterPut}},
		{"put twice", 0, []*Stmt{get("a"), do(opDefer, "a"), do(opPut, "a")}, []Misuse{putTwice}},
		{"put on two paths that exclude each other", 0, []*Stmt{get("a"), bit(0, do(opPut, "a")), not(0, do(opPut, "a"))}, nil},
		{"put on two paths", 0, []*Stmt{get("a"), bit(0, do(opPut, "a")), not(1, do(opPut, "a"))}, []Misuse{putTwice, lost}},
		{"a view outlives the put", 0, []*Stmt{get("a"), to(opView, "v", "a"), do(opPut, "a"), do(opTouch, "v")}, []Misuse{usedAfterPut}},
		{"a copy outlives it", 0, []*Stmt{get("a"), to(opView, "v", "a"), to(opCopy, "v", "v"), do(opPut, "a"), do(opTouch, "v")}, nil},
		{"the other name is put", 0, []*Stmt{get("a"), to(opAlias, "b", "a"), do(opPut, "b"), do(opUse, "a")}, []Misuse{usedAfterPut}},
		{"memory is returned under a deferred put", aView, []*Stmt{get("a"), do(opDefer, "a"), to(opView, "v", "a"), do(opReturn, "v")}, []Misuse{usedAfterPut, handedOn}},
		{"the object is returned", anObject, []*Stmt{get("a"), do(opReturn, "a")}, nil},
		{"a deferred literal puts what the variable has then", 0, []*Stmt{get("a"), in(opLater, do(opPut, "a")), do(opPut, "a"), get("a")}, nil},
		{"a deferred put has what the variable had", 0, []*Stmt{get("a"), do(opDefer, "a"), do(opPut, "a"), get("a")}, []Misuse{putTwice, lost}},
		{"the last deferred call runs first", 0, []*Stmt{get("a"), in(opLater, do(opUse, "a")), do(opDefer, "a")}, []Misuse{usedAfterPut}},
		{"a panic, and a deferred put", 0, []*Stmt{get("a"), do(opDefer, "a"), do(opPanic, "")}, nil},
		{"a panic is recovered by a later defer only", 0, []*Stmt{get("a"), do(opRecover, ""), bit(0, do(opPanic, "")), do(opPut, "a")}, nil},
		{"a recovered panic, and on", 0, []*Stmt{get("a"), in(opNow, do(opRecover, ""), do(opPanic, "")), do(opPut, "a"), do(opUse, "a")}, []Misuse{usedAfterPut}},
		{"the store owns it", 0, []*Stmt{get("a"), do(opStore, "a")}, nil},
		{"a return out of a loop", 0, []*Stmt{get("a"), {Op: opLoop, Form: 2, Body: []*Stmt{do(opPut, "a"), do(opReturn, "")}}, do(opUse, "a")}, nil},
		{"each round has its own", 0, []*Stmt{{Op: opLoop, Form: 2, Body: []*Stmt{get("a"), do(opPut, "a")}}}, nil},
		{"each round puts the same", 0, []*Stmt{get("a"), {Op: opLoop, Form: 2, Body: []*Stmt{do(opPut, "a")}}}, []Misuse{putTwice}},
		{"a break before the second", 0, []*Stmt{get("a"), {Op: opLoop, Form: 2, Body: []*Stmt{do(opPut, "a"), do(opLeave, "")}}}, nil},
		{"a goroutine may run late", 0, []*Stmt{get("a"), {Op: opGo, Y: "j", Body: []*Stmt{do(opUse, "a")}}, do(opPut, "a")}, []Misuse{usedAfterPut}},
		{"it is waited for", 0, []*Stmt{get("a"), {Op: opGo, Y: "j", Body: []*Stmt{do(opUse, "a")}}, do(opWait, "j"), do(opPut, "a")}, nil},
		{"a stored object is put", 0, []*Stmt{get("a"), do(opStore, "a"), do(opPut, "a")}, []Misuse{usedAfterPut}},
		{"it is forgotten before", 0, []*Stmt{get("a"), do(opStore, "a"), do(opUnstore, ""), do(opPut, "a")}, nil},
		{"a receiver puts what was sent", 0, []*Stmt{get("a"), do(opSend, "a"), do(opUse, "a")}, []Misuse{usedAfterPut}},
		{"a hook runs at the end", 0, []*Stmt{get("a"), in(opHook, do(opUse, "a")), do(opPut, "a")}, []Misuse{usedAfterPut}},
		{"nil is put", 0, []*Stmt{get("a"), do(opPut, "a"), do(opNil, "a"), do(opPut, "a")}, []Misuse{putNil}},
		{"the wrong pool", 0, []*Stmt{get("a"), {Op: opPut, X: "a", Form: 1}}, []Misuse{wrongPool}},
		{"what is in a struct is put", 0, []*Stmt{get("a"), to(opHold, "h", "a"), do(opRelease, "h"), do(opUse, "a")}, []Misuse{usedAfterPut}},
		{"a method puts it once", 0, []*Stmt{get("a"), to(opHold, "h", "a"), do(opRelease, "h"), do(opRelease, "h")}, nil},
		{"a method that leaves it there puts it twice", 0, []*Stmt{get("a"), to(opHold, "h", "a"), {Op: opRelease, X: "h", Form: 1}, {Op: opRelease, X: "h", Form: 1}}, []Misuse{putTwice}},
		{"another object is in the struct", 0, []*Stmt{get("a"), to(opHold, "h", "a"), get("b"), to(opHold, "h", "b"), do(opRelease, "h"), do(opPut, "a")}, nil},
		{"it is taken out of the struct", 0, []*Stmt{get("a"), to(opHold, "h", "a"), to(opTake, "b", "h"), do(opPut, "a"), do(opUse, "b")}, []Misuse{usedAfterPut}},
		{"a select that sends", 0, []*Stmt{get("a"), {Op: opSelect, X: "a", Body: []*Stmt{do(opPut, "a")}}}, nil},
		{"a select that does not if a bit is set", 0, []*Stmt{get("a"), {Op: opSelect, X: "a", Form: 1, Body: []*Stmt{do(opStore, "a")}}}, nil},
		{"a function with a type parameter gets it", 0, []*Stmt{get("a"), do(opPut, "a"), {Op: opAlias, X: "a", Y: "b", Via: viaType}}, []Misuse{handedOn}},
		{"a case or the default", 0, []*Stmt{get("a"), {Op: opSwitch, Body: []*Stmt{do(opPut, "a")}, Else: []*Stmt{do(opPut, "a")}}}, nil},
		{"a case falls through", 0, []*Stmt{get("a"), {Op: opSwitch, Form: 1, Body: []*Stmt{do(opPut, "a")}, Else: []*Stmt{do(opPut, "a")}}}, []Misuse{putTwice}},
		{"a break leaves the switch, not the loop", 0, []*Stmt{get("a"), loop(&Stmt{Op: opSwitch, Body: []*Stmt{do(opPut, "a"), do(opLeave, "")}, Else: []*Stmt{do(opUse, "a")}})}, []Misuse{putTwice, lost}},
		{"a break leaves two loops", 0, []*Stmt{get("a"), loop(loop(do(opPut, "a"), &Stmt{Op: opLeave, Form: leaveOuter}))}, nil},
		{"a continue goes on with the loop around", 0, []*Stmt{get("a"), loop(loop(do(opUse, "a"), &Stmt{Op: opLeave, Form: leaveOuter + leaveContinue}), do(opPut, "a"))}, []Misuse{lost}},
		{"Get returns nil", 0, []*Stmt{{Op: opGet, Y: "a", Form: getNil}}, []Misuse{nilGot}},
	} {
		p := &Program{Funcs: []*Func{{Result: test.result, Body: test.body}}, Serve: servePuts}
		size := len(p.stmts())
		p.tidy()
		if len(p.stmts()) != size {
			t.Errorf("%s: it does not compile:\n%s", test.name, p.Text())
		}
		got := map[Misuse]bool{}
		for _, in := range p.inputs() {
			for _, e := range Execute(p, in, map[*Stmt]bool{}) {
				got[e.Misuse] = true
			}
		}
		if slices.Sort(test.want); !slices.Equal(slices.Sorted(maps.Keys(got)), test.want) {
			t.Errorf("%s: executions show %v, want %v\n%s", test.name, got, test.want, p.Text())
		}
	}
}

// All ways to write a statement, and all statements, are in what is analysed here.
func TestWideProgramsCompile(t *testing.T) {
	_, all := judged(t, 200, true, false)
	seen := map[string]bool{}
	for _, v := range all {
		for _, s := range v.stmts() {
			if s.Via > 0 || s.Op == opLeave {
				seen[fmt.Sprint(s.Op, " ", max(s.Via, s.Form))] = true
			}
			seen[string(s.Op)] = true
		}
	}
	for _, op := range []string{
		"get 1", "get 2", "put 1", "put 2", "defer put 1", "defer put 2", "alias 1", "alias 2", "loop 1", "loop 2",
		"leave 0", "leave 1", "leave 2", "leave 3", "switch", "select", "hold", "take", "release",
	} {
		if !seen[op] {
			t.Errorf("no program has %q", op)
		}
	}
}

func TestTheDrawHangsOnTheSeedAlone(t *testing.T) {
	text := func(seed uint64) (all string) {
		for _, p := range Draw(100, seed, false) {
			all += p.Text()
		}
		return all
	}
	first := text(1)
	if again := text(1); again != first {
		t.Error("the same seed draws different programs")
	}
	if text(2) == first {
		t.Error("two seeds draw the same programs")
	}
}

// judged are programs with what the judges say of them.
func judged(t *testing.T, n int, wide, sanitizer bool) (judges, []*Verdict) {
	t.Helper()
	tool, err := corpus.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	j := judges{t.TempDir(), tool, sanitizer}
	all, err := j.of(t.Context(), t.TempDir(), Draw(n, 7, wide))
	if err != nil {
		t.Fatal(err)
	}
	return j, all
}

// The bounds are near the figures of this draw. They may get better.
func TestVetAndExecutionsAgree(t *testing.T) {
	_, all := judged(t, 100, false, false)
	shown, reported, wrong := 0, 0, 0
	for _, v := range all {
		if v.memory() {
			shown++
			if v.tier(usedAfterPut, putTwice) != "" {
				reported++
			}
		}
		if errors, _ := v.falseErrors(); len(errors) > 0 {
			wrong++
		}
	}
	if shown < 18 || reported < 15 || wrong > 1 {
		t.Errorf("of %d programs %d use memory that is put, vet reports %d of them, and %d that do not", len(all), shown, reported, wrong)
	}
}

func TestAProgramShrinksToItsDisagreement(t *testing.T) {
	j, all := judged(t, 100, false, false)
	i := slices.IndexFunc(all, func(v *Verdict) bool { return v.tier(putTwice) == "error" && len(v.stmts()) > 10 })
	f := &finding{"put twice", func(v *Verdict) bool { return v.tier(putTwice) == "error" }, all[i]}
	if err := j.shrink(t.Context(), []*finding{f}); err != nil {
		t.Fatal(err)
	}
	if n := len(f.v.stmts()); n != 3 {
		t.Errorf("a Get and two Puts are left of a program that puts twice; there are %d statements:\n%s", n, f.v.Text())
	}
}

func TestTheSanitizerSeesWhatHappens(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library with instrumentation")
	}
	_, all := judged(t, 80, false, true)
	shown := 0
	for _, v := range all {
		for _, m := range []Misuse{usedAfterPut, putTwice} {
			if v.shows(m) {
				shown++
			}
			if unseen, invented := v.unlike(m); len(unseen) > 0 && !v.hidden || len(invented) > 0 {
				t.Errorf("%s: the sanitizer is silent on the inputs %d and reports others on %d\n%s", m, unseen, invented, v.Text())
			}
		}
	}
	if shown < 10 {
		t.Errorf("only %d misuses happen", shown)
	}
}

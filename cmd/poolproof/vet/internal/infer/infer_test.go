package infer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/facts"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

// common is shared by the sources of the tests.
const common = `package p

import (
	"sync"
	"sync/atomic"
)

type buf struct {
	b    []byte
	n    int
	next *buf
	refs atomic.Int32
	rc   int
	uses int
}

var pool = sync.Pool{New: func() any { return new(buf) }}
var global *buf
var flag atomic.Bool

func get() *buf  { return pool.Get().(*buf) }
func put(b *buf) { pool.Put(b) }

var _ = flag.Load
`

// given is the fact of a parameter that the function puts, always.
const given = "MustPut{0} Release{0} MayPut{0}"

func TestWhatAFunctionDoesWithItsParameters(t *testing.T) {
	for name, test := range map[string]struct{ source, want string }{
		"put":                               {`func F(b *buf) { put(b) }`, given},
		"put by two calls":                  {`func F(b *buf) { put2(b) }; func put2(b *buf) { put(b) }`, given},
		"put in both branches":              {`func F(b *buf, x bool) { if x { put(b) } else { pool.Put(b) } }`, given},
		"put in one branch":                 {`func F(b *buf, x bool) { if x { put(b) } }`, "MayPut{0}"},
		"put in the other":                  {`func F(b *buf, x bool) { if x { return }; put(b) }`, "MayPut{0}"},
		"put in all cases":                  {`func F(b *buf, x int) { switch x { case 1: put(b); case 2: put(b); default: put(b) } }`, given},
		"put in all cases but one":          {`func F(b *buf, x int) { switch x { case 1: put(b); case 2: default: put(b) } }`, "MayPut{0}"},
		"put if it is not nil":              {`func F(b *buf) { if b == nil { return }; put(b) }`, given},
		"put if it is nil":                  {`func F(b *buf) { if b == nil { put(b) } }`, "MayPut{0}"},
		"put if it is fit":                  {`func F(b *buf) { if cap(b.b) < 1000 { put(b) } }`, "Release{0} MayPut{0}"},
		"put if it is fit, with a limit":    {`func F(b *buf, max int) { if cap(b.b) < max { put(b) } }`, "Release{0} MayPut{0}"},
		"put if another one is fit":         {`func F(b, c *buf) { if cap(c.b) < 1000 { put(b) } }`, "MayPut{0}"},
		"put if an error says so":           {`func F(b *buf) { if b.ok() == nil { put(b) } }; func (b *buf) ok() error { return nil }`, "MayPut{0}"},
		"put by a defer":                    {`func F(b *buf) { defer put(b); println(b.n) }`, given + " Works{0}"},
		"put by a deferred literal":         {`func F(b *buf) { defer func() { put(b) }(); println(b.n) }`, given + " Works{0}"},
		"put by a defer that may not come":  {`func F(b *buf, x bool) { if x { return }; defer put(b); println(b.n) }`, "MayPut{0}"},
		"put by a panicking path":           {`func F(b *buf, x bool) { if x { panic(x) }; put(b) }`, given},
		"put in a loop":                     {`func F(b *buf, n int) { for range n { put(b) } }`, "MayPut{0}"},
		"put where two conditions agree":    {`func F(b *buf, x bool) { if x { put(b) }; if !x { put(b) } }`, given},
		"put in a box":                      {`func F(x []byte) { b := get(); b.b = x; put(b) }`, given},
		"put in a box, cut short":           {`func F(x []byte) { b := get(); b.b = x; b.b = x[:0]; put(b) }`, given},
		"lent to a box":                     {`func F(x []byte) { b := get(); y := b.b; b.b = x; b.b = y; put(b) }`, "Retains{0}"},
		"lent to a box that is emptied":     {`func F(x []byte) { b := get(); b.b = x; b.b = nil; put(b) }`, "Retains{0}"},
		"put of the second":                 {`func F(a, b *buf) { put(b) }`, "MustPut{1} Release{1} MayPut{1}"},
		"put of either":                     {`func F(a, b *buf, x bool) { if x { a = b }; put(a) }`, "MayPut{0,1}"},
		"put of the next":                   {`func F(b *buf) { put(b.next) }`, "Fields{Param:0 Path:.2 Puts:true Uses:false MayPut:true May:false Sets:false Taken:false Told:0}"},
		"put by a goroutine":                {`func F(b *buf) { go put(b) }`, "Retains{0}"},
		"put when the count is zero":        {`func F(b *buf) { if b.refs.Add(-1) == 0 { put(b) } }`, "RefPut{0}"},
		"put unless the count is not zero":  {`func F(b *buf) { if b.refs.Add(-1) != 0 { return }; put(b) }`, "RefPut{0}"},
		"put by a plain count":              {`func F(b *buf) { b.rc--; if b.rc > 0 { return }; put(b) }`, "RefPut{0} Detach{Param:0 Fields:[4]}"},
		"put by a count of another name":    {`func F(b *buf) { b.uses--; if b.uses == 0 { put(b) } }`, "RefPut{0} Detach{Param:0 Fields:[5]}"},
		"put by a swap":                     {`func F(b *buf) { if b.refs.CompareAndSwap(1, 0) { put(b) } }`, "RefPut{0}"},
		"put by a threshold is no count":    {`func F(b *buf) { if b.refs.Add(1) > 100 { put(b) } }`, "Release{0} MayPut{0} Works{0}"},
		"put by what is read is no count":   {`func F(b *buf) { if flag.Load() { put(b) } }`, "MayPut{0}"},
		"put by one that it calls back":     {`func h(b *buf, n int) { if n == 0 { put(b) } else { F(b, n-1) } }; func F(b *buf, n int) { h(b, n) }`, given},
		"put by itself at the end":          {`func F(b *buf, n int) { if n > 0 { F(b, n-1); return }; put(b) }`, given},
		"put by itself, or not at all":      {`func F(b *buf, n int) { if n > 1 { F(b, n-1) } else if n > 0 { put(b) } }`, "MayPut{0}"},
		"put by another, or not at all":     {`func F(b *buf, n int) { if n > 0 { g(b, n-1); return }; put(b) }; func g(b *buf, n int) { if n > 0 { F(b, n-1) } }`, "MayPut{0}"},
		"put by one of two in a circle":     {`func h(b *buf, n int) { if n > 0 { F(b, n-1) } }; func F(b *buf, n int) { if n == 0 { put(b) } else { h(b, n) } }`, "MayPut{0}"},
		"stored in a global":                {`func F(b *buf) { global = b }`, "Retains{0} Keeps{0}"},
		"stored in a global on one path":    {`func F(b *buf, x bool) { if x { global = b } }`, "Retains{0}"},
		"its memory is stored":              {`var data []byte; func F(b *buf) { data = b.b }`, "Retains{0}"},
		"sent":                              {`func F(b *buf, c chan *buf) { c <- b }`, "Retains{0} Lingers{Param:0 Result:-1 Value:false Signals:true Sent:true}"},
		"lent to a goroutine":               {`func F(b *buf) { done := make(chan int); go func() { b.n++; close(done) }() }`, "Retains{0} Lingers{Param:0 Result:-1 Value:false Signals:false Sent:false}"},
		"lent until a channel says so":      {`func F(b *buf) chan int { done := make(chan int); go func() { b.n++; close(done) }(); return done }`, "Retains{0} Lingers{Param:0 Result:-1 Value:false Signals:true Sent:false}"},
		"sent in a select":                  {`func F(b *buf, c chan *buf) { select { case c <- b: default: } }`, "Retains{0} Lingers{Param:0 Result:-1 Value:false Signals:true Sent:true}"},
		"captured by a literal that stays":  {`var f func(); func F(b *buf) { f = func() { b.n++ } }`, "Retains{0}"},
		"captured by a literal called here": {`func F(b *buf) { f := func() { b.n++ }; f() }`, ""},
		"stored in the other":               {`func F(a, b *buf) { a.next = b }`, "Keeps{1} Fills{0} Into[0]=always{1}held{1} Detach{Param:0 Fields:[2]}"},
		"stored in the other, that works":   {`func F(a, b *buf) int { a.next = b; a.next.n++; return a.n }`, "Keeps{1} Into[0]=always{1}held{1} Detach{Param:0 Fields:[2]}"},
		"stored in the other, made here":    {`func F(b *buf) int { var a struct{ x, y buf }; h(&a.y, b); return a.y.next.n }; func h(a, b *buf) { a.next = b }`, ""},
		"stored in the other, and a global": {`func F(b *buf) { h(global, b) }; func h(a, b *buf) { a.next = b }`, "Retains{0} Keeps{0}"},
		"stored in itself":                  {`func F(b *buf) { b.next = b }`, ""},
		"stored in what it refers to":       {`func F(b *buf) { b.next.next = b }`, "Retains{0} Keeps{0}"},
		"stored in a map":                   {`func F(m map[int]*buf, b *buf) { m[1] = b }`, "Keeps{1} Into[0]=always{1}held{1}"},
		"stored in a local":                 {`func F(b *buf) int { m := map[int]*buf{1: b}; return len(m) }`, ""},
		"lent":                              {`func F(b *buf, f func(*buf)) { f(b) }`, "Passes{Param:0 Func:1 Arg:0}"},
		"lent through a callee":             {`func F(b *buf, f func(*buf)) { g(b, f) }; func g(b *buf, f func(*buf)) { f(b) }`, "Lends{0}"},
		"lent in part":                      {`func F(b *buf, f func([]byte)) { f(b.b) }`, "Callbacks{Param:1 Arg:0 Lent:false ReadOnly:false Of:{0}}"},
		"stored atomically":                 {`var last atomic.Pointer[buf]; func F(b *buf) { last.Store(b) }`, "Retains{0} Keeps{0}"},
		"a field is cleared":                {`func F(b *buf) { b.b = nil }`, "Detach{Param:0 Fields:[0]}"},
		"all is cleared":                    {`func F(b *[]byte) { *b = nil }`, "Detach{Param:0 Fields:[-1]}"},
		"a field is cut short":              {`func F(b *buf) { b.b = b.b[:0] }`, ""},
		"cleared by a callee":               {`func F(b *buf) { g(b) }; func g(b *buf) { b.b = nil }`, "Detach{Param:0 Fields:[0]}"},
		"owned by a directive": {`
//poolproof:owns b
func F(b *buf) {}`, "Release{0} Owns{0}"},
		"borrowed by a directive": {`
//poolproof:borrows b
func F(b *buf, f func(*buf)) { f(b); global = b }`, "Borrows{0}"},
	} {
		t.Run(name, func(t *testing.T) { learned(t, test.source, test.want) })
	}
}

func TestWhatTheResultsOfAFunctionAre(t *testing.T) {
	for name, test := range map[string]struct{ source, want string }{
		"got":                                 {`func F() *buf { return get() }`, "Getter{0}"},
		"got as an interface":                 {`func F() any { return pool.Get() }`, "Getter{0} From{Index:0 Param:-1 Pool:example.com/p.pool}"},
		"got with an error":                   {`func F() (*buf, error) { return get(), nil }`, "Getter{0}"},
		"got, or the caller's own, and which": {`func F(b *buf) (*buf, bool) { if b != nil { return b, true }; return get(), false }`, "Getter{0} Returns[0]=may{0} GotAt{Got:0 Result:1 Value:0}"},
		"got, or nil, and which":              {`func F(b *buf, x bool) (*buf, bool) { if x { return nil, false }; return get(), true }`, "Getter{0} GotAt{Got:0 Result:1 Value:1}"},
		"got or not, by another flag":         {`func F(b *buf, x bool) (*buf, bool) { if b != nil { return b, x }; return get(), x }`, "Getter{0} Returns[0]=may{0} GotIfNil{Param:0 Result:0}"},
		"got where a status is zero":          {`func F(n int) (*buf, int) { if n > 0 { return nil, n }; return get(), 0 }`, "Getter{0} GotAt{Got:0 Result:1 Value:0}"},
		"got with any status":                 {`func F(n int) (*buf, int) { if n > 0 { return nil, n }; return get(), n }`, "Getter{0}"},
		"got with two statuses":               {`func F(n int) (*buf, int) { if n > 0 { return get(), 1 }; if n < 0 { return nil, 2 }; return get(), 0 }`, "Getter{0}"},
		"got always, with a status":           {`func F() (*buf, int) { return get(), 0 }`, "Getter{0}"},
		"what a decoder made of the other":    {`type lz struct { src, dst []byte; at int }; func (d *lz) step() { d.dst = append(d.dst, d.src[d.at]); d.at++ }; func F(dst, src []byte) []byte { d := lz{src: src, dst: dst[:0]}; for d.at < len(d.src) { d.step() }; return d.dst }`, "Returns[0]=may{0,1}some{0}held{1}"},
		"got second":                          {`func F() (int, *buf) { return 1, get() }`, "Getter{1}"},
		"got or made":                         {`func F() *buf { if b, ok := pool.Get().(*buf); ok { return b }; return new(buf) }`, "Getter{0}"},
		"got, and put by a defer":             {`func F() *buf { b := get(); defer put(b); return b }`, ""},
		"got, and put if it fails":            {`func F() (*buf, bool) { b := get(); if b.n == 0 { put(b); return nil, false }; return b, true }`, "Getter{0} GotAt{Got:0 Result:1 Value:1}"},
		"got, and put on the way":             {`func F(x bool) *buf { b := get(); if x { put(b) }; return b }`, ""},
		"got again after a put":               {`func F() *buf { for { b := get(); if b.n == 0 { return b }; put(b) } }`, "Getter{0}"},
		"got once, and put in a loop":         {`func F(n int) *buf { b := get(); for range n { put(b) }; return b }`, ""},
		"got, and put if a defer says":        {`func F(x bool) (b *buf) { b = get(); ok := false; defer func() { if !ok { put(b) } }(); ok = x; return b }`, "Getter{0}"},
		"got, and put by a call":              {`func F() *buf { b := get(); func() { put(b) }(); return b }`, ""},
		"got, and kept too":                   {`func F() *buf { b := get(); global = b; return b }`, ""},
		"got, and kept by a callee":           {`func F() *buf { b := get(); g(b); return b }; func g(b *buf) { global = b }`, ""},
		"got, and kept by itself":             {`func F() *buf { b := get(); g(b); return b }; func g(b *buf) { b.next = b }`, "Getter{0}"},
		"got, and kept by the receiver":       {`func F(h *buf) *buf { h.next = get(); return h.next }`, "Detach{Param:0 Fields:[2]}"},
		"a field of what was got":             {`func F() []byte { return get().b }`, ""},
		"a field that was let go":             {`func F() []byte { b := get(); x := b.b; b.b = nil; return x }`, "Getter{0}"},
		"a number":                            {`func F() int { return get().n }`, ""},
		"the parameter":                       {`func F(b *buf) *buf { return b }`, "Returns[0]=always{0}"},
		"the parameter or nil":                {`func F(b *buf, x bool) *buf { if x { return nil }; return b }`, "Returns[0]=always{0}"},
		"the parameter or another":            {`func F(b *buf, x bool) *buf { if x { return new(buf) }; return b }`, "Returns[0]=may{0}"},
		"one of two parameters":               {`func F(a, b *buf, x bool) *buf { if x { return a }; return b }`, "Returns[0]=may{0,1}"},
		"one of two by a variable":            {`func F(a, b *buf, x bool) *buf { if x { a = b }; return a }`, "Returns[0]=may{0,1}"},
		"memory of the parameter":             {`func F(b *buf) []byte { return b.b[1:] }`, "Returns[0]=always{0}"},
		"memory that it lets go":              {`func F(b *buf) []byte { x := b.b; b.b = nil; return x }`, "Detach{Param:0 Fields:[0]}"},
		"memory, with all let go":             {`func F(b *buf) []byte { x := b.b; *b = buf{}; return x }`, "Detach{Param:0 Fields:[-1]}"},
		"memory in exchange":                  {`func F(b *buf) []byte { x := b.b; b.b = make([]byte, 9); return x }`, "Detach{Param:0 Fields:[0]}"},
		"memory, cut short behind":            {`func F(b *buf) []byte { x := b.b; b.b = b.b[:0]; return x }`, "Returns[0]=always{0}"},
		"memory that comes after":             {`func F(b *buf) []byte { b.b = make([]byte, 9); return b.b }`, "Returns[0]=always{0} Detach{Param:0 Fields:[0]}"},
		"memory that one path lets go":        {`func F(b *buf, x bool) []byte { d := b.b; if x { b.b = nil }; return d }`, "Returns[0]=always{0} Detach{Param:0 Fields:[0]}"},
		"other memory than it lets go":        {`type T struct { a, b []byte }; func F(t *T) []byte { x := t.a; t.b = nil; return x }`, "Returns[0]=always{0} Detach{Param:0 Fields:[1]}"},
		"memory that a callee lets go":        {`func F(b *buf) []byte { return g(b) }; func g(b *buf) []byte { x := b.b; b.b = nil; return x }`, "Detach{Param:0 Fields:[0]}"},
		"memory, and a callee lets go":        {`func F(b *buf) []byte { x := b.b; g(b); return x }; func g(b *buf) { b.b = nil }`, "Detach{Param:0 Fields:[0]}"},
		"memory of a getter, let go":          {`func F(b *buf) []byte { x := g(b); b.b = nil; return x }; func g(b *buf) []byte { return b.b }`, "Detach{Param:0 Fields:[0]}"},
		"memory of a getter, kept":            {`func F(b *buf) []byte { x := g(b); b.n = 0; return x }; func g(b *buf) []byte { return b.b }`, "Returns[0]=always{0} Detach{Param:0 Fields:[1]}"},
		"memory of a struct in it":            {`type T struct { n int; in buf }; func F(t *T) []byte { x := t.in.b; t.in.b = nil; return x }`, "Detach{Param:0 Fields:[1]}"},
		"memory a struct in it lets go":       {`type T struct { n int; in buf }; func F(t *T) []byte { x := t.in.b; g(&t.in); return x }; func g(b *buf) { b.b = nil }`, "Detach{Param:0 Fields:[1]}"},
		"memory of another struct":            {`type T struct { in, out buf }; func F(t *T) []byte { x := t.in.b; g(&t.out); return x }; func g(b *buf) { b.b = nil }`, "Returns[0]=always{0} Detach{Param:0 Fields:[1]}"},
		"one of two in a struct":              {`type in struct { a, b []byte }; type T struct { n int; in in }; func F(t *T) []byte { x := t.in.a; t.in.b = nil; return x }`, "Returns[0]=always{0}"},
		"what the parameter points to":        {`func F(b *buf) *buf { return b.next }`, ""},
		"a copy of it":                        {`func F(b *buf) []byte { return append([]byte(nil), b.b...) }`, ""},
		"it, with more behind it":             {`func F(b []byte) []byte { return append(b, 1) }`, "Returns[0]=always{0}"},
		"more, with it behind":                {`func F(a, b []byte) []byte { return append(a, b...) }`, "Returns[0]=always{0}"},
		"a struct with it":                    {`type S struct{ b *buf }; func F(b *buf) S { return S{b} }`, "Returns[0]=always{0}held{0}"},
		"a struct, set part by part":          {`type S struct{ a, b []byte }; func F(p []byte) (s S) { s.a = p[:3]; return s }`, "Returns[0]=always{0}held{0}"},
		"a struct, unless it fails":           {`type fail struct{}; func (fail) Error() string { return "" }; type S struct{ a, b []byte }; func F(p []byte) (s S, err error) { if len(p) == 0 { return s, fail{} }; s.a = p[:3]; s.b = p[3:]; return s, nil }`, "Returns[0]=always{0}held{0}"},
		"memory, unless it fails":             {`type fail struct{}; func (fail) Error() string { return "" }; func F(b *buf) ([]byte, error) { if b.n == 0 { return []byte{1}, fail{} }; return b.b, nil }`, "Returns[0]=always{0}"},
		"memory, only where it fails":         {`type fail struct{}; func (fail) Error() string { return "" }; func F(b *buf) ([]byte, error) { if b.n == 0 { return b.b, fail{} }; return []byte{1}, nil }`, "Returns[0]=may{0}"},
		"itself or a copy":                    {`func F(p []byte) []byte { if len(p) > 9 { return p }; return append([]byte(nil), p...) }`, "Returns[0]=may{0}some{0}"},
		"a copy of it, part by part":          {`type fail struct{}; func (fail) Error() string { return "" }; type S struct{ a, b []byte }; func F(p []byte) (s S, err error) { if len(p) == 0 { return S{a: p}, fail{} }; s.a = append(s.a, p...); return s, nil }`, "Returns[0]=may{0}held{0}"},
		"a list with it":                      {`func F(b *buf) []*buf { return []*buf{b} }`, "Returns[0]=always{0}held{0}"},
		"text of it":                          {`func F(b *buf) string { return string(b.b) }`, ""},
		"memory by a callee":                  {`func F(b *buf) []byte { return g(b) }; func g(b *buf) []byte { return b.b }`, "Returns[0]=always{0}"},
		"without capacity":                    {`func F(b []byte) []byte { return b[:0:0] }`, ""},
		"itself and a number":                 {`func F(b *buf) (int, *buf) { return 1, b }`, "Returns[1]=always{0}"},
		"an object and what ends it":          {`func F() (*buf, func()) { b := get(); return b, func() { put(b) } }`, "Getter{0} Leases[1]=always{0}"},
		"what ends another object":            {`func F() (*buf, func()) { b, c := get(), get(); return b, func() { put(c) } }`, "Getter{0}"},
		"whether the count is zero":           {`func F(b *buf) bool { return b.refs.Add(-1) == 0 }`, "Counts"},
		"the count":                           {`func F(b *buf) int32 { return b.refs.Add(-1) }`, "Counts"},
		"whether it is long":                  {`func F(b *buf) bool { return len(b.b) == 0 }`, ""},
	} {
		t.Run(name, func(t *testing.T) { learned(t, test.source, test.want) })
	}
}

func learned(t *testing.T, source, want string) {
	t.Helper()
	got := sourcetest.Facts(t, common+source, facts.Analyzer)["example.com/p.F"]
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s\n-want +got:\n%s", source, d)
	}
}

func TestPoolsThatKeepTheirObjectsThemselves(t *testing.T) {
	for name, test := range map[string]struct{ source, get, put string }{
		"a channel": {`type P struct { c chan *T }
			func (p *P) Get() *T { select { case t := <-p.c: return t; default: return new(T) } }
			func (p *P) Put(t *T) { select { case p.c <- t: default: } }`, "Getter{0}", "MustPut{1} Release{1} MayPut{1}"},
		"a list": {`type P struct { free []*T }
			func (p *P) Get() *T { if n := len(p.free); n > 0 { t := p.free[n-1]; p.free = p.free[:n-1]; return t }; return new(T) }
			func (p *P) Put(t *T) { p.free = append(p.free, t) }`, "Getter{0}", "MustPut{1} Release{1} MayPut{1}"},
		"a queue, which makes none": {`type P struct { free []*T }
			func (p *P) Get() *T { if n := len(p.free); n > 0 { t := p.free[n-1]; p.free = p.free[:n-1]; return t }; return nil }
			func (p *P) Put(t *T) { p.free = append(p.free, t) }`, "", "Keeps{1}"},
		"two lists": {`type P struct { free, used []*T }
			func (p *P) Get() *T { if n := len(p.free); n > 0 { t := p.free[n-1]; p.free = p.free[:n-1]; return t }; return new(T) }
			func (p *P) Put(t *T) { p.used = append(p.used, t) }`, "", "Keeps{1}"},
		"connections": {`func (*T) Close() {}
			type P struct { c chan *T }
			func (p *P) Get() *T { select { case t := <-p.c: return t; default: return new(T) } }
			func (p *P) Put(t *T) { select { case p.c <- t: default: } }`, "", "Retains{1}"},
	} {
		t.Run(name, func(t *testing.T) {
			got := sourcetest.Facts(t, "-- p.go --\npackage p\n\ntype T struct{ n int }\n\n"+test.source, facts.Analyzer)
			for method, want := range map[string]string{"Get": test.get, "Put": test.put} {
				says := got["(*example.com/p.P)."+method]
				for _, part := range strings.Fields(want) {
					if !strings.Contains(" "+says+" ", " "+part+" ") {
						t.Errorf("%s: %q, want %q", method, says, want)
					}
				}
				if want == "" && strings.Contains(says, "Getter") || method == "Put" && test.get == "" && strings.Contains(says, "MustPut") {
					t.Errorf("%s: %q, want %q", method, says, want)
				}
			}
		})
	}
}

func TestAWrapperOfAnotherPackageIsWrapped(t *testing.T) {
	got := sourcetest.Facts(t, `-- lib.go --
package lib

import "sync"

type Pool[T any] struct{ p sync.Pool }

func (p *Pool[T]) Get() *T  { return p.p.Get().(*T) }
func (p *Pool[T]) Put(x *T) { p.p.Put(x) }
-- p.go --
package p

import "example.com/lib"

type Buf struct{ lib.Pool[int] }

func (b *Buf) Take() *int  { return b.Get() }
func (b *Buf) Give(x *int) { b.Put(x) }

var Default lib.Pool[int]

func Get() *int  { return Default.Get() }
func Put(x *int) { defer Default.Put(x) }
`, facts.Analyzer)
	want := map[string]string{
		"(*example.com/lib.Pool[T]).Get": "Getter{0} From{Index:0 Param:0 Pool:.0}", "(*example.com/lib.Pool[T]).Put": "MustPut{1} Release{1} MayPut{1} To{Index:1 Param:0 Pool:.0}",
		"(*example.com/p.Buf).Take": "Getter{0} From{Index:0 Param:0 Pool:.0.0}", "(*example.com/p.Buf).Give": "MustPut{1} Release{1} MayPut{1} To{Index:1 Param:0 Pool:.0.0}",
		"example.com/p.Get": "Getter{0} From{Index:0 Param:-1 Pool:example.com/p.Default.0}", "example.com/p.Put": given + " To{Index:0 Param:-1 Pool:example.com/p.Default.0}",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

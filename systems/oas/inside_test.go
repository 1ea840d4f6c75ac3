package oas

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"
)

// The table of keys is not cleared for each object but marked with a round. When
// the number of rounds is used up, marks of long ago must not count.
func TestTheRoundsOfTheTableOfKeysBeginAgain(t *testing.T) {
	source := []byte(`{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"\u0061":1}`) // the escape makes it look at all keys
	p := &parser{round: ^uint32(0)}
	p.table = make([]slot, 32)
	for i := range p.table {
		p.table[i] = slot{1, 0} // taken in a round 1, by a node that is not there any more
	}
	p.nodes = []node{{keyOff: 0, keyLen: 3}}
	if err := p.parse(source, 0); err != nil {
		t.Error(err)
	}
	taken := 0
	for _, s := range p.table {
		if s.round == p.round {
			taken++
		}
	}
	if p.round != 1 || taken != 10 {
		t.Errorf("round %d, %d of 10 keys in the table", p.round, taken)
	}
}

// What waits in a pool holds on to no source and no document.
func TestWhatIsPooledPinsNothing(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for range 20 { // under the race detector a pool keeps not everything
		d, err := Parse([]byte(`{"a":{"b":1}}`))
		if err != nil {
			t.Fatal(err)
		}
		d.Walk(func(*Cursor) Action { return Continue })
		p, c := parsers.Get(), cursors.Get()
		if p.text != nil || p.nodes != nil || p.err != nil || len(p.path) > 0 {
			t.Error("a parser in the pool holds on to a source")
		}
		if c.doc != nil || len(c.stack) > 0 || len(c.text) > 0 {
			t.Error("a cursor in the pool holds on to a document")
		}
	}
}

// Other readers of YAML take more words for something else than we do, so all of
// them are in quotes.
func TestWordsOfOtherReadersAreInQuotes(t *testing.T) {
	for word := range strings.FieldsSeq("y Y n N yes Yes NO no on On OFF off true TRUE False null Null ~ 012 0x1 1_0 2020-01-02 12:30 1e3 .5 - ? <<") {
		if isPlain([]byte(word)) {
			t.Errorf("%s is written without quotes", word)
		}
	}
}

// objects counts what v keeps alive: the memory that its pointers, slices, maps and
// strings refer to, each piece once. It leaves out what lies in given.
func objects(v reflect.Value, given []byte, seen map[uintptr]bool) {
	held := func(at uintptr) bool {
		if from := uintptr(unsafe.Pointer(unsafe.SliceData(given))); at == 0 || at >= from && at < from+uintptr(cap(given)) || seen[at] {
			return false
		}
		seen[at] = true
		return true
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && held(v.Pointer()) {
			objects(v.Elem(), given, seen)
		}
	case reflect.Slice:
		if v.Cap() > 0 && held(v.Pointer()) {
			for i := range v.Len() {
				objects(v.Index(i), given, seen)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			objects(v.Field(i), given, seen)
		}
	case reflect.Map, reflect.String, reflect.Interface, reflect.Func, reflect.Chan:
		if !v.IsZero() {
			panic("a document holds a " + v.Type().String() + ": count it")
		}
	}
}

// What a parsed document keeps alive beside its source is the Doc and one array
// of nodes.
func TestAParsedDocumentIsTwoObjects(t *testing.T) {
	for name, source := range map[string]string{
		"small": `{"openapi":"3.1.0"}`,
		"large": "[" + strings.Repeat(`{"a":["b",1],"c":{}},`, 20_000) + "0]",
	} {
		d, err := Parse([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[uintptr]bool{}
		objects(reflect.ValueOf(d), d.text, seen)
		if len(seen) != 2 {
			t.Errorf("the %s document is %d objects", name, len(seen))
		}
	}
}

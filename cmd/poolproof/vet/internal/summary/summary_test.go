package summary

import (
	"bytes"
	"encoding/gob"
	"reflect"
	"testing"
)

func full() *Summary {
	s := &Summary{Getter: Bit(0), MustPut: Bit(1), Keeps: Bit(2), Counts: true}
	for _, i := range []int{3, 1, 2, 0} {
		s.AddReturn(Flow{To: i, From: Bit(i)})
		s.AddInto(Flow{To: i, May: Bit(i)})
		s.AddDetach(i, 4-i)
		s.AddDetach(i, All)
	}
	return s
}

func TestEqualSummariesAreWrittenAlike(t *testing.T) {
	var first []byte
	for range 50 {
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(full()); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b.Bytes()
		}
		if !bytes.Equal(first, b.Bytes()) {
			t.Fatal("two encodings of one summary differ: the go command would not find what it has cached")
		}
	}
}

func TestEqualComparesEveryElement(t *testing.T) {
	for name, change := range map[string]func(*Summary){
		"a set":                  func(s *Summary) { s.Lends = Bit(5) },
		"whether it counts":      func(s *Summary) { s.Counts = false },
		"one flow of several":    func(s *Summary) { s.Returns[2].May = Bit(7) },
		"what is stored where":   func(s *Summary) { s.Into[3].Holds = Bit(7) },
		"one field of several":   func(s *Summary) { s.Detach[1].Fields[1] = 9 },
		"a lease":                func(s *Summary) { s.AddLease(Flow{To: 1, From: Bit(0)}) },
		"what it keeps for sure": func(s *Summary) { s.Keeps = 0 },
	} {
		s := full()
		if change(s); s.Equal(full()) {
			t.Errorf("summaries that differ in %s are equal", name)
		}
	}
	if !full().Equal(full()) {
		t.Error("equal summaries differ")
	}
}

func TestWhatIsBeyondSixtyFourIsInNoSet(t *testing.T) {
	if Bit(64) != 0 || Bit(-1) != 0 || Mask(^uint64(0)).Has(64) {
		t.Error("a parameter beyond 64 is in a set")
	}
}

func TestDetachingAllFieldsDetachesEach(t *testing.T) {
	s := new(Summary)
	s.AddDetach(0, 2)
	if !s.Detaches(0, 2) || s.Detaches(0, 1) || s.Detaches(1, 2) {
		t.Error("one field is not that field")
	}
	s.AddDetach(0, All)
	if !s.Detaches(0, 1) {
		t.Error("all fields are not each")
	}
}

// A field that is added to Summary must be compared and printed.
func TestEveryFieldIsComparedAndPrinted(t *testing.T) {
	for i := range reflect.TypeFor[Summary]().NumField() {
		s := new(Summary)
		field := reflect.ValueOf(s).Elem().Field(i)
		switch field.Kind() {
		case reflect.Uint64:
			field.SetUint(1)
		case reflect.Bool:
			field.SetBool(true)
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		}
		name := reflect.TypeFor[Summary]().Field(i).Name
		if s.Equal(new(Summary)) || s.Zero() {
			t.Errorf("a summary with %s is equal to one without", name)
		}
		if s.String() == "" {
			t.Errorf("a summary with %s is printed as nothing", name)
		}
	}
}

package core

import "testing"

func TestABugIsShownOnceInATest(t *testing.T) {
	var f Reports
	f.Init(memory(t, ReportsMemory), 100)
	note := func(access uintptr, put, test uint32, warning, ignored bool) bool {
		id, fresh := f.Note(ReportKey{Access: access, Put: 1, Ignored: ignored})
		if !fresh {
			t.Fatal("is known already")
		}
		f.At(id).PutStack, f.At(id).Warning = put, warning
		f.At(id).In(test)
		return f.Shown(id)
	}
	for i, tt := range []struct {
		name             string
		put, test        uint32
		warning, ignored bool
		want             bool
	}{
		{"an ignored one shows nothing", 7, 1, false, true, false},
		{"the first", 7, 1, false, false, false},
		{"another place after the same Put", 7, 1, false, false, true},
		{"in another test", 7, 2, false, false, false},
		{"after another Put", 8, 1, false, false, false},
		{"a warning is no error", 7, 1, true, false, false},
		{"without a Put, as of a nil pointer", 0, 1, false, false, false},
		{"and again", 0, 1, false, false, false},
	} {
		if got := note(uintptr(i+1), tt.put, tt.test, tt.warning, tt.ignored); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

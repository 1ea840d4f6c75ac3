package plan

import "testing"

func TestAPoolIsATypeAndNotAWord(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want bool
	}{
		"a variable":              {"package p\nimport \"sync\"\nvar p = sync.Pool{}", true},
		"a field":                 {"package p\nimport \"sync\"\ntype T struct{ p *sync.Pool }", true},
		"under another name":      {"package p\nimport s \"sync\"\nvar p s.Pool", true},
		"without a name":          {"package p\nimport . \"sync\"\nvar p Pool", true},
		"a mark":                  {"package p\nimport \"github.com/poolproof/poolproof/mark\"\nfunc f(b []byte) { mark.Put(b) }", true},
		"what does not parse":     {"package p\nimport \"sync\"\nvar p sync.Pool {", true},
		"a comment":               {"package p\nimport \"sync\"\n// f is faster than a sync.Pool.\nvar m sync.Mutex", false},
		"a string":                {"package p\nimport \"sync\"\nvar m sync.Mutex\nvar s = \"sync.Pool\"", false},
		"another package's":       {"package p\nimport \"example.com/sync\"\nvar p sync.Pool", false},
		"a type of the package":   {"package p\ntype Pool struct{}\nvar p Pool", false},
		"a field that is a Pool":  {"package p\nimport \"sync\"\nvar m sync.Mutex\nvar x = y.Pool", false},
		"neither word":            {"package p\nimport \"sync\"\nvar m sync.Mutex", false},
		"the mark in a comment":   {"package p\n// See poolproof/mark.\nvar m int", false},
		"another type of package": {"package p\nimport \"sync\"\nvar m sync.Map // no Pool", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := hasPool([]byte(tt.text)); got != tt.want {
				t.Errorf("hasPool is %t, want %t, of\n%s", got, tt.want, tt.text)
			}
		})
	}
}

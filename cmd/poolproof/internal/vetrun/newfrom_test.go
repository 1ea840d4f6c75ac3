package vetrun

import "testing"

func TestANewFileIsNewAsAWhole(t *testing.T) {
	c := changes{"/src/new.go": nil, "/src/mode.go": {}, "/src/old.go": {{3, 4}}}
	for name, test := range map[string]struct {
		file string
		line int
		want bool
	}{
		"in a new file":                       {"/src/new.go", 77, true},
		"in a file whose lines are as before": {"/src/mode.go", 1, false},
		"the first line of a change":          {"/src/old.go", 3, true},
		"the last":                            {"/src/old.go", 4, true},
		"behind it":                           {"/src/old.go", 5, false},
		"in a file that nobody touched":       {"/src/other.go", 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.holds(test.file, test.line); got != test.want {
				t.Errorf("new: %v", got)
			}
		})
	}
}

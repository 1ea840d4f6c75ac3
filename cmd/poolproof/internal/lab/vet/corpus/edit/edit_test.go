package edit

import "testing"

func TestApply(t *testing.T) {
	for _, test := range []struct {
		name  string
		edits []Edit
		want  string
	}{
		{"nothing", nil, "0123456789"},
		{"a replacement", []Edit{{2, 4, "ab"}}, "01ab456789"},
		{"in any order", []Edit{{8, 9, ""}, {0, 1, "xyz"}}, "xyz12345679"},
		{"insertions at one place keep their order", []Edit{{5, 5, "a"}, {5, 5, "b"}}, "01234ab56789"},
		{"an insertion before a replacement", []Edit{{5, 7, "-"}, {5, 5, "+"}}, "01234+-789"},
		{"at the end", []Edit{{10, 10, "!"}}, "0123456789!"},
		{"overlapping", []Edit{{2, 4, ""}, {3, 5, ""}}, ""},
		{"outside", []Edit{{9, 11, ""}}, ""},
		{"backwards", []Edit{{4, 2, ""}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Apply([]byte("0123456789"), test.edits)
			if (err != nil) != (test.want == "") || string(got) != test.want {
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
		})
	}
}

package build

import "testing"

func TestThePartBeforeTheFirstSlashSelectsFunctions(t *testing.T) {
	for _, tt := range []struct {
		bench string
		name  string
		want  bool
	}{
		{"", "BenchmarkA", true},
		{".", "BenchmarkA", true},
		{"A", "BenchmarkA", true},
		{"^A$", "BenchmarkA", false},
		{"B|A", "BenchmarkA", true},
		{"B/x|A/y", "BenchmarkA", true},
		{"(X|Y)/A", "BenchmarkA", false},
		{"X/A", "BenchmarkA", false},
		{"[/A]/x", "BenchmarkA", true},
		{`Bench\w+A`, "BenchmarkXA", true},
		{"(", "BenchmarkA", true}, // testing says what is wrong with it
	} {
		if got := functionsOf(tt.bench)(tt.name); got != tt.want {
			t.Errorf("-bench %q selects %s: %t, want %t", tt.bench, tt.name, got, tt.want)
		}
	}
}

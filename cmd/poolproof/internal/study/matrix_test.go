package study

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCellsIsTheCrossProductInTheOrderOfTheMatrix(t *testing.T) {
	for _, tt := range []struct {
		name, matrix string
		want         [][]string
	}{
		{"no matrix is one cell as it is", "", [][]string{nil}},
		{"blanks are no matrix", " \t\n", [][]string{nil}},
		{"one variable gives a cell a value", "GOGC=100,25", [][]string{{"GOGC=100"}, {"GOGC=25"}}},
		{"the first variable varies slowest", "GOGC=off,25  GOMAXPROCS=1,2", [][]string{
			{"GOGC=off", "GOMAXPROCS=1"}, {"GOGC=off", "GOMAXPROCS=2"},
			{"GOGC=25", "GOMAXPROCS=1"}, {"GOGC=25", "GOMAXPROCS=2"}}},
		{"values may hold equals signs", "GODEBUG=madvdontneed=1,gctrace=0 GOMEMLIMIT=50MiB APP_MODE2=a", [][]string{
			{"GODEBUG=madvdontneed=1", "GOMEMLIMIT=50MiB", "APP_MODE2=a"},
			{"GODEBUG=gctrace=0", "GOMEMLIMIT=50MiB", "APP_MODE2=a"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Cells(tt.matrix)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestCellsDoNotShareMemory(t *testing.T) {
	cells, err := Cells("A=1,2 B=1,2 C=1,2 D=1,2")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range cells {
		_ = append(c, "LATE=1")
		seen[strings.Join(c, " ")] = true
	}
	if len(cells) != 16 || len(seen) != 16 {
		t.Errorf("%d cells, %d different ones, want 16", len(cells), len(seen))
	}
}

func TestCellsRefuseWhatTheRuntimeWouldNotTake(t *testing.T) {
	for _, tt := range []struct{ name, matrix, want string }{
		{"a name alone", "GOGC", "gives no value"},
		{"a name without values", "GOGC=", "gives no value"},
		{"a name in small letters", "gogc=1", "capital letters"},
		{"a name that begins with a digit", "1A=1", "capital letters"},
		{"values alone", "=1", "capital letters"},
		{"a variable that stands twice", "GOGC=1 GOMAXPROCS=1 GOGC=2", "GOGC twice"},
		{"a value that stands twice", "GOGC=1,2,1", "empty or twice"},
		{"an empty value", "GOGC=1,", "empty or twice"},
		{"a share for GOGC", "GOGC=50%", "GOGC=50%"},
		{"a negative GOGC", "GOGC=-1", "or off"},
		{"no processors", "GOMAXPROCS=0", "1 or more"},
		{"many processors", "GOMAXPROCS=99999999999", "1 or more"},
		{"a limit in decimal megabytes", "GOMEMLIMIT=50MB", "KiB, MiB"},
		{"another system", "GOOS=windows,linux", "no setting of one build; those are GOTOOLCHAIN"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cells, err := Cells(tt.matrix)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Cells(%q) = %v, %v, want an error with %q", tt.matrix, cells, err, tt.want)
			}
		})
	}
}

func TestThresholdIsAShare(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "2%": 0.02, "0.5 %": 0.005, " 10%": 0.1} {
		if got, err := Threshold(text); err != nil || math.Abs(got-want) > 1e-15 {
			t.Errorf("Threshold(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"2", "0.02", "0%", "-1%", "100%", "NaN%", "Inf%", "%", "2%%", " ", "2 % of it"} {
		if got, err := Threshold(text); err == nil {
			t.Errorf("Threshold(%q) = %v, want an error", text, got)
		}
	}
}

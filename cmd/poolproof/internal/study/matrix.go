package study

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Cells expands a matrix as "GOGC=100,25 GOMAXPROCS=1,2" into its cells: each
// is one choice of a value for every variable, as NAME=value in the order of
// the matrix. The first variable varies slowest. An empty matrix has one cell,
// which is empty: the environment as it is.
//
// A name consists of capital letters, digits and underscores. What the Go
// runtime would ignore or die of is an error: a malformed value of GOGC,
// GOMEMLIMIT or GOMAXPROCS, and variables that would change more than a build.
// Values cannot hold a comma or a space. See [Settings] for what builds read.
func Cells(matrix string) ([][]string, error) {
	cells := [][]string{nil}
	seen := map[string]bool{}
	for field := range strings.FieldsSeq(matrix) {
		name, list, ok := strings.Cut(field, "=")
		switch {
		case !ok || list == "":
			return nil, fmt.Errorf("matrix holds %q, which gives no value; write NAME=value,value", field)
		case !EnvName.MatchString(name):
			return nil, fmt.Errorf("matrix holds the name %q; write an environment variable in capital letters, such as GOGC", name)
		case seen[name]:
			return nil, fmt.Errorf("matrix holds %s twice; write all its values after one %s=", name, name)
		case slices.Contains(buildOnly, name):
			return nil, fmt.Errorf("matrix holds %s, which is no setting of one build; those are %s", name, strings.Join(buildSettings, ", "))
		}
		seen[name] = true
		values := strings.Split(list, ",")
		for i, v := range values {
			if v == "" || slices.Contains(values[:i], v) {
				return nil, fmt.Errorf("matrix holds %q with the value %q empty or twice; write each value once", field, v)
			}
			if err := checkValue(name, v); err != nil {
				return nil, err
			}
		}
		cells = cross(cells, name, values)
	}
	return cells, nil
}

// cross extends each cell by each value.
func cross(cells [][]string, name string, values []string) [][]string {
	out := make([][]string, 0, len(cells)*len(values))
	for _, cell := range cells {
		for _, v := range values {
			out = append(out, slices.Concat(cell, []string{name + "=" + v}))
		}
	}
	return out
}

var (
	EnvName  = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
	memLimit = regexp.MustCompile(`^[0-9]+(B|KiB|MiB|GiB|TiB)?$`)
)

// PGO is the name in a cell for the profile of -pgo: a file, off or auto.
const PGO = "PGO"

var (
	// buildSettings are the variables of the go command and the compiler that a cell may set: it has
	// builds of its own.
	buildSettings = []string{"GOTOOLCHAIN", "GOEXPERIMENT", "GOAMD64", "GOARM64", "CGO_ENABLED", PGO}
	// buildOnly are variables of the go command that no cell may change.
	buildOnly = []string{"GOFLAGS", "GOOS", "GOARCH"}
)

// ofBuild reports whether a variable speaks to the go command.
func ofBuild(name string) bool {
	return slices.Contains(buildSettings, name) || slices.Contains(buildOnly, name)
}

// Settings splits a cell into what its builds read and what its processes do.
func Settings(cell []string) (builds, processes []string) {
	for _, v := range cell {
		if name, _, _ := strings.Cut(v, "="); slices.Contains(buildSettings, name) {
			builds = append(builds, v)
		} else {
			processes = append(processes, v)
		}
	}
	return builds, processes
}

// checkValue refuses what the runtime would not take.
func checkValue(name, value string) error {
	switch name {
	case "GOGC":
		if n, err := strconv.ParseInt(value, 10, 32); value != "off" && (err != nil || n < 0) {
			return fmt.Errorf("matrix holds GOGC=%s; write a percentage without the sign, or off", value)
		}
	case "GOMAXPROCS":
		if n, err := strconv.ParseInt(value, 10, 32); err != nil || n < 1 {
			return fmt.Errorf("matrix holds GOMAXPROCS=%s; write a number of processors, 1 or more", value)
		}
	case "GOMEMLIMIT":
		if value != "off" && !memLimit.MatchString(value) {
			return fmt.Errorf("matrix holds GOMEMLIMIT=%s; write bytes, or a number with KiB, MiB, GiB or TiB, or off", value)
		}
	}
	return nil
}

// Threshold parses a practical equality as "2%" or "0.5 %" into a share, here
// 0.02 and 0.005. Empty text is 0: the default. It must be above 0 % and below
// 100 %.
func Threshold(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	number, ok := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil || math.IsNaN(v) || v <= 0 || v >= 100 {
		return 0, fmt.Errorf("threshold %q is not a percentage; write one above 0%% and below 100%%, such as \"2%%\"", text)
	}
	return v / 100, nil
}

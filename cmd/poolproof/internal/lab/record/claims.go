package record

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// ClaimsName is the list of all claims of the documents, seen from the repository.
const ClaimsName = "studies/claims.toml"

// document holds the claims of one source.
type document struct {
	Name, Source string
	Claim        []documentClaim
}

// documentClaim is one claim of a document: the claims of studies that judge it, or
// why none can.
type documentClaim struct {
	Text   string
	Figure string // as published; "": the source gives none
	Rows   []string
	Why    string
}

// claimed checks the list against the study files: no claim is missing on either
// side, each has the published figure, and each size follows from it.
func (f *Finding) claimed(root string, studies []committed.Study) error {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(ClaimsName)))
	if err != nil {
		return err
	}
	var list struct{ Document []document }
	if err := toml.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("%s: %w", ClaimsName, err)
	}
	f.Problems = append(f.Problems, listed(root, list.Document, studies)...)
	return nil
}

func listed(root string, documents []document, studies []committed.Study) (out []Problem) {
	problem := func(format string, args ...any) {
		out = append(out, Problem{File: ClaimsName, Text: fmt.Sprintf(format, args...)})
	}
	rows := map[string]study.Claim{}
	var order []string
	for _, s := range studies {
		dir := strings.TrimPrefix(relative(root, s.Dir), "studies/")
		for _, c := range s.File.Claims {
			name := dir + ": " + c.Text
			rows[name] = c
			order = append(order, name)
			if !derived(c.Published, c.Size) {
				out = append(out, Problem{File: relative(root, s.File.Path), Text: fmt.Sprintf("the size %q of the claim %q does not follow from its published figure %q", c.Size, c.Text, c.Published)})
			}
		}
	}
	judged := map[string]bool{}
	for _, d := range documents {
		for _, c := range d.Claim {
			switch {
			case len(c.Rows) == 0 && !strings.HasSuffix(c.Why, "."):
				problem("the claim %q of %s has no rows, and no sentence why none can judge it", c.Text, d.Name)
			case len(c.Rows) > 0 && c.Why != "":
				problem("the claim %q of %s has rows, and a sentence why it has none", c.Text, d.Name)
			}
			for _, name := range c.Rows {
				row, ok := rows[name]
				switch {
				case !ok:
					problem("the claim %q of %s is judged by %q, which no study has", c.Text, d.Name, name)
				case row.Published != c.Figure:
					problem("the claim %q of %s has the figure %q, and %q has %q", c.Text, d.Name, c.Figure, name, row.Published)
				}
				judged[name] = true
			}
		}
	}
	for _, name := range order {
		if !judged[name] {
			problem("the claim %q is in no document of the list", name)
		}
	}
	return out
}

var (
	// aRange is "4-5x", "3-5 s", "~1.5x-2x".
	aRange = regexp.MustCompile(`(\d+(?:\.\d+)?)x?-(\d+(?:\.\d+)?)`)
	// aQuantity is a number with what stands behind it.
	aQuantity = regexp.MustCompile(`([+-]?)(\d[\d,]*(?:\.\d+)?) ?(%|x|times|ns|µs|us|ms|s|KiB|MiB|KB|MB|B|bytes)?`)
	scales    = map[string]float64{"µs": 1e3, "us": 1e3, "ms": 1e6, "s": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "KB": 1e3, "MB": 1e6}
)

// derived reports whether the size of a claim follows from its published figure: from
// a percentage or a multiple in it, from two quantities, or from the middle of a
// range. Without a size, or without a figure, nothing has to follow.
func derived(published, size string) bool {
	s, err := study.ParseSize(size)
	if err != nil || published == "" {
		return true
	}
	var numbers, ratios []float64
	text := aRange.ReplaceAllStringFunc(published, func(r string) string {
		m := aRange.FindStringSubmatch(r)
		lo, hi := parse(m[1]), parse(m[2])
		ratios = append(ratios, (lo+hi)/2)
		return strconv.FormatFloat((lo+hi)/2, 'f', -1, 64)
	})
	for _, m := range aQuantity.FindAllStringSubmatch(text, -1) {
		x := parse(m[2])
		switch m[3] {
		case "%":
			sign := 1.0
			if m[1] == "-" {
				sign = -1
			}
			ratios = append(ratios, 1+sign*x/100)
			if m[1] == "" { // the words say whether it is more or less
				ratios = append(ratios, 1-x/100)
			}
			continue
		case "x", "times":
			ratios = append(ratios, x)
		}
		scale := scales[m[3]]
		if scale == 0 {
			scale = 1
		}
		numbers = append(numbers, x*scale)
	}
	if s.Kind == study.SizeDifference || s.Kind == study.SizeReached {
		return slices.ContainsFunc(numbers, func(x float64) bool { return x >= math.Abs(s.Lo) && x <= math.Abs(s.Hi) || x >= s.Lo && x <= s.Hi })
	}
	for i, a := range numbers {
		for _, b := range numbers[i+1:] {
			ratios = append(ratios, b/a, 1-a/b)
		}
	}
	return slices.ContainsFunc(ratios, func(r float64) bool { return within(s, r) || within(s, 1/r) })
}

func within(s study.Size, ratio float64) bool {
	const rounded = 1e-9
	return ratio >= s.Lo*(1-rounded) && ratio <= s.Hi*(1+rounded)
}

// parse reads a number that a pattern has matched.
func parse(number string) float64 {
	x, err := strconv.ParseFloat(strings.ReplaceAll(strings.Trim(number, ","), ",", ""), 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

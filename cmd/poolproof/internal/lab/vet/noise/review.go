package noise

import (
	_ "embed"
	"fmt"
	"regexp"

	"github.com/pelletier/go-toml/v2"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
)

var (
	//go:embed testdata/reviewed.toml
	reviewedTOML []byte
	//go:embed testdata/draws.toml
	drawsTOML []byte
)

// Review is the judgement of one report by a reader of the code.
type Review struct {
	Module    string `toml:"module"`
	Version   string `toml:"version"`
	File      string `toml:"file"`
	Line      int    `toml:"line"`
	Code      string `toml:"code"`
	Judgement string `toml:"judgement"` // see Judgements
	Why       string `toml:"why"`
}

// The judgements.
const (
	True     = "true"      // a defect
	ByDesign = "by design" // what the report says happens, and is meant
	Harmless = "harmless"  // the code is safe, and the report not wanted: a false alarm
	False    = "false"     // what the report says does not happen
)

// Reviews are the judgements that are kept.
type Reviews struct {
	Report []Review `toml:"report"`
}

var versionForm = regexp.MustCompile(`^(v|go)\d`)

// LoadReviews reads the judgements.
func LoadReviews() (*Reviews, error) {
	return parseReviews(append(append([]byte{}, reviewedTOML...), drawsTOML...))
}

func parseReviews(text []byte) (*Reviews, error) {
	r := new(Reviews)
	if err := toml.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("reviewed.toml: %w", err)
	}
	seen := make(map[Review]bool)
	for _, v := range r.Report {
		where := fmt.Sprintf("reviewed.toml: %s %s:%d %s", v.Module, v.File, v.Line, v.Code)
		if _, err := Named(v.Module); err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		switch v.Judgement {
		case True, ByDesign, Harmless, False:
		default:
			return nil, fmt.Errorf("%s: judgement %q; there are %q, %q, %q and %q", where, v.Judgement, True, ByDesign, Harmless, False)
		}
		if v.Why == "" || !versionForm.MatchString(v.Version) {
			return nil, fmt.Errorf("%s: a judgement needs a version, and says why", where)
		}
		key := v
		key.Judgement, key.Why = "", ""
		if seen[key] {
			return nil, fmt.Errorf("%s: judged twice", where)
		}
		seen[key] = true
	}
	return r, nil
}

// Of returns the judgement of a report in a module, or nil.
func (r *Reviews) Of(m Module, rep corpus.Report) *Review {
	for i, v := range r.Report {
		if v.Module == m.Name && v.Version == m.Version && v.File == rep.File && v.Line == rep.Line && v.Code == rep.Code {
			return &r.Report[i]
		}
	}
	return nil
}

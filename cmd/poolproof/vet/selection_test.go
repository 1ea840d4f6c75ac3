package vet_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/directive"
)

func TestASelectionNamesChecks(t *testing.T) {
	for name, test := range map[string]struct {
		list string
		want string // of PV001, PV002 and PV003
	}{
		"nothing: all":                    {"", "PV001 PV002 PV003"},
		"by code":                         {"PV002", "PV002"},
		"by name, in any case":            {"Double-Put", "PV002"},
		"several":                         {"PV001,return-alias", "PV001 PV003"},
		"all but one":                     {"-PV002", "PV001 PV003"},
		"all but some":                    {"-PV002,-use-after-put", "PV003"},
		"what is named twice is left out": {"PV001,PV002,-PV001", "PV002"},
	} {
		t.Run(name, func(t *testing.T) {
			var list []string
			if test.list != "" {
				list = strings.Split(test.list, ",")
			}
			wanted, err := vet.Selection(list)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, code := range []string{"PV001", "PV002", "PV003"} {
				if wanted(code) {
					got = append(got, code)
				}
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
	for _, bad := range []string{"PV999", "", "-", "-nonsense"} {
		_, err := vet.Selection([]string{bad})
		if unknown, ok := errors.AsType[*directive.UnknownError](err); !ok || unknown.Name != strings.TrimPrefix(bad, "-") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

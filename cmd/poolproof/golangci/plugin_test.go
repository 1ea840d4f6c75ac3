package golangci_test

import (
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"

	"github.com/poolproof/poolproof/cmd/poolproof/golangci"
	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// analyzers builds the plugin as golangci-lint does, and returns the names of
// its analyzers.
func analyzers(t *testing.T, settings any) (names []string, err error) {
	t.Helper()
	makePlugin, err := register.GetPlugin(golangci.Name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := makePlugin(settings)
	if err != nil {
		return nil, err
	}
	if mode := p.GetLoadMode(); mode != register.LoadModeTypesInfo {
		t.Errorf("load mode %s: the analyzers need types", mode)
	}
	all, err := p.BuildAnalyzers()
	for _, a := range all {
		names = append(names, a.Name)
	}
	return names, err
}

func TestWithoutSettingsAllChecksRun(t *testing.T) {
	names, err := analyzers(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != len(vet.Checks()) {
		t.Errorf("%d analyzers of %d checks: %v", len(names), len(vet.Checks()), names)
	}
}

func TestSettingsReachTheAnalyzers(t *testing.T) {
	names, err := analyzers(t, map[string]any{
		"tier": "error", "drop-on-error": true, "generated": true, "require-defer": []any{"get", "take"}, "checks": []any{"PV009", "pool-copied"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(names, " "); got != "pooloverwritten poolcopied" {
		t.Errorf("analyzers %s", got)
	}
	for name, want := range map[string]string{"tier": "error", "drop-on-error": "true", "generated": "true", "require-defer": "get,take", "checks": "PV009,pool-copied"} {
		if got := vet.Facts.Flags.Lookup(name).Value.String(); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestWrongSettingsAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		settings map[string]any
		want     string
	}{
		"a tier that is not there":  {map[string]any{"tier": "fatal"}, "there is no tier fatal"},
		"a check that is not there": {map[string]any{"checks": []any{"PV999"}}, `there is no check "PV999"`},
		"a setting of no meaning":   {map[string]any{"teir": "error"}, "teir"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := analyzers(t, test.settings)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

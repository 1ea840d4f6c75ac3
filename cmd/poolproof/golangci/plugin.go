// Package golangci is poolproof vet as a module plugin of golangci-lint v2. Users
// name it in .custom-gcl.yml, and build their golangci-lint with
// "golangci-lint custom". docs/vet.md of the repository shows both files.
package golangci

import (
	"fmt"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// Name is the linter's name in .golangci.yml.
const Name = "poolproof"

func init() { register.Plugin(Name, New) }

// Settings are those of the linter in .golangci.yml.
type Settings struct {
	Tier         string   `json:"tier"`          // error, warning or audit; default warning
	DropOnError  bool     `json:"drop-on-error"` // a path that returns an error may lose the object
	Generated    bool     `json:"generated"`     // report findings in generated files too
	RequireDefer []string `json:"require-defer"` // functions whose result must be put by a deferred call
	Checks       []string `json:"checks"`        // as in -checks; default all
}

// New makes the plugin from its settings.
func New(settings any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[Settings](settings)
	if err != nil {
		return nil, fmt.Errorf("poolproof: %w", err)
	}
	wanted, err := vet.Selection(s.Checks)
	if err != nil {
		return nil, fmt.Errorf("poolproof: checks: %w", err)
	}
	return plugin{s, wanted}, nil
}

type plugin struct {
	settings Settings
	wanted   func(code string) bool
}

// BuildAnalyzers returns the analyzers of the checks that are wanted, and tells
// them the settings.
func (p plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	flags := map[string]string{
		"checks":        strings.Join(p.settings.Checks, ","),
		"drop-on-error": fmt.Sprint(p.settings.DropOnError),
		"generated":     fmt.Sprint(p.settings.Generated),
		"require-defer": strings.Join(p.settings.RequireDefer, ","),
	}
	if p.settings.Tier != "" {
		flags["tier"] = p.settings.Tier
	}
	for name, value := range flags {
		if err := vet.Facts.Flags.Set(name, value); err != nil {
			return nil, fmt.Errorf("poolproof: %s: %w", name, err)
		}
	}
	var analyzers []*analysis.Analyzer
	for _, c := range vet.Checks() {
		if p.wanted(c.Code) {
			analyzers = append(analyzers, c.Analyzer)
		}
	}
	return analyzers, nil
}

// GetLoadMode says that the analyzers need types.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }

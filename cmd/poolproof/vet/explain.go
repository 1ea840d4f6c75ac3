package vet

import (
	"embed"
	"fmt"
	"io"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/directive"
)

// texts are the explanations of all checks, "explain/PV001.md" and so on. The
// code in them is analysed by a test: what is wrong there is found, what is
// right is not.
//
//go:embed explain/PV*.md
var texts embed.FS

// Explain writes what a check is about, in Markdown: what it finds, why that is
// wrong, code that is wrong and code that is right, and how to suppress it. The
// check is given by code or name, in whatever case. The error lists the checks if there is
// none of that name, or is that of w.
func Explain(w io.Writer, check string) error {
	code, ok := directive.Find(check)
	if !ok {
		return &directive.UnknownError{Name: check}
	}
	text, err := texts.ReadFile("explain/" + code + ".md")
	if err != nil {
		return fmt.Errorf("%s has no explanation: %w", code, err)
	}
	var c Check
	for _, known := range Checks() {
		if known.Code == code {
			c = known
		}
	}
	_, err = fmt.Fprintf(w, "# %s %s\n\nTier: %s%s.%s\n\n%s\n%s", c.Code, c.Name, c.Tier, otherTier(c), fixNote(c), text, suppression(code))
	return err
}

// otherTier says when a finding is of another tier than its check.
func otherTier(c Check) string {
	if c.Else.Tier == 0 {
		return ""
	}
	return "; " + c.Else.Tier.String() + " if " + c.Else.If
}

func fixNote(c Check) string {
	if c.Fix {
		return " Some findings come with a fix, which `-fix` applies."
	}
	return ""
}

// suppression says how to live with a finding that is meant.
func suppression(code string) string {
	return fmt.Sprintf("Suppression, on the line or alone on the line before, with a reason:\n\n    //poolproof:ignore %s why this is right here\n", code)
}

package overlay

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// readFlags splits GOFLAGS, takes out what cannot live beside our overlay or
// our own flags, and remembers it.
func (t *Toolchain) readFlags(dir, goflags string) error {
	fields, err := splitFlags(goflags)
	if err != nil {
		return fault.Errorf(fault.Tools, "GOFLAGS=%s: %w", goflags, err)
	}
	for _, f := range fields {
		name, value, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		switch {
		case name == "overlay" && value == "":
		case name == "overlay":
			if t.user, err = readOverlay(dir, value); err != nil {
				return fault.Errorf(fault.Tools, "GOFLAGS=%s: %w", goflags, err)
			}
			t.Notes = append(t.Notes, "the overlay of GOFLAGS is merged with ours")
		case t.whole:
			t.flags = append(t.flags, f)
		case strings.HasPrefix(name, "cover"):
			t.Notes = append(t.Notes, f+" of GOFLAGS is left out: the go command ignores overlays of covered packages")
		case name == "json": // changes what go list and go test print
		default:
			t.flags = append(t.flags, f)
		}
	}
	if joined := joinFlags(t.flags); joined != "" {
		t.env = append(t.env, "GOFLAGS="+joined)
	} else if goflags != "" {
		// An empty variable would bring back what go env -w has set: name a default instead.
		t.env = append(t.env, "GOFLAGS=-trimpath=false")
	}
	return nil
}

// splitFlags splits a GOFLAGS value as the go command does: fields separated
// by spaces, a field may stand in single or double quotes, without escapes.
func splitFlags(s string) ([]string, error) {
	var fields []string
	for {
		s = strings.TrimLeft(s, " \t\n\r")
		if s == "" {
			return fields, nil
		}
		if q := s[0]; q == '"' || q == '\'' {
			end := strings.IndexByte(s[1:], q)
			if end < 0 {
				return nil, fmt.Errorf("unterminated %c", q)
			}
			fields = append(fields, s[1:1+end])
			s = s[end+2:]
			continue
		}
		end := strings.IndexAny(s, " \t\n\r")
		if end < 0 {
			end = len(s)
		}
		fields = append(fields, s[:end])
		s = s[end:]
	}
}

// joinFlags is the inverse of splitFlags.
func joinFlags(fields []string) string {
	quoted := make([]string, len(fields))
	for i, f := range fields {
		switch {
		case !strings.ContainsAny(f, " \t\n\r'\""):
			quoted[i] = f
		case !strings.Contains(f, "'"):
			quoted[i] = "'" + f + "'"
		default:
			quoted[i] = `"` + f + `"`
		}
	}
	return strings.Join(quoted, " ")
}

package overlay

import (
	"fmt"
	"strings"
)

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

package lifetime

import "github.com/poolproof/poolproof/cmd/poolproof/internal/profile"

// Of is the site of a profile that was made of benchmarks.
func Of(s *profile.Site) Site {
	site := Site{Line: Line{s.File, s.Line}}
	for _, c := range s.Charged {
		site.Charged = append(site.Charged, Charged{Line{c.File, c.Line}, c.Callee, c.Grows})
	}
	for _, c := range s.Callers {
		site.Callers = append(site.Callers, Line{c.File, c.Line})
	}
	return site
}

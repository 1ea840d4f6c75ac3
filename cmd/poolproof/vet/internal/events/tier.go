package events

import "fmt"

// Tier says how sure a finding is, and so who wants to see it.
type Tier int

// The tiers, the most certain first. The zero Tier is none.
const (
	Error Tier = iota + 1
	Warning
	Audit
)

var tierNames = [...]string{Error: "error", Warning: "warning", Audit: "audit"}

// String returns the name by which flags and categories call the tier.
func (t Tier) String() string {
	if t < Error || t > Audit {
		return "none"
	}
	return tierNames[t]
}

// ParseTier returns the tier of a name.
func ParseTier(name string) (Tier, bool) {
	for t := Error; t <= Audit; t++ {
		if tierNames[t] == name {
			return t, true
		}
	}
	return 0, false
}

// Set makes a *Tier a flag.Value.
func (t *Tier) Set(name string) error {
	parsed, ok := ParseTier(name)
	if !ok {
		return fmt.Errorf("there is no tier %s; the tiers are error, warning and audit", name)
	}
	*t = parsed
	return nil
}

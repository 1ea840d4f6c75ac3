package study

// Apart is by how much the effect of one comparison differs between two cells with
// builds of their own: with Go 1.24 and with Go 1.26, say.
type Apart struct {
	From string `json:"from"` // ID of the comparison in the first cell with builds
	To   string `json:"to"`   // and in another one
	// Effect is by how much the effect in To is above that in From, as a ratio less 1, and
	// Lo and Hi are its interval.
	Effect float64 `json:"effect"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
}

// Differs reports whether the effects differ, beyond chance.
func (a Apart) Differs() bool { return a.Lo > 0 || a.Hi < 0 }

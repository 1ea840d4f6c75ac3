package study

// Rule holds the numbers of the statistical rule. docs/verdicts.md explains
// each of them.
type Rule struct {
	// Version is that of the rule which the plan was made for. Another version
	// judges with its own numbers, but for how was measured and what the user
	// chose.
	Version int `json:"version"`

	Burst      Duration `json:"burst"`       // wall time of a burst
	WarmUp     int      `json:"warm_up"`     // discarded bursts a side and launch
	Pairs      int      `json:"pairs"`       // pairs of bursts a launch when a side allocates
	PairsQuiet int      `json:"pairs_quiet"` // the same when neither side allocates
	Soak       Duration `json:"soak"`        // measured bursts of each side in the first launch of a comparison, at least
	Stretch    Duration `json:"stretch"`     // measured bursts of each side in a launch of FormStretch
	Head       Duration `json:"head"`        // bursts before a stretch that are discarded, at most

	Band  float64 `json:"band"`  // practical equality as a log ratio: log(1.02) for 2 %
	Clock string  `json:"clock"` // "auto", "wall" or "cpu"

	// BytesShare and AllocsShare are the shares of the larger side below which B/op
	// and allocs/op count as equal, where the user chose them; 0: those of the rule.
	BytesShare  float64 `json:"bytes_share,omitzero"`
	AllocsShare float64 `json:"allocs_share,omitzero"`

	Screen      int     `json:"screen"`       // launches after which an effect beyond LayoutBound is looked for
	ScreenAlpha float64 `json:"screen_alpha"` // two-sided, of that look
	Looks       []int   `json:"looks"`        // numbers of launches after which the rule looks, rising
	LongLooks   []int   `json:"long_looks"`   // the same for FormStretch and FormRate
	Alpha       float64 `json:"alpha"`        // two-sided, of each look at up to LateFrom launches
	LateFrom    int     `json:"late_from"`    // looks at more launches than this have LateAlpha
	LateAlpha   float64 `json:"late_alpha"`
	MinCycles   int     `json:"min_cycles"` // fewer collections than this on the side with more: their price is not known

	// PaddedLooks are the numbers of padded builds after which a difference that
	// rests on time alone is looked for over builds; none: layout is not asked.
	PaddedLooks []int   `json:"padded_looks"`
	PaddedAlpha float64 `json:"padded_alpha"`          // two-sided, of each of these looks
	LayoutBound float64 `json:"layout_bound"`          // log ratio beyond which no layout of a binary makes a difference
	OverBuilds  bool    `json:"over_builds,omitempty"` // equality is claimed over padded builds alone, too
}

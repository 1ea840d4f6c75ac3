package study

// PoolAnswer sums up all comparisons of one pool: does the program pay
// less with it than without? POSITIVE: the pool pays. NEGATIVE: it costs more than it
// saves. NO CHANGE: it saves nothing.
type PoolAnswer struct {
	ListedPool
	Builds []string `json:"builds,omitempty"` // settings of the builds, where the matrix has several
	// Verdict is empty where no benchmark gets from the pool, or it cannot be taken out.
	Verdict Verdict `json:"verdict,omitempty"`
	// Isolated says that only benchmarks which do nothing but get and put have decided.
	Isolated bool `json:"isolated,omitempty"`
	// Deciding are the results that the verdict rests on: of each benchmark and cell,
	// against the form of the program without the pool that costs the least.
	Deciding []Result  `json:"deciding,omitempty"`
	Uses     []PoolUse `json:"uses,omitempty"` // of the same comparisons
	Open     int       `json:"open,omitempty"` // of them without an answer
}

// VariantAnswer sums up all comparisons of one variant. POSITIVE: it pays.
type VariantAnswer struct {
	ListedVariant
	// Verdict is empty where nothing was compared.
	Verdict Verdict `json:"verdict,omitempty"`
	// Isolated says that only benchmarks which do little else have decided.
	Isolated bool     `json:"isolated,omitempty"`
	Results  []Result `json:"results,omitempty"`
}

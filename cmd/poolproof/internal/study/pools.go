package study

// ListedPool is a pool of the packages that a KindUnpool question names.
type ListedPool struct {
	ID      string `json:"id"`   // FILE:LINE of its declaration, relative to the module's root
	Name    string `json:"name"` // of its variable
	Package string `json:"package"`
	Holds   string `json:"holds,omitempty"` // the type that Get is asserted to
	Reached int    `json:"reached"`         // benchmarks that get from it
	// FromTest is the package whose tests get from it, where no benchmark does.
	FromTest string `json:"from_test,omitempty"`
	// Trouble says why it cannot be taken out, PlainOnly why there is only the plain
	// form.
	Trouble   string `json:"trouble,omitempty"`
	PlainOnly string `json:"plain_only,omitempty"`
	// Remark says what is to be known before it is taken out by hand.
	Remark string `json:"remark,omitempty"`
}

// PoolUse is how a benchmark uses a pool. The counts are exact.
type PoolUse struct {
	ID   string  `json:"id"`   // FILE:LINE of its declaration, relative to the module's root
	Name string  `json:"name"` // of its variable
	Form string  `json:"form"` // how it is taken out: "plain" or "written"
	Gets float64 `json:"gets"` // calls of Get an operation
	// Hits is the share of them that found an object; negative where the code does
	// not show it.
	Hits float64 `json:"hits"`
	// Patch is the file, in the folder of the run, with the change that takes the
	// pool out as one would write it; "" where there is none.
	Patch string `json:"patch,omitempty"`
	// Apply is the command that applies it, in the folder of the run's command.
	Apply string `json:"apply,omitempty"`
	// Asking are the tests that fail without the pool, and that are about it: they count
	// allocations, or get and put.
	Asking []string `json:"asking,omitempty"`
}

// ListedVariant is a way to use the memory of an allocation again, or an allocation for
// which there is none.
type ListedVariant struct {
	ID   string `json:"id"`   // SITE NAME: unique within the plan
	Site string `json:"site"` // FILE:LINE of the allocation, relative to the module's root; the name of a patch
	Name string `json:"name,omitempty"`
	// Evidence names why it is safe before any test: "compiler",
	// "contract", "semantics", "observed", or "user" for a patch of the user's.
	Evidence string `json:"evidence,omitempty"`
	// None says why there is no variant; Name is empty then.
	None   string `json:"none,omitempty"`
	Remark string `json:"remark,omitempty"` // what is to be known of it
	// Passed are the checks that it has passed, in their order: "tests", "poison", "race",
	// "vet", "sanitizer".
	Passed []string `json:"passed,omitempty"`
	// Left are those that the budget left no time for.
	Left []string `json:"left,omitempty"`
	// Unsafe says which check it has not passed, and how.
	Unsafe string `json:"unsafe,omitempty"`
	// Unbuilt says why there is no build of it, where there should be. It has no patch then.
	Unbuilt string `json:"unbuilt,omitempty"`
	// Reached is the number of benchmarks that run the code of the allocation.
	Reached int `json:"reached"`
	// Patch is the file, in the folder of the run, with the change as one would write it.
	// Apply is the command that applies it, in the folder of the run's command.
	Patch string `json:"patch,omitempty"`
	Apply string `json:"apply,omitempty"`
}

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

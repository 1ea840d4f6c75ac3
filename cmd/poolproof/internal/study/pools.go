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

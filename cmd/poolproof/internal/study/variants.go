package study

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

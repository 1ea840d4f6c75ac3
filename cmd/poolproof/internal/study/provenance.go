package study

// Program is the poolproof binary that planned and measured.
type Program struct {
	Version  string `json:"version,omitempty"`  // of its module, as the go command stamped it
	Revision string `json:"revision,omitempty"` // git revision that it was built from, where the go command stamped one
	Dirty    bool   `json:"dirty,omitempty"`    // the tree that it was built from differed from Revision
	SHA256   string `json:"sha256,omitempty"`   // of the file, hexadecimal
	Engine   int    `json:"engine"`             // version of the engine: what a launch does and what its record means
}

// Padded identifies the padded builds of a run.
type Padded struct {
	Builds int    `json:"builds"`
	SHA256 string `json:"sha256"` // of the lines "ID SHA256", sorted by ID
}

// Binary is one test binary.
type Binary struct {
	ID      string `json:"id"`      // unique within the plan
	Package string `json:"package"` // import path
	Dir     string `json:"dir"`     // directory in which it runs, relative to the module's root
	SHA256  string `json:"sha256"`  // of the file, hexadecimal
	// Layout is 0 for the plain build; 1, 2, ... for a padded build: the same
	// source, its functions laid out in another way.
	Layout    int    `json:"layout"`
	Tags      string `json:"tags,omitempty"`      // build tags of this binary that others of the plan do not have
	Module    string `json:"module,omitempty"`    // path of its module where that is not the plan's
	Toolchain string `json:"toolchain,omitempty"` // where it is not the plan's
}

// Machine describes the computer.
type Machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"` // usable by this process
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	Kernel string `json:"kernel,omitempty"`
	Limits string `json:"limits,omitempty"` // cgroup limits of CPU and memory, if any
}

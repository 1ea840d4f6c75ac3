package record

// A process whose lifetimes are watched writes these lines instead of reports and pools.

// Run is one run of a test or benchmark that has ended.
type Run struct {
	PID        int    `json:"pid"`
	Test       string `json:"test"`
	Run        int    `json:"run"` // its number
	Operations int    `json:"operations"`
	Several    bool   `json:"several"` // goroutines have begun them
	Ended      bool   `json:"ended"`   // false: it was set-up, and the benchmark went on
}

// Site counts the objects of one site.
type Site struct {
	PID   int `json:"pid"`
	Site  int `json:"site"`
	Seen  int `json:"seen"`
	Small int `json:"small"` // of them, that share a block with others

	Cut    int `json:"cut"`    // of them, that were not followed to the end, as there are too many
	Freed  int `json:"freed"`  // of them, by collections that were not forced
	Waited int `json:"waited"` // operations that these lived for, in all
}

// Life describes one object; see Life of package core.
type Life struct {
	PID        int    `json:"pid"`
	Site       int    `json:"site"`
	Test       string `json:"test"`
	Run        int    `json:"run"`
	Operation  int    `json:"operation"`
	Size       int64  `json:"size"`
	Died       int    `json:"died"`
	Depth      int    `json:"depth"` // of Died
	Outlived   int    `json:"outlived"`
	Touch      int    `json:"touch"` // a Stack; 0: none
	Other      int    `json:"other"` // a Stack; 0: none
	Zone       int    `json:"zone"`
	Fate       int    `json:"fate"`
	Wrote      bool   `json:"wrote"`      // the access of Touch
	OtherWrote bool   `json:"otherWrote"` // the access of Other
	Tested     bool   `json:"tested"`
	Partial    bool   `json:"partial"` // it died in Died, or in a call inside of that
	Out        bool   `json:"out"`
}

package variant

// Transform is one way to change functions.
type Transform struct {
	Name  string
	Doc   string // what it does, in a few words
	Keeps bool   // verdicts hold
	// Codes, if there are some, are what the marks of a function may name: for
	// others it is not clear what becomes of the verdict.
	Codes []string
	Apply func(*Site) (Change, bool)
}

// flow are the checks about what becomes of an object.
var flow = []string{"PV001", "PV002", "PV003", "PV004", "PV005", "PV006", "PV014", "PV016"}

// Transforms returns all ways, those that keep verdicts first.
func Transforms() []Transform {
	return []Transform{
		{Name: "rename", Doc: "all local variables have other names", Keeps: true, Apply: rename},
		{Name: "puthelper", Doc: "every put is moved into a function of its own", Keeps: true, Codes: with("PV013", "PV015"), Apply: putHelper},
		{Name: "gethelper", Doc: "every get is moved into a function of its own", Keeps: true, Codes: with("PV013", "PV015"), Apply: getHelper},
		{Name: "generic", Doc: "gets and puts go through generic functions", Keeps: true, Codes: with("PV013", "PV015"), Apply: generics},
		{Name: "far", Doc: "gets and puts go through two functions, one of them in another package", Keeps: true, Codes: with("PV013", "PV015"), Apply: far},
		{Name: "relay", Doc: "wrappers of other packages are wrapped in one more package", Keeps: true, Codes: with("PV013", "PV015", "PV008"), Apply: relay},
		{Name: "closure", Doc: "the body is a function literal that is called at once", Keeps: true, Codes: with("PV007", "PV008", "PV013", "PV015"), Apply: closure},
		{Name: "invert", Doc: "every if without else has its condition inverted", Keeps: true, Codes: with("PV007", "PV008", "PV009", "PV010", "PV013", "PV015", "PV018", "PV019"), Apply: invert},
		{Name: "branch", Doc: "a branch that does nothing to the object follows each statement", Keeps: true, Apply: branch},
		{Name: "dead", Doc: "a branch that is never taken follows each put, and puts again", Keeps: true, Codes: with("PV007", "PV008", "PV013", "PV018"), Apply: dead},
		{Name: "alias", Doc: "what is put has another name by then", Keeps: true, Codes: with("PV007", "PV008"), Apply: alias},
		{Name: "field", Doc: "what was got is kept in a field of a local struct", Keeps: true, Codes: flow, Apply: field},
		{Name: "deferput", Doc: "a put that was too early is deferred: right now", Codes: []string{"PV001"}, Apply: deferPut},
		{Name: "swapdefers", Doc: "a deferred put and a deferred use change places: right and wrong change too", Codes: flow, Apply: swapDefers},
		{Name: "delete", Doc: "the put is deleted: wrong now", Codes: flow, Apply: deletePut},
		{Name: "duplicate", Doc: "the put is there twice: wrong now", Codes: flow, Apply: duplicatePut},
		{Name: "hoistdefer", Doc: "a deferred put is a direct one, before the uses: wrong now", Codes: flow, Apply: hoistDeferred},
		{Name: "hoistdirect", Doc: "a direct put is moved up to the get: wrong now", Codes: flow, Apply: hoistDirect},
		{Name: "returnmemory", Doc: "the memory is returned in place of a copy: wrong now", Codes: flow, Apply: returnMemory},
	}
}

// Seeds returns the transformations that make right code wrong.
func Seeds() (seeds []Transform) {
	for _, t := range Transforms() {
		switch t.Name {
		case "delete", "duplicate", "hoistdefer", "hoistdirect", "returnmemory":
			seeds = append(seeds, t)
		}
	}
	return seeds
}

func with(more ...string) []string { return append(flow[:len(flow):len(flow)], more...) }

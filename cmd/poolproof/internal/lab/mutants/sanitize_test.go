package mutants

import (
	"testing"

	"github.com/poolproof/poolproof/internal/mutate"
)

const sanitizer = "../../sanitize"

// ofSanitize are the guards of the sanitizer's rules, by function and operator. They are seen from
// the folder internal/sanitize; the tests of the mutant's own package must notice it.
var ofSanitize = []struct{ name, folder, function, operator string }{
	// Who owns what an object refers to, at run time.
	{"what hangs on another struct is taken for this one's", "core", "walker.sameHolder", "always 1"},
	{"each struct has the same holder", "core", "walker.born", "left 2"},
	{"an array of another size counts as exchanged", "core", "walker.born", "right 5"},
	{"what has left its field is still New's", "core", "walker.born", "left 5"},
	{"New's array in another field is not the object's", "core", "walker.born", "left 4"},
	{"a header that is being written is followed", "core", "walker.take", "never 3"},
	{"what the allocator packs with others is taken", "core", "walker.take", "never 5"},
	{"memory that is older than the object is taken", "core", "walker.take", "never 7"},
	{"memory in the middle of an object is taken", "core", "walker.take", "left 17"},
	{"an array that ends behind its object is taken", "core", "walker.take", "right 15"},
	{"memory that overlaps is taken twice", "core", "walker.take", "left 15"},
	{"one more than there is room for", "core", "walker.take", "left 14"},
	{"what the pool's first New makes is an object's", "core", "walker.take", "left 6"},
	{"elements that others keep are taken", "core", "walker.element", "edge 6"},
	{"one more element is looked at", "core", "walker.slot", "edge 8"},
	{"what was taken off a list is still the list's", "core", "walker.slot", "never 5"},
	{"slices in a map are those of New alone", "core", "walker.element", "keep 1"},
	{"a free place of a map has a value", "core", "walker.group", "never 3"},
	{"a map's memory is read wherever it is", "core", "inHeap", "left 1"},
	{"any array counts to its capacity", "core", "Extent", "always 1"},
	{"an empty window counts to its capacity", "core", "Extent", "right 1"},
	{"a pointer to what others keep is followed", "core", "compiler.walk", "never 7"},
	{"a Builder owns its text", "core", "compiler.walk", "never 3"},
	{"the last of two rules counts", "core", "FieldRules.of", "left 1"},

	// Which fields hold memory of others, by the text.
	{"a variable that is set twice is one value", "fields", "body.stable", "left 1"},
	{"a parameter that is set is one value", "fields", "body.stable", "right 1"},
	{"a range's copy of a struct lends nothing", "fields", "stores.ranged", "never 2"},
	{"a range lends nothing", "fields", "stores.ranged", "drop 1"},
	{"a parameter by value lends nothing", "fields", "stores.byValue", "drop 1"},
	{"an unknown function keeps nothing", "fields", "linker.keeps", "right 1"},
	{"a known function keeps nothing", "fields", "linker.keeps", "left 1"},
	{"what a goroutine is started with is not kept", "fields", "spread.started", "drop 1"},
	{"a child that is renewed may not be returned", "fields", "linker.lends", "never 4"},
	{"a child may never be returned", "fields", "linker.lends", "always 4"},
	{"what is only appended to is used again", "fields", "state.judge", "edge 1"},
	{"what is made for each user is the object's", "fields", "state.judge", "left 4"},

	// What each user begins or ends without.
	{"a drop below a condition counts", "fields", "summary.always", "always 1"},
	{"a drop where the object was found in a condition does not count", "fields", "summary.always", "left 2"},
	{"what gets its own back is dropped", "fields", "linker.lost", "drop 1"},
	{"what a function drops is not asked", "fields", "linker.lost", "never 1"},
	{"a function that calls itself drops without end", "fields", "linker.lost", "left 1"},
	{"a drop by its maker counts", "fields", "linker.dropped", "never 1"},
	{"what a function returns is always old", "fields", "linker.maybeOld", "edge 1"},
	{"any result of a call was in the pool", "fields", "summary.gotten", "left 1"},
	{"a variable of no call is of one", "fields", "summary.ofCalls", "never 2"},
	{"a literal keeps nothing", "fields", "summary.replaced", "never 2"},
	{"an explicit nil keeps the field", "fields", "summary.replaced", "keep 2"},
	{"what is put back counts as lost", "fields", "summary.drops", "keep 2"},
	{"whatever is stored is a drop", "fields", "summary.drops", "left 3"},
	{"a literal is no drop", "fields", "empties", "left 1"},

	// Interfaces, and maps that know their keys.
	{"a store to an interface says nothing", "fields", "stores.dynamicValue", "always 1"},
	{"a field is lent by its own literal", "fields", "stores.readRef", "drop 3"},
	{"a map that is emptied keeps its keys", "fields", "makers.emptied", "never 1"},
	{"any map keeps its keys", "fields", "makers.global", "left 1"},
	{"no map keeps its keys", "fields", "makers.keyed", "drop 1"},

	// Which reports are one finding.
	{"a test file in the way ends no search", "finding", "Sites.wrapped", "left 4"},
	{"a generic function is no wrapper", "finding", "Sites.wrapped", "right 2"},
	{"a package of its own is no wrapper", "finding", "Sites.wrapped", "left 2"},
}

func TestSanitizersMutantsAreKilled(t *testing.T) {
	if !*mutated {
		t.Skip("only with -mutants")
	}
	mutate.Kill(t, sanitizer, sanitizers())
}

func sanitizers() (all []mutate.Mutant) {
	for _, m := range ofSanitize {
		all = append(all, mutate.Mutant{Name: m.name, Edits: []mutate.Edit{mutate.At(m.folder, m.function, m.operator)}, Tests: "./" + m.folder})
	}
	return all
}

func TestSanitizersMutantsFollowTheSource(t *testing.T) {
	for _, m := range sanitizers() {
		if _, err := mutate.Texts(sanitizer, m.Edits); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

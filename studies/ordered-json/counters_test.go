package orderedjson

import (
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

type count struct{ allocs, bytes uint64 }

// The published counters of the arms grow and pool are
//
//	small     160 allocations    4.611 KiB     156 and   3.675 KiB
//	medium  1,532               61.96        1,524 and  39.53
//	large         (not given)  616.4        17,421 and 472.8
//	indent  1,535              144.74        1,525 and  59.60
//
// (17,421 is from a later run of the published code, the others are as
// published.) Ours are near these, since the documents are made to be of the
// same sizes, and not the same, since they are other documents: what an
// operation allocates for keys and scalars depends on how many there are and
// how long. What the pool takes away depends on the size of the result alone,
// and is what was published, to the last digit that was: see
// TestThePoolTakesAwayWhatWasPublished.
func TestCountersAreExact(t *testing.T) {
	for _, c := range []struct {
		name string
		doc  func() *Document
		arms []arm
		want map[string]count
	}{
		{"small", documents[0].get, allArms, map[string]count{
			"grow": {161, 4696}, "pool": {157, 3736}, "presized": {157, 3864}, "lease": {156, 2712},
			"lean": {2, 1168}, "sorted": {139, 5168},
		}},
		{"medium", documents[1].get, allArms, map[string]count{
			"grow": {1526, 62176}, "pool": {1518, 39200}, "presized": {1518, 41760}, "lease": {1517, 29472},
			"lean": {6, 12336}, "sorted": {1372, 50848},
		}},
		{"large", documents[2].get, allArms, map[string]count{
			"grow": {17497, 615008}, "pool": {17486, 467616}, "presized": {17486, 500384}, "lease": {17485, 352928},
			"lean": {58, 147920}, "sorted": {15930, 592272},
		}},
		// Its source is JSON with indents: a buffer as large as that takes what growing takes.
		{"petstore3", documents[3].get, allArms, map[string]count{
			"grow": {2094, 76368}, "pool": {2086, 60048}, "presized": {2086, 76432}, "lease": {2085, 43664},
			"lean": {9, 32832}, "sorted": {1931, 73952},
		}},
		{"indent", documents[1].get, indentArms, map[string]count{
			"grow": {1529, 146784}, "pool": {1519, 60960}, "presized": {1519, 70432}, "lease": {1517, 29472},
		}},
	} {
		for _, arm := range c.arms {
			t.Run(c.name+"/"+arm.name, func(t *testing.T) {
				d := c.doc()
				allocs, bytes := exact.Counters(t, func() { arm.marshal(d) })
				if got := (count{allocs, bytes}); got != c.want[arm.name] {
					t.Errorf("%d allocations of %d bytes, want %d of %d", allocs, bytes, c.want[arm.name].allocs, c.want[arm.name].bytes)
				}
			})
		}
	}
}

// A buffer that grows doubles: of 940 bytes it makes 64, 128, ... 1024, of
// which all but the last are garbage before the first result is there. A copy
// is one object of the next size class. The difference was published as 4
// allocations and 0.936 KiB, 8 and 22.43 KiB, and (without allocations) 143.6
// KiB; with indenting as 10 and 85.14 KiB. Indenting is the exception, by 1.6 %:
// our indented document falls into the size class of 21,760 bytes, the
// published one into that of 20,480.
func TestThePoolTakesAwayWhatWasPublished(t *testing.T) {
	for _, c := range []struct {
		name       string
		doc        *Document
		grow, pool arm
		want       count
	}{
		{"small", documents[0].get(), orderedArms[0], orderedArms[1], count{5 - 1, 64 + 128 + 256 + 512 + 1024 - 1024}},
		{"medium", documents[1].get(), orderedArms[0], orderedArms[1], count{9 - 1, 2*16384 - 64 - 9728}},
		{"large", documents[2].get(), orderedArms[0], orderedArms[1], count{12 - 1, 2*131072 - 64 - 114688}},
		// As medium, and json.Indent: a guess of 2 x 9527 bytes, the slice that
		// it grows to when that is not enough, and the buffer for it.
		{"indent", documents[1].get(), indentArms[0], indentArms[1], count{8 + 3 - 1, 2*16384 - 64 - 9728 + 19072 + 24576 + 40960 - 21760}},
	} {
		t.Run(c.name, func(t *testing.T) {
			allocs, bytes := exact.Counters(t, func() { c.grow.marshal(c.doc) })
			pooledAllocs, pooledBytes := exact.Counters(t, func() { c.pool.marshal(c.doc) })
			if got := (count{allocs - pooledAllocs, bytes - pooledBytes}); got != c.want {
				t.Errorf("%d allocations of %d bytes less, want %d of %d", got.allocs, got.bytes, c.want.allocs, c.want.bytes)
			}
		})
	}
}

// What is left to allocate is the published walk itself, in all arms that have
// it: for each key the string in an interface and the bytes of json.Marshal,
// for each scalar the bytes, for each object its keys, twice, as long as there
// are more than fit into 32 bytes of the frame.
func TestTheWalkAllocatesForKeysScalarsAndObjects(t *testing.T) {
	for _, c := range []struct {
		name, source string
		want         uint64
	}{
		{"an empty object", "{}", 0},
		{"a scalar more", "a: x\n", 2 + 1},
		{"two keys, in the frame", "a: x\nb: y\n", 2 * (2 + 1)},
		{"three keys, twice on the heap", "a: x\nb: y\nc: z\n", 3*(2+1) + 2},
		{"items have no keys", "a: [x, y, z]\n", 2 + 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l Lease // its buffers are there: what is counted is the walk
			d := parse(t, c.source)
			if allocs, _ := exact.Counters(t, func() { l.JSON(d) }); allocs != c.want {
				t.Errorf("%d allocations, want %d", allocs, c.want)
			}
		})
	}
}

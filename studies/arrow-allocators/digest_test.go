package arrowallocators

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

func TestTheDigestSeesEveryDifference(t *testing.T) {
	digest := func(change func(rows []Row)) string {
		rows := NewRows(30, 1)
		change(rows)
		r, err := BuildRows(memory.NewGoAllocator(), rows, Reserved)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Release()
		d, err := DigestRecord(r)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	seen := map[string]string{}
	for name, change := range map[string]func(rows []Row){
		"nothing":        func([]Row) {},
		"a string":       func(rows []Row) { rows[3]["body"] = "x" },
		"an empty one":   func(rows []Row) { rows[3]["body"] = "" },
		"none":           func(rows []Row) { delete(rows[3], "body") },
		"an integer":     func(rows []Row) { rows[3]["timestamp"] = int64(1) },
		"zero":           func(rows []Row) { rows[3]["timestamp"] = int64(0) },
		"no integer":     func(rows []Row) { delete(rows[3], "timestamp") },
		"a float":        func(rows []Row) { rows[3]["queue.wait"] = 1.5 },
		"a boolean":      func(rows []Row) { rows[3]["sampled"] = !rows[3]["sampled"].(bool) },
		"another row":    func(rows []Row) { rows[4]["body"] = "x" },
		"two rows":       func(rows []Row) { rows[3], rows[4] = rows[4], rows[3] },
		"a moved border": func(rows []Row) { rows[3]["body"], rows[4]["body"] = "ab", "c" },
		"the other one":  func(rows []Row) { rows[3]["body"], rows[4]["body"] = "a", "bc" },
	} {
		d := digest(change)
		if other, ok := seen[d]; ok {
			t.Errorf("%s and %s have the same digest", name, other)
		}
		seen[d] = name
	}
	if again := digest(func([]Row) {}); seen[again] != "nothing" {
		t.Error("the same rows have two digests")
	}
}

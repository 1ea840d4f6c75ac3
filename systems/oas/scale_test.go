package oas_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

// BenchmarkScale shows that the time of an operation for each value does not grow with
// the document: ns/value of n=80000 is about that of n=5000.
func BenchmarkScale(b *testing.B) {
	for _, n := range []int{5_000, 80_000} {
		source := "{\"a\":[" + strings.TrimSuffix(strings.Repeat(`{"k":1},`, n), ",") + "],\"o\":{"
		for i := range n {
			source += fmt.Sprintf(`"k%d":0,`, i)
		}
		source = strings.TrimSuffix(source, ",") + "}}"
		whole := parse(b, source)
		for name, run := range map[string]func(d *oas.Doc){
			"walk with places": func(d *oas.Doc) {
				d.Walk(func(c *oas.Cursor) oas.Action { c.Pos(); return oas.Continue })
			},
			"delete all": func(d *oas.Doc) {
				for m := range d.Root().Get("o").All() {
					m.Delete()
				}
			},
			"delete from the end": func(d *oas.Doc) {
				var all []oas.Node
				for m := range d.Root().Get("o").All() {
					all = append(all, m)
				}
				for i := range all {
					all[len(all)-1-i].Delete()
				}
			},
			"append": func(d *oas.Doc) {
				a := d.Root().Get("a")
				for range n {
					a.Append(1)
				}
			},
			"pointer after an edit": func(d *oas.Doc) {
				d.Root().Set("x", 1)
				for m := range d.Root().Get("o").All() {
					m.Pointer()
				}
			},
			"delete some and write": func(d *oas.Doc) {
				i := 0
				for m := range d.Root().Get("o").All() {
					if i++; i%3 == 0 {
						m.Delete()
					}
				}
				if _, err := d.AppendSource(nil); err != nil {
					b.Fatal(err)
				}
			},
		} {
			b.Run(fmt.Sprintf("op=%s/n=%d", strings.ReplaceAll(name, " ", "-"), n), func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					d := whole.Clone()
					b.StartTimer()
					run(d)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/value")
			})
		}
	}
}

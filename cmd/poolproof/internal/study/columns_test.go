package study

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEveryColumnIsInTheTable fills each field of a burst with a number of its
// own and looks for it in the column of the same name.
func TestEveryColumnIsInTheTable(t *testing.T) {
	burst := func(seen Seen) Burst {
		b := Burst{Seen: seen, Extra: map[string]float64{"x": 3}}
		v := reflect.ValueOf(&b).Elem()
		for i := range v.NumField() {
			switch f := v.Field(i); {
			case v.Type().Field(i).Name == "Seen":
			case f.CanInt():
				f.SetInt(int64(i + 1))
			case f.CanUint():
				f.SetUint(uint64(i + 1))
			}
		}
		return b
	}
	for seen, want := range map[Seen]string{
		SeenPrinted: "wall allocs bytes",
		SeenInside:  "wall cpu drain drain_wall allocs bytes gcs gc_cpu pause heap",
		SeenPaced:   "wall cpu drain drain_wall allocs bytes gcs gc_cpu pause heap late gc_price gc_price_pause gc_room",
	} {
		var c Columns
		b := burst(seen)
		c.Append(b)
		c.Append(b)
		if err := c.Check(2); err != nil || c.Len() != 2 {
			t.Errorf("%d bursts, %v", c.Len(), err)
		}
		cv, bv := reflect.ValueOf(c), reflect.ValueOf(b)
		var filled []string
		for i := range cv.NumField() {
			f, name := cv.Type().Field(i), cv.Type().Field(i).Name
			column, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Type.Kind() != reflect.Slice || cv.Field(i).Len() == 0 {
				continue
			}
			filled = append(filled, column)
			if got, want := cv.Field(i).Index(1), bv.FieldByName(name); !got.Equal(want) {
				t.Errorf("column %s holds %v, the burst's %s is %v", column, got, name, want)
			}
		}
		if got := strings.Join(filled, " "); got != want {
			t.Errorf("bursts of which %d was seen fill %s; want %s", seen, got, want)
		}
	}
	for _, col := range columns { // each column is looked at
		var c Columns
		for range 2 {
			c.Append(burst(SeenPaced))
		}
		short := reflect.ValueOf(&c).Elem()
		for i := range short.NumField() {
			if name, _, _ := strings.Cut(short.Type().Field(i).Tag.Get("json"), ","); name == col.name {
				short.Field(i).SetLen(1)
			}
		}
		if err := c.Check(2); err == nil || !strings.Contains(err.Error(), "the column "+col.name+" has 1 bursts, not 2") {
			t.Errorf("a short column %s: %v", col.name, err)
		}
	}
	if err := (&Columns{Wall: []int64{1}, Bytes: []uint64{1}}).Check(1); err == nil {
		t.Error("columns without allocations pass")
	}
}

func TestExtraIsAMeanOfWhatIsFinite(t *testing.T) {
	var c Columns
	for i := range 4 {
		c.Append(Burst{Extra: map[string]float64{"p99": float64(i), "none": math.NaN(), "most": math.Inf(1)}})
	}
	c.Close()
	if diff := cmp.Diff(map[string]float64{"p99": 1.5}, c.Extra); diff != "" {
		t.Error(diff)
	}
}

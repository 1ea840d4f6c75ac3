package arrowallocators

import (
	"reflect"
	"testing"
)

func TestTheDataSetIsTheDescribedOne(t *testing.T) {
	kinds, unique, always := map[Kind]int{}, 0, 0
	for _, c := range columns {
		kinds[c.kind]++
		if c.kind == String && c.distinct == 0 {
			unique++
		}
		if c.nulls == 0 {
			always++
		} else if c.nulls < 0.2 || c.nulls > 0.9 {
			t.Errorf("column %s is missing with probability %g", c.name, c.nulls)
		}
	}
	if want := map[Kind]int{String: 33, Int64: 10, Float64: 5, Bool: 4}; !reflect.DeepEqual(kinds, want) {
		t.Errorf("columns of each kind: %v, want %v", kinds, want)
	}
	if unique != 8 || always != 22 || len(columnIndex) != 52 {
		t.Errorf("%d columns are different in each row, %d are never missing, %d names; want 8, 22 and 52", unique, always, len(columnIndex))
	}

	rows := NewRows(BatchRows, 1)
	set, raw := 0, 0
	values := map[string]map[any]bool{}
	for _, row := range rows {
		set += len(row)
		for name, v := range row {
			if values[name] == nil {
				values[name] = map[any]bool{}
			}
			values[name][v] = true
			switch v := v.(type) {
			case string:
				raw += len(v)
			case bool:
				raw++
			default:
				raw += 8
			}
		}
	}
	// Two thirds of the cells hold a value, as in logs of real services.
	if cells := BatchRows * len(columns); set < cells*63/100 || set > cells*67/100 {
		t.Errorf("%d of %d cells are set", set, cells)
	}
	if raw < 400_000 || raw > 450_000 {
		t.Errorf("%d bytes of data, want between 400 and 450 KB", raw)
	}
	for _, c := range columns {
		if n := len(values[c.name]); c.distinct > 0 && n > c.distinct {
			t.Errorf("column %s has %d different values, want %d at most", c.name, n, c.distinct)
		} else if c.kind == String && c.distinct == 0 && n < int(float64(BatchRows)*(1-c.nulls)*0.8) {
			t.Errorf("column %s has only %d different values", c.name, n)
		} else if n < 2 {
			t.Errorf("column %s has %d different values", c.name, n)
		}
	}
}

func TestTheSameSeedMakesTheSameRows(t *testing.T) {
	if !reflect.DeepEqual(NewRows(50, 3), NewRows(50, 3)) {
		t.Error("the rows differ")
	}
	if reflect.DeepEqual(NewRows(50, 3), NewRows(50, 4)) {
		t.Error("another seed makes the same rows")
	}
}

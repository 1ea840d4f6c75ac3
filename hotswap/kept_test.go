package hotswap

import (
	"reflect"
	"testing"
	"unsafe"
)

func TestWhatAResetKeepsIsWhatNothingElseRefersTo(t *testing.T) {
	memory := make([]int, 8)
	type value struct {
		a, b    []int
		in      *int
		inner   struct{ c [2][]string }
		entries map[string]int
		any     any
		text    string
		bytes   []byte
		nothing []struct{}
	}
	bytes := []byte("text in bytes")
	for name, c := range map[string]struct {
		x    value
		want int
	}{
		"nothing":                         {value{}, 0},
		"a slice in use":                  {value{a: memory}, 0},
		"an empty slice without capacity": {value{a: memory[:0:0]}, 0},
		"an empty slice":                  {value{a: memory[:0]}, 1},
		"two of them":                     {value{a: memory[:0], b: make([]int, 0, 1)}, 2},
		"two of the same memory":          {value{a: memory[:0], b: memory[:0]}, 0},
		"of which one begins later":       {value{a: memory[:0], b: memory[3:3]}, 0},
		"a slice of it is in use":         {value{a: memory[:0], b: memory[2:4]}, 0},
		"a slice before it is in use":     {value{a: memory[4:4], b: memory[:2:4]}, 1},
		"a slice that can grow into it":   {value{a: memory[4:4], b: memory[:2]}, 0},
		"a pointer into it":               {value{a: memory[:0], in: &memory[7]}, 0},
		"a pointer beyond it":             {value{a: memory[:0:4], in: &memory[4]}, 1},
		"a pointer before it":             {value{a: memory[4:4], in: &memory[3]}, 1},
		"one in an array in a struct":     {value{inner: struct{ c [2][]string }{[2][]string{1: make([]string, 0, 3)}}}, 1},
		"a map with an entry":             {value{a: memory[:0], entries: map[string]int{"": 1}}, 0},
		"an empty map":                    {value{a: memory[:0], entries: map[string]int{}}, 1},
		"an interface":                    {value{a: memory[:0], any: 1}, 0},
		"bytes":                           {value{bytes: bytes[:0]}, 1},
		"a text in them":                  {value{bytes: bytes[:0], text: unsafe.String(&bytes[5], 2)}, 0},
		"elements without size":           {value{nothing: make([]struct{}, 0, 5)}, 0},
	} {
		if got := len(keptBy(reflect.ValueOf(&c.x).Elem())); got != c.want {
			t.Errorf("%s: %d slices, want %d", name, got, c.want)
		}
	}
}

package condition_test

import (
	"fmt"
	"testing"

	"github.com/poolproof/poolproof/systems/arrowlog/condition"
)

func ExampleParse() {
	where, err := condition.Parse("severity = ERROR and service.name != 'check out'")
	fmt.Println(len(where), where[1].Column, where[1].Op, where[1].Value, err)
	// Output: 2 service.name != check out <nil>
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"a=1":                              "[{a = 1}]",
		"a >= 2026-11-23T10:00:00Z":        "[{a >= 2026-11-23T10:00:00Z}]",
		`'a b' != "x y" AND c<'d = e'`:     "[{a b != x y} {c < d = e}]",
		"service.name = '' and b > -1.5e3": "[{service.name = } {b > -1.5e3}]",
		"":                                 `arrowlog: condition "", byte 0: the text ends where a column or a value is wanted`,
		"a":                                `arrowlog: condition "a", byte 1: want one of = != < <= > >= after "a"`,
		"a =":                              `arrowlog: condition "a =", byte 3: the text ends where a column or a value is wanted`,
		"a = 'b":                           `arrowlog: condition "a = 'b", byte 4: the quote ' is not closed`,
		"a = b c = d":                      `arrowlog: condition "a = b c = d", byte 7: want and between two conditions, got "c"`,
		"= b":                              `arrowlog: condition "= b", byte 0: want a column or a value, got "="`,
	} {
		c, err := condition.Parse(text)
		got := fmt.Sprint(c)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q gives %s, want %s", text, got, want)
		}
	}
}

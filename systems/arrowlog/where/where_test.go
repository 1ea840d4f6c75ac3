package where_test

import (
	"fmt"
	"testing"

	"github.com/poolproof/poolproof/systems/arrowlog/where"
)

func Example() {
	conditions, err := where.Parse("time >= 2026-11-23T10:00:00Z and service.name = 'check out'")
	fmt.Println(conditions, err)
	// Output: [{time >= 2026-11-23T10:00:00Z} {service.name = check out}] <nil>
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"a=1":                              "[{a = 1}]",
		"a >= 2026-11-23T10:00:00Z":        "[{a >= 2026-11-23T10:00:00Z}]",
		`'a b' != "x y" AND c<'d = e'`:     "[{a b != x y} {c < d = e}]",
		"service.name = '' and b > -1.5e3": "[{service.name = } {b > -1.5e3}]",
		"":                                 `where: "", byte 0: the text ends where a column or a value is wanted`,
		"a":                                `where: "a", byte 1: want one of = != < <= > >= after "a"`,
		"a =":                              `where: "a =", byte 3: the text ends where a column or a value is wanted`,
		"a = 'b":                           `where: "a = 'b", byte 4: the quote ' is not closed`,
		"a = b c = d":                      `where: "a = b c = d", byte 7: want and between two conditions, got "c"`,
		"= b":                              `where: "= b", byte 0: want a column or a value, got "="`,
	} {
		c, err := where.Parse(text)
		got := fmt.Sprint(c)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q gives %s, want %s", text, got, want)
		}
	}
}

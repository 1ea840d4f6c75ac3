package check_test

import (
	"fmt"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/check"
)

func ExampleDocument() {
	d, err := oas.Parse([]byte("openapi: 3.1.0\ninfo:\n  title: Pets\npaths:\n  pets: {}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range check.Document(d) {
		fmt.Println(p)
	}
	// Output:
	// 3:3: /info: the info has no version (required)
	// 5:9: /paths/pets: a path must begin with / (path)
}

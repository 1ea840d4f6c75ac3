package gen_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/gen"
)

func ExampleGenerate() {
	d, err := oas.Parse([]byte(`
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths: {}
components:
  schemas:
    Pet:
      description: an animal that is for sale.
      type: object
      required: [id]
      properties:
        id: {type: string}
        born: {type: string, format: date-time}
`))
	if err != nil {
		log.Fatal(err)
	}
	files, err := gen.Generate(d, gen.Options{Package: "pets", Parts: gen.Types})
	if err != nil {
		log.Fatal(err)
	}
	types, _, _ := strings.Cut(string(files["types.go"]), "\n// MarshalJSON")
	_, types, _ = strings.Cut(types, "\n)\n\n")
	fmt.Println(types)
	// Output:
	// // Pet: an animal that is for sale.
	// type Pet struct {
	// 	ID   string     `json:"id"`
	// 	Born *time.Time `json:"born,omitempty"`
	//
	// 	// Extra has the members that are none of these.
	// 	Extra map[string]json.RawMessage `json:"-"`
	// }
}

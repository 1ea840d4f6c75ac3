package oas_test

import (
	"fmt"
	"log"

	"github.com/poolproof/poolproof/systems/oas"
)

func Example() {
	d, err := oas.Parse([]byte(`
openapi: 3.1.0
info: {title: Pets, version: "1.0"}
paths: {}
`))
	if err != nil {
		log.Fatal(err)
	}
	info := d.Root().Get("info")
	if _, err := info.Set("x-seen", true); err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.Get("title").Str())
	fmt.Printf("%s\n", d.JSON())
	// Output:
	// Pets
	// {"openapi":"3.1.0","info":{"title":"Pets","version":"1.0","x-seen":true},"paths":{}}
}

func ExampleParse_error() {
	_, err := oas.Parse([]byte(`{
  "openapi": "3.1.0",
  "info": {"title": "Pets" "version": "1.0"}
}`))
	fmt.Println(err)
	// Output: 3:28: '"' stands where a comma or } should be (in /info)
}

// A buffer that the caller keeps serves one document after the other.
func ExampleDoc_AppendJSON() {
	var d oas.Doc
	var buffer []byte
	for _, source := range []string{`{ "b": 1, "a": 2 }`, `[ 1, 2, 3 ]`} {
		if err := d.Reset([]byte(source)); err != nil {
			log.Fatal(err)
		}
		buffer = d.AppendJSON(buffer[:0])
		fmt.Printf("%s\n", buffer)
	}
	// Output:
	// {"b":1,"a":2}
	// [1,2,3]
}

func ExampleDoc_At() {
	d, err := oas.Parse([]byte(`{"paths": {"/pets": {"get": {"operationId": "listPets"}}}}`))
	if err != nil {
		log.Fatal(err)
	}
	n, err := d.At("#/paths/~1pets/get/operationId")
	if err != nil {
		log.Fatal(err)
	}
	line, col := n.Pos()
	fmt.Printf("%d:%d %s %s\n", line, col, n.Pointer(), n.Str())
	// Output: 1:45 /paths/~1pets/get/operationId listPets
}

// Corpus brings the documents that the tests of package oas read into the user's
// cache directory, and prints the name of the file.
package main

import (
	"fmt"
	"os"

	"github.com/poolproof/poolproof/systems/oas/internal/corpus"
)

func main() {
	file, err := corpus.File()
	if err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(2)
	}
	fmt.Println(file)
}

// Many writes an OpenAPI document in YAML that has as many operations as its argument says,
// each about 575 bytes long.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

const operation = `  /things%[1]d/{id}:
    parameters:
      - name: id
        in: path
        required: true
        schema: {type: string}
    get:
      operationId: getThing%[1]d
      summary: Returns the thing number %[1]d with all that it has # note
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: object
                required: [name, size]
                properties:
                  name: {type: string, maxLength: 100}
                  size: {type: integer, format: int64}
`

func main() {
	n, err := strconv.Atoi(os.Args[len(os.Args)-1])
	if err != nil || n < 0 {
		fmt.Fprintln(os.Stderr, "usage: many OPERATIONS")
		os.Exit(2)
	}
	out := bufio.NewWriter(os.Stdout)
	fmt.Fprint(out, "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n")
	for i := range n {
		fmt.Fprintf(out, operation, i)
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "many:", err)
		os.Exit(1)
	}
}

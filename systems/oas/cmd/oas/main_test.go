package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const pets = `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    get: {operationId: listPets}
`

func TestTheCommand(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "pets.yaml")
	if err := os.WriteFile(file, []byte(pets), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "made", "pets")
	many := filepath.Join(dir, "many.yaml")
	const odd = "openapi: 3.1.0\npaths: {}\ncomponents: {schemas: {A: {$ref: '#/none'}}}\n"
	for name, source := range map[string]string{
		file + "2": "a: 2\n", many: "openapi: 3.1.0\ncomponents:\n  schemas:\n    A: {$ref: \"other.yaml#/Pet\"}\n",
		filepath.Join(dir, "other.yaml"): "Pet: {type: string}\n", filepath.Join(dir, "client.go"): "package api\n",
	} {
		if err := os.WriteFile(name, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, args, stdin string
		code              int
		stdout, stderr    string // what they contain; FILE stands for the file
	}{
		{"fmt writes JSON", "fmt FILE", "", 0, "{\n  \"openapi\": \"3.1.0\",\n  \"info\": {\n", ""},
		{"fmt with another indent", "fmt -indent > FILE", "", 0, "{\n>\"openapi\"", ""},
		{"fmt -compact", "fmt -compact FILE", "", 0, `{"openapi":"3.1.0","info":{"title":"Pets","version":"1"},"paths":{"/pets":{"get":{"operationId":"listPets"}}}}` + "\n", ""},
		{"fmt -yaml of the standard input", "fmt -yaml -", `{"b":[1,{"a":"x"}],"a":2}`, 0, "b:\n  - 1\n  - a: x\na: 2\n", ""},
		{"fmt of both", "fmt -yaml -compact FILE", "", 2, "", "oas fmt: -yaml and -compact exclude each other\n"},
		{"check of a sound document", "check FILE", "", 0, "", ""},
		{"check of one that is not", "check -", "openapi: 3.1.0\ninfo: {title: Pets}\npaths: {}\n", 1, "-:2:7: /info: the info has no version (required)\n", ""},
		{"walk", "walk FILE", "", 0, "FILE:5:10\toperation\t/paths/~1pets/get\n", ""},
		{"walk -all", "walk -all FILE", "", 0, "FILE:2:15\tstring\t/info/title\n", ""},
		{"gen", "gen -package pets -out " + out + " FILE", "", 0, "client.go: ", ""},
		{"gen with no name", "gen -package 1 -out " + out + " FILE", "", 2, "", "oas gen: gen: the package name \"1\" is not a Go identifier that a package can have\n"},
		{"gen with the blank name", "gen -package _ -out " + out + " FILE", "", 2, "", "oas gen: gen: the package name \"_\""},
		{"gen of something else", "gen -out " + out + " -", `{"a":1}`, 2, "", "it is no OpenAPI document"},
		{"gen again", "gen -package pets -out " + out + " FILE", "", 0, "client.go: ", ""},
		{"gen says what became any", "gen -package pets -out " + out + " -", odd, 0, "types.go: ", "-:3:27: /components/schemas/A: it becomes any: $ref \"#/none\" leads to no schema"},
		{"gen -strict", "gen -strict -package other -out " + out + " -", odd, 1, "", "nothing is written, because the code would not express"},
		{"gen over a file by hand", "gen -out " + dir + " FILE", "", 2, "", "client.go was not generated"},
		{"gen of a reference to a file that is not there", "gen -strict -out " + out + " -", strings.Replace(odd, "#/none", "none.yaml", 1), 1, "", "-:3:34: $ref \"none.yaml\": open"},
		{"bundle", "bundle " + many, "", 0, "{$ref: \"#/components/schemas/Pet\"}", ""},
		{"bundle out of its folder", "bundle -root " + dir + "/made " + many, "", 2, "", "is not in the folder"},
		{"edit", `edit -set /info/title="Cats" -delete /paths -set /x-a=[1] -rename /x-a=x-b FILE`, "", 0, "openapi: 3.1.0\ninfo: {title: Cats, version: \"1\"}\nx-b:\n  - 1\n", ""},
		{"edit of nothing", "edit FILE", "", 2, "", "oas edit: it needs -set, -delete or -rename\n"},
		{"edit with no JSON", "edit -set /info/title=Cats FILE", "", 2, "", "/info/title: Cats is not JSON; write a string as"},
		{"edit of what is not there", "edit -delete /a/b FILE", "", 2, "", "has no member \"a\""},
		{"edit of the standard input", "edit -w -set /a=1 -", "a: 2", 2, "", "-w cannot write the standard input"},
		{"edit of a file", "edit -w -set /a=1 " + file + "2", "", 0, "", ""},
		{"edit wrote the file", "fmt -compact " + file + "2", "", 0, "{\"a\":1}\n", ""},
		{"a syntax error", "fmt -", `{"a":}`, 2, "", "-:1:6: '}' stands where a value should be (in /a)\n"},
		{"no file", "fmt", "", 2, "", "oas fmt: it needs one file, after the flags, and got 0; - is the standard input\n"},
		{"a file that is not there", "fmt " + filepath.Join(dir, "none"), "", 2, "", "none: no such file"},
		{"no command", "", "", 2, "", "usage: oas COMMAND"},
		{"an unknown command", "join FILE", "", 2, "", "oas: there is no command \"join\"\nusage: oas COMMAND"},
		{"an unknown flag", "fmt -x FILE", "", 2, "", "oas fmt: flag provided but not defined: -x; oas fmt -h lists the flags\n"},
		{"a flag after the file", "fmt FILE -yaml", "", 2, "", "it needs one file, after the flags, and got 2"},
		{"a folder", "walk " + dir, "", 2, "", "is a directory"},
		{"help", "-h", "", 0, "usage: oas COMMAND", ""},
		{"help of a command", "gen -h", "", 0, "\n  -out folder\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := run(strings.Fields(strings.ReplaceAll(c.args, "FILE", file)), strings.NewReader(c.stdin), &stdout, &stderr)
			got := strings.ReplaceAll(stdout.String(), file, "FILE")
			if code != c.code || !strings.Contains(got, c.stdout) || !strings.Contains(stderr.String(), c.stderr) || c.stdout == "" && got != "" || c.stderr == "" && stderr.Len() > 0 {
				t.Errorf("exit status %d, want %d\n%s%s\nwant %q and %q", code, c.code, got, stderr.String(), c.stdout, c.stderr)
			}
		})
	}
	for _, name := range []string{"types.go", "client.go", "server.go"} {
		if source, err := os.ReadFile(filepath.Join(out, name)); err != nil || !bytes.Contains(source, []byte("\npackage pets\n")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The places of errors have the name of the file as the user would write it.
func TestErrorsNameFilesFromWhereTheCommandRuns(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.MkdirAll("api", 0o755); err != nil {
		t.Fatal(err)
	}
	const source = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\ncomponents: {schemas: {A: {$ref: 'b.yaml#/B'}, C: {$ref: 'd.yaml#/D'}}}\n"
	for file, text := range map[string]string{"api/a.yaml": source, "api/b.yaml": "# one\nB: {x-a: [], items: [{$ref: 'none.yaml#/X'}]}\n"} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"bundle", "api/a.yaml"}, {"bundle", "-root", "api", "api/a.yaml"}, {"bundle", "-root", ".", "api/a.yaml"}, {"gen", "-strict", "-out", "out", "api/a.yaml"}} {
		var out, wrong bytes.Buffer
		if code := run(args, nil, &out, &wrong); code == 0 {
			t.Errorf("%v: exit code 0", args)
		}
		for _, want := range []string{"api/a.yaml:3:58: $ref \"d.yaml#/D\"", "api/b.yaml:2:29: $ref \"none.yaml#/X\""} {
			if text := wrong.String(); strings.Count(text, want) != 1 || strings.Contains(text, "api/api") {
				t.Errorf("%v says %s, want %s", args, text, want)
			}
		}
	}
}

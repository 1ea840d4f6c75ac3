package oasgen

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/gen"
)

// documents are those of the examples of ogen that are of real services, in one file of up
// to 130 kB, and that the other two generators take: an imageboard, a virtual machine
// monitor, a reader of comics, a language model, the pet store, and a broker.
var documents = []string{"2ch.yml", "firecracker.json", "manga.json", "openai-1.2.0.openapi.yaml", "swagger-petstore-1.0.27.yaml", "tinkoff.json"}

// TestConformance has each client call each service.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it builds six programs with three generators in each")
	}
	bin := t.TempDir()
	for tool, pkg := range map[string]string{"oapi-codegen": "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen", "ogen": "github.com/ogen-go/ogen/cmd/ogen"} {
		if out, err := command(".", "go", "build", "-o", filepath.Join(bin, tool), pkg); err != nil {
			t.Skipf("SKIPPED: %s cannot be had: %v\n%s", tool, err, out)
		}
	}
	where, err := command(".", "go", "list", "-m", "-f", "{{.Dir}}", "github.com/ogen-go/ogen")
	if err != nil {
		t.Fatal(where, err)
	}
	total := map[string][2]int{}
	for _, name := range documents {
		t.Run(name, func(t *testing.T) {
			for pair, n := range conform(t, bin, filepath.Join(strings.TrimSpace(where), "_testdata", "examples", name)) {
				total[pair] = [2]int{total[pair][0] + n[0], total[pair][1] + n[1]}
			}
		})
	}
	for _, pair := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%s: %d of %d calls", pair, total[pair][0], total[pair][1])
	}
}

func command(dir string, args ...string) (string, error) {
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := c.CombinedOutput()
	return string(out), err
}

// conform generates all three for a document and runs them. It returns for each pair how
// many calls were right, of how many.
func conform(t *testing.T, bin, file string) map[string][2]int {
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := oas.Parse(source)
	if err == nil {
		err = Plain(d)
	}
	if err != nil {
		t.Fatal(err)
	}
	samples, left := Samples(d)
	for _, l := range left {
		t.Logf("not called: %s", l)
	}
	dir := t.TempDir()
	write := func(name string, text []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := gen.Generate(d, gen.Options{Package: "ours"})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write("ours/"+name, text)
	}
	wire, err := os.ReadFile("testdata/wire.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(samples)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	_, requires, _ := strings.Cut(string(mod), "\n")
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	requires = strings.ReplaceAll(requires, "=> ../../..", "=> "+filepath.Join(here, "../../.."))
	write("go.mod", []byte("module conform\n"+requires))
	write("go.sum", sum)
	write("main.go", wire)
	write("samples.json", b)
	write("api.json", d.JSON())
	write("ogen.yml", []byte("generator:\n  ignore_not_implemented: [all]\n  features:\n    disable_all: true\n    enable: [paths/client, paths/server, server/response/validation]\n"))
	// As they come, the code for manga.json and tinkoff.json does not compile, and the server of net/http panics on a path of manga.json.
	write("codegen.yml", []byte("package: codegen\noutput: codegen/api.go\ngenerate: {models: true, client: true, chi-server: true, strict-server: true}\noutput-options: {response-type-suffix: Reply}\ncompatibility: {always-prefix-enum-values: true}\n"))
	write("codegen/doc.go", []byte("package codegen\n"))
	for _, args := range [][]string{
		{filepath.Join(bin, "oapi-codegen"), "-config", "codegen.yml", "api.json"},
		{filepath.Join(bin, "ogen"), "-config", "ogen.yml", "-target", "ogen", "-package", "ogen", "-clean", "api.json"},
	} {
		if out, err := command(dir, args...); err != nil {
			t.Fatalf("%s: %v\n%s", filepath.Base(args[0]), err, out)
		}
	}
	if err := Glue(dir); err != nil {
		t.Fatal(err)
	}
	out, err := command(dir, "go", "run", "-mod=mod", ".")
	if err != nil {
		t.Fatalf("go run: %v\n%.6000s", err, out)
	}
	pairs := map[string][2]int{}
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) < 4 {
			t.Fatalf("a line that is no result: %q", line)
		}
		pair := fmt.Sprintf("%s to %s", f[0], f[1])
		n := pairs[pair]
		if f[3] != "glue" {
			n[1]++
		}
		if f[3] == "right" {
			n[0]++
		} else {
			t.Logf("%s: %s", pair, strings.Join(f[2:], " "))
		}
		pairs[pair] = n
	}
	for pair, n := range pairs {
		// What a generator's own client and service lose is not ours to answer for.
		own := pair == "codegen to codegen" || pair == "ogen to ogen"
		if n[0] < n[1] && !own || n[1] == 0 {
			t.Errorf("%s: %d of %d calls are right", pair, n[0], n[1])
		}
	}
	t.Log(pairs)
	return pairs
}

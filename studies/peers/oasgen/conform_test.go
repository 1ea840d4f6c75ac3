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

// suites are the documents, and what of their bodies is looked at.
var suites = func() (all []suite) {
	for _, name := range documents {
		all = append(all, suite{name: name})
	}
	return append(all,
		suite{name: "swagger-petstore-1.0.27.yaml", forms: true}, // its forms, where that has JSON
		suite{name: "forms.yaml", own: true})                     // forms of all kinds, written for this
}()

type suite struct {
	name       string
	forms, own bool
}

// title is the name of the suite's test.
func (s suite) title() string {
	if s.forms {
		return s.name + " forms"
	}
	return s.name
}

// known are the calls that go wrong between ours and another one, because the other one
// does not what the specification says. Each of them must still do so.
var known = map[string]string{
	"swagger-petstore-1.0.27.yaml forms: ours to codegen: placeorder": "oapi-codegen's runtime does not read times in forms",
	"swagger-petstore-1.0.27.yaml forms: codegen to ours: placeorder": "oapi-codegen's runtime does not write times in forms",
	"forms.yaml: ours to codegen: placeorder":                         "oapi-codegen's runtime does not read times and days in forms",
	"forms.yaml: codegen to ours: placeorder":                         "oapi-codegen's runtime writes tags[0]=a for tags=a",
}

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
	real, forms := map[string][2]int{}, map[string][2]int{}
	for _, s := range suites {
		total := real
		file := filepath.Join(strings.TrimSpace(where), "_testdata", "examples", s.name)
		if s.forms {
			total = forms
		}
		if s.own {
			file, total = filepath.Join("testdata", s.name), forms
		}
		t.Run(s.title(), func(t *testing.T) {
			for pair, n := range conform(t, bin, file, s) {
				total[pair] = [2]int{total[pair][0] + n[0], total[pair][1] + n[1]}
			}
		})
	}
	for _, pair := range slices.Sorted(maps.Keys(real)) {
		t.Logf("%s: %d of %d calls of six documents, %d of %d of forms", pair, real[pair][0], real[pair][1], forms[pair][0], forms[pair][1])
	}
}

func command(dir string, args ...string) (string, error) {
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	var stderr strings.Builder // on which the go command also says what it downloads
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return string(out) + stderr.String(), err
	}
	return string(out), nil
}

// conform generates all three for a document and runs them. It returns for each pair how
// many calls were right, of how many.
func conform(t *testing.T, bin, file string, s suite) map[string][2]int {
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := oas.Parse(source)
	if err == nil {
		err = Plain(d, s.forms)
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
	for _, name := range []string{"wire", "forms"} {
		text, err := os.ReadFile("testdata/" + name + ".go.txt")
		if err != nil {
			t.Fatal(err)
		}
		write(name+".go", text)
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
	pairs, explained := map[string][2]int{}, map[string]int{}
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) < 4 {
			t.Fatalf("a line that is no result: %q", line)
		}
		pair := fmt.Sprintf("%s to %s", f[0], f[1])
		n := pairs[pair]
		n[1]++
		why, isKnown := known[s.title()+": "+pair+": "+f[2]]
		switch {
		case f[3] == "right" && isKnown:
			t.Errorf("%s: %s is right, and no longer: %s", pair, f[2], why)
		case f[3] == "right":
			n[0]++
		case isKnown:
			explained[pair]++
			fallthrough
		default:
			t.Logf("%s: %s %s", pair, strings.Join(f[2:], " "), why)
		}
		pairs[pair] = n
	}
	for pair, n := range pairs {
		// What a generator's own client and service lose is not ours to answer for.
		own := pair == "codegen to codegen" || pair == "ogen to ogen"
		if n[0]+explained[pair] < n[1] && !own || n[1] == 0 {
			t.Errorf("%s: %d of %d calls are right", pair, n[0], n[1])
		}
	}
	t.Log(pairs)
	return pairs
}

package gen_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/gen"
	"github.com/poolproof/poolproof/systems/oas/internal/corpus"
)

// echoed returns the source of a service for the generated package main: each
// method gives what it got, and the place for its result, to received. It
// returns also how many methods there are.
func echoed(t *testing.T, server []byte) (string, int) {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), "server.go", server, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	imports := map[string]string{}
	methods := 0
	ast.Inspect(tree, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != "Server" {
			return true
		}
		for _, m := range spec.Type.(*ast.InterfaceType).Methods.List {
			methods++
			imports["context"] = "\t\"context\"\n"
			f := m.Type.(*ast.FuncType)
			fmt.Fprintf(&out, "\nfunc (service) %s(", m.Names[0].Name)
			got := ""
			for _, p := range f.Params.List {
				typ := types.ExprString(p.Type)
				for _, pkg := range []string{"io", "time", "encoding/json"} {
					if strings.Contains(typ, filepath.Base(pkg)+".") {
						imports[pkg] = fmt.Sprintf("\t%q\n", pkg)
					}
				}
				fmt.Fprintf(&out, "%s %s, ", p.Names[0].Name, typ)
				if name := p.Names[0].Name; name != "ctx" && name != "r" {
					got += ", " + name
				}
			}
			result := strings.TrimPrefix(types.ExprString(f.Results.List[0].Type), "*")
			for _, pkg := range []string{"io", "time", "encoding/json"} {
				if strings.Contains(result, filepath.Base(pkg)+".") {
					imports[pkg] = fmt.Sprintf("\t%q\n", pkg)
				}
			}
			fmt.Fprintf(&out, ") (*%s, error) {\n\ta := new(%s)\n\terr := received(%q, r, &a.Body%s)\n\treturn a, err\n}\n", result, result, m.Names[0].Name, got)
		}
		return false
	})
	head := "package main\n\nimport (\n"
	for _, i := range imports {
		head += i
	}
	return head + ")\n\ntype service struct{}\n" + out.String(), methods
}

// echoProgram calls each method of the client with arguments that it fills with
// odd values, and compares what the service got with what was sent, and what
// came back with what the service gave.
const echoProgram = `package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"time"
)

var (
	random = rand.New(rand.NewPCG(1, 2))
	called string
	got    []any
	gave   any
)

var texts = []string{"a", "x y", "ü", "a/b?c#d&e=f%20", "1;2", "\"q\"", "..", "{x}", "名", "+-"}

func received(name string, r *Request, out any, arguments ...any) error {
	called, got, gave = name, nil, nil
	if route := RouteOf(r.Context()); route != r.Route || r.Pattern != route.Method+" "+route.Path {
		return fmt.Errorf("the route is %v, the pattern %q", route, r.Pattern)
	}
	for _, a := range arguments {
		if body, ok := a.(io.Reader); ok {
			b, err := io.ReadAll(body)
			if err != nil {
				return err
			}
			a = string(b)
		}
		got = append(got, a, contents(reflect.ValueOf(a)))
	}
	extra = true
	fill(reflect.ValueOf(out).Elem(), 0)
	extra = false
	gave = plain(reflect.ValueOf(out).Elem())
	return nil
}

// contents reads the files of a value.
func contents(v reflect.Value) (all []string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return contents(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			all = append(all, contents(v.Index(i))...)
		}
	case reflect.Struct:
		if f, ok := v.Interface().(FilePart); ok {
			b, err := io.ReadAll(f.Body)
			return []string{string(b) + fmt.Sprint(err)}
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				all = append(all, contents(v.Field(i))...)
			}
		}
	}
	return all
}

// plain returns a body as it can be compared: what a stream has, for one.
func plain(v reflect.Value) any {
	if v.Kind() == reflect.Struct && v.NumField() > 0 && (strings.HasPrefix(v.Type().Field(0).Name, "Status") || v.Type().Field(0).Name == "Default") && strings.Contains(v.Type().Name(), "Result") {
		for i := range v.NumField() {
			if !v.Field(i).IsNil() {
				return []any{i, plain(v.Field(i))}
			}
		}
	}
	switch body := v.Interface().(type) {
	case Events:
		var all []Event
		for e, err := range body {
			if err != nil {
				return err.Error()
			}
			all = append(all, e)
		}
		return all
	case interface{ Len() int }:
		return "the body"
	case io.ReadCloser:
		b, err := io.ReadAll(body)
		if err != nil || string(b) != "" && string(b) != "the body" {
			return string(b) + fmt.Sprint(err)
		}
		return "the body"
	}
	return v.Interface()
}

var extra bool // members that are no properties are filled too

// once is a file that can be read again.
type once string

func (o once) Read(p []byte) (int, error) {
	n := copy(p, o)
	return n, io.EOF
}

// MarshalJSON makes it equal to what a service reads from.
func (once) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }

type closer struct{ *strings.Reader }

func (closer) Close() error { return nil }

func fill(v reflect.Value, depth int) {
	switch t := v.Type(); {
	case t == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Date(2020, 1, 2, 3, 4, 5, 600, time.UTC)))
		return
	case t == reflect.TypeFor[Date]():
		v.Set(reflect.ValueOf(Date{2024, 2, 29}))
		return
	case t == reflect.TypeFor[UUID]():
		v.Set(reflect.ValueOf(UUID{0: 1, 5: 0xab, 15: 0xff}))
		return
	case t == reflect.TypeFor[FilePart]():
		v.Set(reflect.ValueOf(FilePart{Name: "a \"b\" ü.txt", ContentType: "text/x", Body: once("the body")}))
		return
	case t == reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte("{\"k\":[1,\"é\"]}"))
		return
	case t == reflect.TypeFor[io.ReadCloser]():
		v.Set(reflect.ValueOf(closer{strings.NewReader("the body")}))
		return
	case t == reflect.TypeFor[Events]():
		v.Set(reflect.ValueOf(Events(func(yield func(Event, error) bool) {
			_ = yield(Event{ID: "1", Name: "n", Data: "a\nb: c", Retry: time.Second}, nil) && yield(Event{ID: "1"}, nil)
		})))
		return
	case t == reflect.TypeFor[io.Reader]():
		v.Set(reflect.ValueOf(strings.NewReader("the body")))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(texts[random.IntN(len(texts))])
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(random.Uint32()))
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(random.Int32()) - 1<<30)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(float32(random.NormFloat64() * 1e9)))
	case reflect.Interface:
		v.Set(reflect.ValueOf("anything"))
	case reflect.Pointer:
		if depth < 5 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), depth+1)
		}
	case reflect.Slice:
		if depth < 5 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			if v.Type().Elem().Kind() == reflect.Uint8 {
				copy(v.Bytes(), "\xff\n")
				return
			}
			for i := range 2 {
				fill(v.Index(i), depth+1)
			}
		}
	case reflect.Map:
		if depth < 5 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(key, depth+1)
			fill(value, depth+1)
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		if depth == 0 && strings.Contains(v.Type().Name(), "Result") && v.NumField() > 1 && strings.HasPrefix(v.Type().Field(0).Name, "Status") {
			fill(v.Field(random.IntN(v.NumField())), depth+1) // one of several answers
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "Extra" || extra {
				fill(v.Field(i), depth+1)
			}
		}
	}
}

func equal(a, b any) bool {
	x, err := json.Marshal(a)
	y, err2 := json.Marshal(b)
	y = bytes.ReplaceAll(y, []byte("{\"Closer\":null}"), []byte("{}")) // a file, whose contents are compared apart
	return err == nil && err2 == nil && bytes.Equal(x, y)
}

func main() {
	server := httptest.NewServer(NewHandler(service{}, HandlerOptions{
		Lenient: true,
		Authenticate: func(*Request, Credential) error { return nil },
		OnError: func(r *http.Request, err error) { fmt.Println(r.URL, err) },
	}))
	defer server.Close()
	client := reflect.ValueOf(&Client{BaseURL: server.URL, Edit: func(r *http.Request) error {
		for _, all := range RouteOf(r.Context()).Security {
			for _, c := range all {
				q := r.URL.Query()
				switch {
				case c.Type == "apiKey" && c.In == "query":
					q.Set(c.Name, "key")
					r.URL.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20")
				case c.Type == "apiKey" && c.In == "cookie":
					r.AddCookie(&http.Cookie{Name: c.Name, Value: "key"})
				case c.Type == "apiKey":
					r.Header.Set(c.Name, "key")
				case c.Type == "http" && c.Name != "":
					r.Header.Set("Authorization", c.Name+" x")
				default:
					r.Header.Set("Authorization", "Bearer x")
				}
			}
			break
		}
		return nil
	}})
	calls, right := 0, 0
	wrong := func(format string, arguments ...any) { fmt.Printf(format+"\n", arguments...) }
	for i := range client.NumMethod() {
		name, method := client.Type().Method(i).Name, client.Method(i)
		for range 5 {
			calls++
			in := []reflect.Value{reflect.ValueOf(context.Background())}
			var sent []any
			for j := 1; j < method.Type().NumIn(); j++ {
				v := reflect.New(method.Type().In(j)).Elem()
				fill(v, 0)
				if _, ok := v.Interface().(io.Reader); ok {
					sent = append(sent, "the body", contents(reflect.ValueOf("the body")))
				} else {
					sent = append(sent, v.Interface(), contents(v))
				}
				in = append(in, v)
			}
			called = ""
			out := method.Call(in)
			if n := len(sent); n == len(got)+2 && n > 2 { // the media type is a header
				sent = append(sent[:n-4], sent[n-2:]...)
			}
			switch err := out[len(out)-1].Interface(); {
			case err != nil:
				wrong("%s: %v", name, err)
			case called != name:
				wrong("%s called %q", name, called)
			case !equal(sent, got):
				a, _ := json.Marshal(sent)
				b, _ := json.Marshal(got)
				wrong("%s: sent\n\t%s\ngot\n\t%s", name, a, b)
			case !equal(plain(out[0].Elem().FieldByName("Body")), gave):
				wrong("%s: gave %v, came %v", name, gave, out[0].Elem())
			default:
				right++
			}
		}
	}
	fmt.Printf("%d of %d calls\n", right, calls)
	if right < calls {
		os.Exit(1)
	}
}
`

// talk builds a service and its client for a document, has the client make five
// calls of each method, and returns how many came back whole, what was wrong with
// the others, and how many calls there were.
func talk(t *testing.T, d *oas.Doc) (right, calls int, wrong string) {
	t.Helper()
	files, err := gen.Generate(d, gen.Options{Package: "main"})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range sound(files) {
		t.Error(w)
	}
	service, _ := echoed(t, files["server.go"])
	files["service.go"], files["main.go"], files["go.mod"] = []byte(service), []byte(echoProgram), []byte("module stranger\n\ngo 1.25\n")
	dir := t.TempDir()
	for name, source := range files {
		if err := os.WriteFile(filepath.Join(dir, name), source, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command := func(args ...string) (string, error) {
		c := exec.Command("go", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := command("vet", "."); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
	out, _ := command("run", ".")
	end := strings.LastIndex(strings.TrimSuffix(strings.TrimSuffix(out, "exit status 1\n"), "\n"), "\n") + 1
	if _, err := fmt.Sscanf(out[end:], "%d of %d calls", &right, &calls); err != nil {
		t.Errorf("go run: %v\n%s", err, out)
	}
	return right, calls, out[:end]
}

// Clients of documents that are in no collection talk to their servers: all that
// is sent arrives, and all that is answered comes back.
func TestStrangersTalk(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it builds 27 programs")
	}
	files, err := filepath.Glob("../testdata/strangers/*")
	if err != nil || len(files) != 27 {
		t.Fatalf("%d documents, error %v", len(files), err)
	}
	all := 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			right, calls, wrong := talk(t, parse(t, string(source)))
			t.Logf("%d of %d calls", right, calls)
			if all += calls; right < calls {
				t.Error(wrong)
			}
		})
	}
	t.Logf("%d calls", all)
	if all < 1000 {
		t.Error("too few calls")
	}
}

// One real document of 61 talks as the odd ones do, unless it is large.
func TestRealDocumentsTalk(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it builds about 40 programs")
	}
	file, err := corpus.File()
	if err != nil {
		t.Skipf("SKIPPED: no real documents: %v", err)
	}
	documents, allRight, allCalls := 0, 0, 0
	err = corpus.Each(file, func(number int) bool { return number%61 == 30 }, func(name string, source []byte) error {
		if len(source) > 400_000 {
			return nil
		}
		t.Run(name, func(t *testing.T) {
			d := parse(t, string(source))
			right, calls, wrong := talk(t, d)
			documents, allRight, allCalls = documents+1, allRight+right, allCalls+calls
			if right < calls-5*repeated(d) {
				t.Errorf("%d of %d calls\n%s", right, calls, wrong)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d documents: %d of %d calls", documents, allRight, allCalls)
}

// repeated returns how many operations no server can reach, because an earlier one
// has their method and a path that differs only in the names of parameters or in
// its fragment.
func repeated(d *oas.Doc) (n int) {
	seen := map[string]bool{}
	for o := range d.Operations() {
		path, _, _ := strings.Cut(o.Path(), "#")
		for _, name := range o.PathNames() {
			path = strings.ReplaceAll(path, "{"+name+"}", "{}")
		}
		if seen[o.Method()+path] {
			n++
		}
		seen[o.Method()+path] = true
	}
	return n
}

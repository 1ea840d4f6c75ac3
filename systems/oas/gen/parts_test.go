package gen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/systems/oas/gen"
)

const partsDocument = `
openapi: 3.0.3
info: {title: Parts, version: "1"}
paths:
  /albums/{id}/photos:
    post:
      operationId: addPhoto
      parameters:
        - {name: id, in: path, required: true, schema: {type: string, format: uuid}}
        - {name: day, in: query, schema: {type: string, format: date, default: "2026-01-31"}}
        - {name: days, in: query, explode: false, schema: {type: array, items: {type: string, format: date}}}
      requestBody:
        required: true
        content:
          multipart/form-data:
            encoding: {photo: {contentType: image/png}}
            schema:
              type: object
              required: [photo, caption, taken]
              properties:
                photo: {type: string, format: binary}
                thumbs: {type: array, items: {type: string, format: binary}}
                raw: {type: string, format: binary}
                caption: {type: string, maxLength: 10}
                taken: {type: string, format: date}
                stars: {type: integer, format: int32, minimum: 1, maximum: 5}
                tags: {type: array, maxItems: 3, items: {type: string}}
                place: {$ref: '#/components/schemas/Place'}
                people: {type: array, items: {$ref: '#/components/schemas/Place'}}
      responses:
        "201": {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Photo'}}}}
  /maybe:
    post:
      operationId: maybe
      requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {f: {type: string, format: binary}}}}}}
      responses: {"200": {description: ok, content: {application/json: {schema: {type: string}}}}}
components:
  schemas:
    Date: {type: string, format: date}
    Place: {type: object, required: [name], properties: {name: {type: string, minLength: 1}, at: {type: array, items: {type: number}}}}
    Level: {type: integer, format: int32, enum: [1, -2, 10], x-enum-varnames: [Low, Below, High]}
    Code: {type: integer, enum: [404, 500, -1]}
    Photo:
      type: object
      required: [id, taken, level, status]
      properties:
        id: {type: string, format: uuid}
        taken: {$ref: '#/components/schemas/Date'}
        seen: {type: string, format: date, nullable: true}
        level: {$ref: '#/components/schemas/Level'}
        code: {$ref: '#/components/schemas/Code'}
        status: {type: string, enum: [new, "no way", "+1"]}
        text: {type: string}
`

const partsProgram = `package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"
)

type service struct{}

func ptr[T any](v T) *T { return &v }

func read(f FilePart) string {
	b, err := io.ReadAll(f.Body)
	return fmt.Sprint(f.Name, "|", f.ContentType, "|", string(b[:min(len(b), 20)]), "|", len(b), "|", err)
}

func (service) AddPhoto(ctx context.Context, r *Request, p AddPhotoParams, body AddPhotoBody) (*Answer[Photo], error) {
	text := fmt.Sprint(p.ID, " ", *p.Day, " ", p.Days, " ", read(body.Photo))
	for _, f := range body.Thumbs {
		text += " " + read(f)
	}
	if body.Raw != nil {
		text += " raw " + read(*body.Raw)
	}
	text += fmt.Sprint(" ", body.Caption, " ", body.Taken, " ", body.Tags)
	if body.Stars != nil {
		text += fmt.Sprint(" ", *body.Stars)
	}
	if body.Place != nil {
		text += fmt.Sprint(" ", body.Place.Name, body.Place.At)
	}
	for _, one := range body.People {
		text += " " + one.Name
	}
	return &Answer[Photo]{Body: Photo{ID: p.ID, Taken: body.Taken, Level: LevelHigh, Code: ptr(CodeMinus1), Status: PhotoStatusNoWay, Seen: NullableOf(DateOf(time.Date(2020, 2, 29, 23, 59, 0, 0, time.UTC))), Text: &text}}, nil
}

func (service) Maybe(ctx context.Context, r *Request, body *MaybeBody) (*Answer[string], error) {
	switch {
	case body == nil:
		return &Answer[string]{Body: "none"}, nil
	case body.F == nil:
		return &Answer[string]{Body: "no file"}, nil
	}
	return &Answer[string]{Body: read(*body.F)}, nil
}

var bad = false

func check(name string, got, want any) {
	if !reflect.DeepEqual(got, want) {
		fmt.Printf("%s: %#v, want %#v\n", name, got, want)
		bad = true
	}
}

const id = "5a2c1b60-0f4e-4d0c-9c52-7a1d3a8d1c11"

// raw sends parts as another program does, and returns the status and what was wrong.
func raw(url string, write func(w *multipart.Writer)) string {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	write(w)
	w.Close()
	a, err := http.Post(url, w.FormDataContentType(), &b)
	if err != nil {
		return err.Error()
	}
	defer a.Body.Close()
	text, _ := io.ReadAll(a.Body)
	return fmt.Sprint(a.StatusCode, " ", string(text))
}

func main() {
	dir, _ := os.MkdirTemp("", "parts")
	os.Setenv("TMPDIR", dir)
	defer os.RemoveAll(dir)
	server := httptest.NewServer(NewHandler(service{}, HandlerOptions{MaxBody: 1000, MaxUpload: 100_000}))
	defer server.Close()
	c := &Client{BaseURL: server.URL}
	ctx := context.Background()
	at, err := ParseUUID(id)
	check("uuid", err, nil)
	file := func(name, typ, text string) FilePart { return FilePart{name, typ, strings.NewReader(text)} }
	day := Date{2026, 11, 27}

	a, err := c.AddPhoto(ctx, AddPhotoParams{ID: at, Days: []Date{day, {2027, 1, 1}}}, AddPhotoBody{
		Photo: file("a \"b\" \\c ü.png", "", "PNG"), Thumbs: []FilePart{file("1", "image/gif", "one"), file("2", "", "")}, Raw: ptr(file("", "x/y", strings.Repeat("z", 50_000))),
		Caption: "c ü\r\n", Taken: day, Stars: ptr(int32(3)), Tags: []string{"a", "b,c"}, Place: &Place{Name: "p", At: []float64{1.5, -2}}, People: []Place{{Name: "q"}, {Name: "r"}},
	})
	check("all parts", err, nil)
	if err == nil {
		check("what came", *a.Body.Text, id+" 2026-01-31 [2026-11-27 2027-01-01] a \"b\" \\c ü.png|image/png|PNG|3|<nil> 1|image/gif|one|3|<nil> 2|application/octet-stream||0|<nil> raw raw|x/y|zzzzzzzzzzzzzzzzzzzz|50000|<nil> c ü\r\n 2026-11-27 [a b,c] 3 p[1.5 -2] q r")
		check("an id", a.Body.ID, at)
		check("a day", a.Body.Taken, Date{2026, time.November, 27})
		check("a day that may be null", *a.Body.Seen.Value, Date{2020, time.February, 29})
		check("an enumeration", a.Body.Level == 10 && *a.Body.Code == -1 && a.Body.Status == "no way", true)
	}
	least := AddPhotoBody{Photo: file("x", "", "y"), Caption: "c", Taken: day}
	a, err = c.AddPhoto(ctx, AddPhotoParams{ID: at, Day: &day}, least)
	check("the least", err, nil)
	check("it", *a.Body.Text, id+" 2026-11-27 [] x|image/png|y|1|<nil> c 2026-11-27 []")
	var e *APIError
	least.Photo, least.Caption = file("x", "", "y"), "longer than ten"
	_, err = c.AddPhoto(ctx, AddPhotoParams{ID: at}, least)
	check("a long caption", errors.As(err, &e) && e.StatusCode == 400 && strings.Contains(string(e.Body), "\"name\":\"caption\""), true)
	least.Photo, least.Caption = file("x", "", strings.Repeat("y", 200_000)), "c"
	_, err = c.AddPhoto(ctx, AddPhotoParams{ID: at}, least)
	check("a large file", errors.As(err, &e) && e.StatusCode == 413, true)

	url := server.URL + "/albums/" + id + "/photos"
	head := func(w *multipart.Writer) {
		w.WriteField("caption", "c")
		w.WriteField("taken", "2026-11-27")
	}
	photo := func(w *multipart.Writer) {
		head(w)
		f, _ := w.CreateFormFile("photo", "x")
		io.WriteString(f, "p")
	}
	for _, q := range []struct {
		name  string
		write func(w *multipart.Writer)
		want  string
	}{
		{"no file", head, "400 {\"status\":400,\"in\":\"body\",\"name\":\"photo\",\"detail\":\"it is missing\"}"},
		{"a file as a field", func(w *multipart.Writer) { head(w); w.WriteField("photo", "text") }, "201 "},
		{"a number that is none", func(w *multipart.Writer) { photo(w); w.WriteField("stars", "many") }, "400 "},
		{"a number that is too large", func(w *multipart.Writer) { photo(w); w.WriteField("stars", "6") }, "400 {\"status\":400,\"in\":\"body\",\"name\":\"stars\""},
		{"JSON in a file", func(w *multipart.Writer) {
			photo(w)
			f, _ := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {"form-data; name=\"place\"; filename=\"blob\""}, "Content-Type": {"application/json"}})
			io.WriteString(f, "{\"name\":\"n\"}")
		}, "201 "},
		{"JSON that breaks its schema", func(w *multipart.Writer) { photo(w); w.WriteField("place", "{\"name\":\"\"}") }, "400 {\"status\":400,\"in\":\"body\",\"name\":\"place\",\"pointer\":\"/name\""},
		{"no JSON", func(w *multipart.Writer) { photo(w); w.WriteField("place", "{") }, "400 "},
		{"too many", func(w *multipart.Writer) { photo(w); for range 4 { w.WriteField("tags", "t") } }, "400 {\"status\":400,\"in\":\"body\",\"name\":\"tags\""},
		{"no day", func(w *multipart.Writer) { w.WriteField("caption", "c"); w.WriteField("taken", "2026-02-30") }, "400 "},
		{"a part that nobody knows", func(w *multipart.Writer) { photo(w); w.WriteField("other", "x") }, "201 "},
	} {
		if got := raw(url, q.write); !strings.HasPrefix(got, q.want) {
			check(q.name, got, q.want)
		}
	}
	check("no parts", raw(url+"?day=never", photo)[:4], "400 ")
	check("no id", raw(server.URL+"/albums/x/photos", photo)[:4], "400 ")
	text, err := c.Maybe(ctx, nil)
	check("nothing", err, nil)
	check("nothing came", text.Body, "none")
	text, err = c.Maybe(ctx, &MaybeBody{})
	check("an empty form", err, nil)
	check("an empty form came", text.Body, "no file")
	text, err = c.Maybe(ctx, &MaybeBody{F: &FilePart{Name: "n", Body: strings.NewReader("x")}})
	check("a file", err, nil)
	check("it came", text.Body, "n|application/octet-stream|x|1|<nil>")
	for _, id := range []string{"", "5a2c1b600f4e4d0c9c527a1d3a8d1c11", "5a2c1b60-0f4e-4d0c-9c52-7a1d3a8d1c1g", "5a2c1b6-00f4e-4d0c-9c52-7a1d3a8d1c11"} {
		_, err := ParseUUID(id)
		check("no id "+id, err != nil, true)
	}
	server.Close()
	if left, _ := filepath.Glob(dir + "/*"); len(left) > 0 {
		check("files that are left", left, nil)
	}
	if bad {
		os.Exit(1)
	}
}
`

// Bodies in parts are structs with files; days, identifiers and enumerations have types.
func TestPartsAndScalars(t *testing.T) {
	files, err := gen.Generate(parse(t, partsDocument), gen.Options{Package: "main"})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range sound(files) {
		t.Error(w)
	}
	if testing.Short() {
		t.Skip("SKIPPED: it builds a program")
	}
	files["main.go"], files["go.mod"] = []byte(partsProgram), []byte("module parts\n\ngo 1.25\n")
	dir := t.TempDir()
	for name, source := range files {
		if err := os.WriteFile(filepath.Join(dir, name), source, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("go", "run", ".")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

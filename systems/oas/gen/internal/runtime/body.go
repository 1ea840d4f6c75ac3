//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

var theBody = place{in: "body"}

// maxBody is how long a body may be unless the options say it.
const maxBody = 10 << 20

// sends checks the media type of the body, which has to be one of the document. A request without
// a type has the first of them.
func (in *input) sends(types ...string) {
	sent := in.Header.Get("Content-Type")
	if sent == "" || in.options.Lenient || in.ContentLength == 0 {
		return
	}
	base, _, err := mime.ParseMediaType(sent)
	if err == nil {
		for _, t := range types {
			want, _, _ := strings.Cut(strings.ToLower(t), ";")
			want = strings.TrimSpace(want)
			if want == base || want == "*/*" || strings.HasSuffix(want, "/*") && strings.HasPrefix(base, want[:len(want)-1]) {
				return
			}
		}
	}
	in.fail(http.StatusUnsupportedMediaType, "header", "Content-Type", "", "it is "+strconv.Quote(sent)+", and must be one of "+strings.Join(types, ", "))
}

// read returns the body, if it is not too long.
func (in *input) read() []byte {
	if in.err != nil {
		return nil
	}
	most := in.options.MaxBody
	if most == 0 {
		most = maxBody
	}
	b, err := io.ReadAll(http.MaxBytesReader(in.writer, in.Body, most))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		in.fail(http.StatusRequestEntityTooLarge, "body", "", "", "it is longer than "+strconv.FormatInt(most, 10)+" bytes")
	case err != nil:
		in.fail(http.StatusBadRequest, "body", "", "", err.Error())
	}
	return b
}

// jsonBody reads the body, checks it against its schema, and makes a T of it.
func jsonBody[T any](in *input, required bool, schema string) (body T) {
	b := in.read()
	if in.err != nil {
		return body
	}
	if len(b) == 0 {
		if required {
			in.missing(theBody)
		}
		return body
	}
	tree, err := one(b)
	if err == nil && !in.options.Lenient {
		err = validTree(schema, tree)
	}
	if err == nil {
		err = json.Unmarshal(b, &body)
	}
	if err != nil {
		in.invalid(theBody, err)
	}
	return body
}

// formBody reads the body as a form, whose members are made a T.
func formBody[T any](in *input, required bool, schema string, lists []string, texts ...string) (body T) {
	values, err := url.ParseQuery(string(in.read()))
	if err != nil {
		in.invalid(theBody, err)
		return body
	}
	body = object[T](in, theBody, required, values, lists, texts...)
	if len(values) > 0 {
		in.fits(theBody, schema, body)
	}
	return body
}

// parts reads the body as fields and files, and reports whether there is one.
func (in *input) parts(required bool) bool {
	if in.err != nil {
		return false
	}
	if in.Header.Get("Content-Type") == "" && in.ContentLength == 0 {
		if required {
			in.missing(theBody)
		}
		return false
	}
	most := in.options.MaxUpload
	if most == 0 {
		most = 32 << 20
	}
	inMemory := in.options.MaxBody
	if inMemory == 0 {
		inMemory = maxBody
	}
	in.Body = http.MaxBytesReader(in.writer, in.Body, most)
	err := in.ParseMultipartForm(inMemory)
	if errors.Is(err, http.ErrNotMultipart) && in.PostForm != nil {
		err = nil // a form without files
	}
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		in.fail(http.StatusRequestEntityTooLarge, "body", "", "", "it is longer than "+strconv.FormatInt(most, 10)+" bytes")
	case errors.Is(err, multipart.ErrMessageTooLarge):
		in.fail(http.StatusRequestEntityTooLarge, "body", "", "", "its fields are too long")
	case err != nil:
		in.fail(http.StatusBadRequest, "body", "", "", err.Error())
	}
	return in.err == nil
}

// part returns the values of a field. One that is sent with the name of a file counts too.
func (in *input) part(name string) []string {
	values := in.PostForm[name]
	if in.MultipartForm == nil {
		return values
	}
	for _, f := range in.files(name) {
		b, err := io.ReadAll(f.Body)
		if err != nil {
			in.fail(http.StatusBadRequest, "body", name, "", err.Error())
		}
		values = append(values, string(b))
	}
	return values
}

// files returns the files with a name. A field counts as one.
func (in *input) files(name string) (all []FilePart) {
	if in.MultipartForm == nil {
		return nil
	}
	for _, f := range in.MultipartForm.File[name] {
		body, err := f.Open()
		if err != nil {
			in.fail(http.StatusBadRequest, "body", name, "", err.Error())
			continue
		}
		in.open = append(in.open, body)
		all = append(all, FilePart{Name: f.Filename, ContentType: f.Header.Get("Content-Type"), Body: body})
	}
	return all
}

// fileList returns the files of a part that may be several.
func (in *input) fileList(at place, required bool) []FilePart {
	all := in.files(at.name)
	for _, value := range in.PostForm[at.name] {
		all = append(all, FilePart{Body: strings.NewReader(value)})
	}
	if required && len(all) == 0 {
		in.missing(at)
	}
	return all
}

func (in *input) optionalFile(at place) *FilePart {
	if all := in.fileList(at, false); len(all) > 0 {
		return &all[0]
	}
	return nil
}

func (in *input) requiredFile(at place) (f FilePart) {
	if all := in.fileList(at, true); len(all) > 0 {
		return all[0]
	}
	return f
}

// close removes the files of the request.
func (in *input) close() {
	for _, f := range in.open {
		f.Close()
	}
	if in.MultipartForm != nil {
		in.MultipartForm.RemoveAll()
	}
}

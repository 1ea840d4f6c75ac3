//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"strings"
)

// parts are those of a body that is sent: fields, and files.
type parts struct {
	all []part
	err error // the first that a value of JSON had
}

type part struct {
	name, contentType string
	value             string    // of a field
	file              *FilePart // nil for a field
}

// text adds a field.
func (p *parts) text(name, contentType, value string) {
	p.all = append(p.all, part{name: name, contentType: contentType, value: value})
}

// json adds a field that is written as JSON.
func (p *parts) json(name, contentType string, v any) {
	b, err := json.Marshal(v)
	if err != nil && p.err == nil {
		p.err = err
	}
	p.text(name, contentType, string(notNull(b, v)))
}

// file adds a file.
func (p *parts) file(name, contentType string, f FilePart) {
	if f.ContentType != "" {
		contentType = f.ContentType
	}
	p.all = append(p.all, part{name: name, contentType: contentType, file: &f})
}

// parts sends fields and files, as a form or in parts.
func (r *request) parts(contentType string, p *parts) error {
	if p.err != nil {
		return p.err
	}
	if !strings.HasPrefix(contentType, "multipart/") {
		values := url.Values{}
		for _, part := range p.all {
			values.Add(part.name, part.value)
		}
		r.stream(contentType, strings.NewReader(values.Encode()))
		return nil
	}
	var head bytes.Buffer
	var body []io.Reader
	w := multipart.NewWriter(&head)
	next := func(readers ...io.Reader) {
		body = append(append(body, strings.NewReader(head.String())), readers...)
		head.Reset()
	}
	for _, part := range p.all {
		disposition := "form-data; name=\"" + inQuotes.Replace(part.name) + "\""
		if part.file != nil {
			name := part.file.Name
			if name == "" {
				name = part.name // without one the part would be a field
			}
			disposition += "; filename=\"" + inQuotes.Replace(name) + "\""
			if part.contentType == "" {
				part.contentType = "application/octet-stream"
			}
		}
		header := textproto.MIMEHeader{}
		header.Set("Content-Disposition", disposition)
		if part.contentType != "" {
			header.Set("Content-Type", part.contentType)
		}
		if _, err := w.CreatePart(header); err != nil {
			return err
		}
		switch {
		case part.file == nil:
			next(strings.NewReader(part.value))
		case part.file.Body == nil:
			next()
		default:
			next(part.file.Body)
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	next()
	r.stream(mime.FormatMediaType(contentType, map[string]string{"boundary": w.Boundary()}), io.MultiReader(body...))
	return nil
}

// inQuotes escapes a text of a Content-Disposition. RFC 7578 demands no more than that, and
// net/http reads a backslash as an escape.
var inQuotes = strings.NewReplacer("\\", "\\\\", "\"", "\\\"", "\r", "%0D", "\n", "%0A")

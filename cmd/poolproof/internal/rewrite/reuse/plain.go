package reuse

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"os"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit"
)

// plain writes into a file that is not formatted, so that all lines stay as they are but those
// that the variant is about.
type plain struct {
	fset      *token.FileSet
	file      *ast.File
	name      string
	old       []byte
	formatted bool // it is not such a file
}

// newPlain reads a file.
func newPlain(fset *token.FileSet, file *ast.File) (plain, error) {
	name := fset.PositionFor(file.Package, false).Filename
	old, err := os.ReadFile(name)
	if err != nil {
		return plain{}, err
	}
	unix := bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n"))
	text, err := format.Source(unix)
	return plain{fset, file, name, old, err == nil && bytes.Equal(text, unix)}, err
}

// indented are the lines of a change after the first, as far to the right as the line on which
// they begin.
func (p plain) indented(c change) string {
	at := p.fset.PositionFor(c.from, false).Offset
	line := p.old[bytes.LastIndexByte(p.old[:at], '\n')+1 : at]
	base := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	var b strings.Builder
	depth := strings.Count(c.lines[0], "{") - strings.Count(c.lines[0], "}")
	for _, l := range c.lines[1:] {
		out := 0
		if strings.HasPrefix(l, "}") {
			out = 1
		}
		b.WriteString("\n" + base + strings.Repeat("\t", max(0, depth-out)) + l)
		depth += strings.Count(l, "{") - strings.Count(l, "}")
	}
	return b.String()
}

// files adds the imports to a set of changes, and returns the file with them. Its lines end as
// they did.
func (p plain) files(set *edit.Set, imports []edit.Import) (map[string][]byte, error) {
	for _, i := range imports {
		p.add(set, strings.TrimSpace(fmt.Sprintf("%s %q", i.Name, i.Path)))
	}
	files, err := set.Files()
	if err != nil || !bytes.Contains(p.old, []byte("\r\n")) {
		return files, err
	}
	unix := bytes.ReplaceAll(files[p.name], []byte("\r\n"), []byte("\n"))
	files[p.name] = bytes.ReplaceAll(unix, []byte("\n"), []byte("\r\n"))
	return files, nil
}

// add puts an import after those that are there.
func (p plain) add(set *edit.Set, spec string) {
	end, before := p.file.Name.End(), "\n\nimport "
	for _, d := range p.file.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		end, before = d.End(), "\nimport "
		if d.Rparen.IsValid() && len(d.Specs) > 0 {
			last := d.Specs[len(d.Specs)-1].End()
			if p.line(last) != p.line(d.Rparen) {
				end, before = last, "\n\t"
			}
		}
	}
	end += token.Pos(len(p.trailing(set, end)))
	set.Replace(end, end, before+spec)
}

// trailing is the comment that ends the line of a place, with the space before it; "" if
// anything else stands there.
func (p plain) trailing(set *edit.Set, at token.Pos) string {
	for _, group := range p.file.Comments {
		first := group.List[0]
		if first.Pos() < at || p.line(first.Pos()) != p.line(at) || !strings.HasPrefix(first.Text, "//") {
			continue
		}
		if text := set.Code(span{at, first.End()}); strings.TrimLeft(text, " \t") == first.Text {
			return text
		}
		break
	}
	return ""
}

// line is that of a place in the file.
func (p plain) line(at token.Pos) int { return p.fset.PositionFor(at, false).Line }

// change puts lines in the place of a part of a file.
type change struct {
	from, to token.Pos
	lines    []string
}

// span is a part of a file.
type span struct{ from, to token.Pos }

// Pos is where the part begins.
func (s span) Pos() token.Pos { return s.from }

// End is the place after it.
func (s span) End() token.Pos { return s.to }

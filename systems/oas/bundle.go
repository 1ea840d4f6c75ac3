package oas

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// MaxFiles is how many other files [Doc.Bundle] reads for a document.
const MaxFiles = 1000

// Bundle copies into the document what its references to other files refer to, and
// makes them references inside of the document. file is the name of the document in
// files. References are relative to the file in which they stand, and none leads out
// of files: os.OpenRoot(dir) has such a file system, which follows no link that leaves
// dir. What is copied becomes a component with the last part of its name, or with a
// number after that if the document has one; what a copy refers to is copied too.
//
// A reference to a URL with a scheme or a host stays as it is: Bundle reads no network.
// The error names each reference that leads nowhere, with its file and place; these
// stay as they are too. Bundle edits the document, as the methods of Node do.
func (d *Doc) Bundle(files fs.FS, file string) error {
	b := bundler{d: d, fs: files, main: path.Clean(file), docs: map[string]*Doc{}, names: map[string]string{}, home: map[Node]origin{}}
	if !d.Root().Exists() {
		return errNoNode
	}
	b.home[d.Root()] = origin{file: b.main}
	for now := map[Node]bool{d.Root(): true}; len(now) > 0; {
		b.added = map[Node]bool{}
		b.references(now)
		now = b.added
	}
	return errors.Join(b.wrong...)
}

// bundler is one run of Bundle.
type bundler struct {
	d     *Doc
	fs    fs.FS
	main  string
	docs  map[string]*Doc
	names map[string]string // of the copies, by file and fragment: references to them
	home  map[Node]origin   // of the copies
	added map[Node]bool     // copies whose references have not been looked at
	wrong []error
}

// origin is the value that a copy was made of.
type origin struct {
	file string
	node Node // zero for the document itself
}

// references changes the references that stand in some of the copies, or in the
// document itself.
func (b *bundler) references(now map[Node]bool) {
	type found struct {
		ref, in Node // the copy, or the document, that it stands in
		kind    ObjectKind
		home    origin
	}
	var all []found
	b.d.Walk(func(c *Cursor) Action {
		n := c.Node()
		ref, ok := n.Ref()
		if !ok {
			return Continue
		}
		for i := len(c.stack) - 1; i >= 0; i-- {
			in := Node{b.d, c.stack[i].at, c.gen}
			home, known := b.home[in]
			if known && now[in] && (home.node.Exists() || !strings.HasPrefix(ref, "#")) {
				all = append(all, found{n, in, c.ObjectKind(), home})
			}
			if known {
				break
			}
		}
		return Continue
	})
	for _, f := range all {
		if err := b.change(f.ref, f.kind, f.home); err != nil {
			source := f.ref
			if from := f.home.node; from.Exists() {
				source, _ = from.Doc().At(from.Pointer() + strings.TrimPrefix(f.ref.Pointer(), f.in.Pointer()))
			}
			line, column := source.Get("$ref").Pos()
			ref, _ := f.ref.Ref()
			b.wrong = append(b.wrong, fmt.Errorf("%s:%d:%d: $ref %q: %w", f.home.file, line, column, ref, err))
		}
	}
}

// change makes a reference one inside of the document.
func (b *bundler) change(n Node, kind ObjectKind, home origin) error {
	ref, _ := n.Ref()
	u, err := url.Parse(ref)
	if err != nil {
		return err
	}
	if u.Scheme != "" || u.Host != "" {
		return nil
	}
	file := home.file
	if u.Path != "" {
		if file = path.Join(path.Dir(home.file), u.Path); !fs.ValidPath(file) {
			return errors.New("the file is outside of the folder that may be read")
		}
	}
	fragment := u.Fragment
	if file == b.main {
		_, err = n.Set("$ref", "#"+fragment)
		return err
	}
	name, known := b.names[file+"#"+fragment]
	if !known {
		if name, err = b.copy(file, fragment, kind); err != nil {
			return err
		}
	}
	_, err = n.Set("$ref", name)
	return err
}

// copy makes a component of a part of another file, and returns the reference to it.
func (b *bundler) copy(file, fragment string, kind ObjectKind) (string, error) {
	other, err := b.open(file)
	if err != nil {
		return "", err
	}
	target, err := other.at(fragment)
	if err != nil {
		if fragment == "" || fragment[0] == '/' {
			return "", err
		}
		if target, err = other.target("#" + fragment); err != nil {
			return "", err
		}
	}
	base := path.Base(fragment)
	if fragment == "" {
		base = strings.TrimSuffix(path.Base(file), path.Ext(file))
	}
	base = strings.NewReplacer("~1", "/", "~0", "~").Replace(base)
	section, pointer, err := b.section(kind)
	if err != nil {
		return "", err
	}
	name := base
	for i := 2; section.Get(name).Exists(); i++ {
		name = base + strconv.Itoa(i)
	}
	copied, err := section.Set(name, target)
	if err != nil {
		return "", err
	}
	ref := "#" + pointer + string(appendToken(nil, name))
	b.names[file+"#"+fragment] = ref
	b.home[copied] = origin{file, target}
	b.added[copied] = true
	return ref, nil
}

func (b *bundler) open(file string) (*Doc, error) {
	if d := b.docs[file]; d != nil {
		return d, nil
	}
	if len(b.docs) == MaxFiles {
		return nil, fmt.Errorf("the document refers to more than %d files", MaxFiles)
	}
	source, err := fs.ReadFile(b.fs, file)
	if err != nil {
		return nil, err
	}
	d, err := Parse(source)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", file, err)
	}
	b.docs[file] = d
	return d, nil
}

// sections are where components of a kind stand.
var sections = map[ObjectKind][2]string{
	SchemaObject: {"schemas", "definitions"}, ParameterObject: {"parameters", "parameters"}, ResponseObject: {"responses", "responses"},
	RequestBodyObject: {"requestBodies"}, HeaderObject: {"headers"}, ExampleObject: {"examples"}, LinkObject: {"links"},
	CallbackObject: {"callbacks"}, SecuritySchemeObject: {"securitySchemes"}, PathItemObject: {"pathItems"},
}

// section returns the object for components of a kind, which it makes if there is none.
func (b *bundler) section(kind ObjectKind) (Node, string, error) {
	root, pointer := b.d.Root(), ""
	name := sections[kind][0]
	switch v := b.d.Version(); {
	case v == V20:
		name = sections[kind][1]
	case kind == PathItemObject && v <= V30:
		name = ""
	default:
		var err error
		if root, err = member(root, "components"); err != nil {
			return Node{}, "", err
		}
		pointer = "/components"
	}
	if name == "" { // the specification has no place for it
		root, pointer, name = b.d.Root(), "", "x-bundled"
	}
	n, err := member(root, name)
	return n, pointer + "/" + name, err
}

// member returns the object that a member is, and adds one if there is none.
func member(n Node, key string) (Node, error) {
	if m := n.Get(key); m.Exists() {
		if m.Kind() != Object {
			return m, fmt.Errorf("%s is a %s and no object", m.Pointer(), m.Kind())
		}
		return m, nil
	}
	return n.Set(key, rawObject{})
}

// rawObject is an empty object.
type rawObject struct{}

// AppendJSON appends {}.
func (rawObject) AppendJSON(dst []byte) []byte { return append(dst, '{', '}') }

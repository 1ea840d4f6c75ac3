package unpool

import (
	"errors"
	"fmt"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit"
)

// Edit is a pool taken out of a program.
type Edit struct {
	Files map[string][]byte // whole new texts by absolute name, also of files that are new
}

// Edit takes a pool out in a form. The tree stays as it is. An error says what kept it
// from that: [Pool.Trouble], [Pool.PlainOnly], or a defect of this package.
func (p *Program) Edit(pool *Pool, form Form) (Edit, error) {
	switch {
	case pool.Trouble != "":
		return Edit{}, fmt.Errorf("%s cannot be taken out: %s", pool.Name, pool.Trouble)
	case form == Written && pool.PlainOnly != "":
		return Edit{}, fmt.Errorf("%s has no form that one would write: %s", pool.Name, pool.PlainOnly)
	}
	take := p.plain
	if form == Written {
		take = p.written
	}
	files, err := take(pool)
	return Edit{files}, err
}

// added begins the name of the file that declares what stands for Get and Put.
const added = "zz_poolproof"

func (p *program) plain(pool *Pool) (map[string][]byte, error) {
	set := edit.New(p.fset)
	extra := map[string][]byte{}
	for _, u := range pool.uses {
		at := pointer(set, u)
		switch {
		case u.call == nil: // a Put of package sync: uncounted refuses all others
			set.Node(u.sel, fmt.Sprintf("func(x any) { %s(%s, x) }", u.standsFor(), at))
		case len(u.call.Args) == 0:
			set.Node(u.call, u.standsFor()+"("+at+")")
		default:
			set.Replace(u.call.Pos(), u.call.Lparen+1, u.standsFor()+"("+at+", ")
		}
		name := added + ".go"
		if strings.HasSuffix(u.pkg.Name, "_test") && strings.HasSuffix(p.at(u.sel).Filename, "_test.go") {
			name = added + "_test.go"
		}
		extra[filepath.Join(filepath.Dir(p.at(u.sel).Filename), name)] = u.kind.file(u.pkg.Name)
	}
	files, err := set.Files()
	if err != nil {
		return nil, err
	}
	maps.Copy(files, extra)
	return files, nil
}

// pointer is an expression for the address of the pool that a use is of.
func pointer(set *edit.Set, u use) string {
	text := set.Code(u.sel.X)
	if u.own { // text is the name of the package, whose import stays in use
		return "(*" + text + "." + u.kind.name + ")(nil)"
	}
	t := u.pkg.TypesInfo.TypeOf(u.sel.X)
	index := u.pkg.TypesInfo.Selections[u.sel].Index()
	for _, i := range index[:len(index)-1] {
		field := embedded(t, []int{i})
		text, t = text+"."+field.Name(), field.Type()
	}
	if _, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		return text
	}
	return "&" + text
}

// Diff returns the edit as a unified diff with names relative to the module's root, which
// git apply takes.
func (e Edit) Diff(p *Program) (string, error) {
	return edit.Diff(p.root, func(name string) ([]byte, error) {
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil // a new file
		}
		return text, err
	}, e.Files)
}

package directive

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// reader reads the directives of one file.
type reader struct {
	index  *Index
	info   *types.Info
	file   *ast.File
	source []byte      // nil if it cannot be read
	ends   map[int]int // last line of the simple statement that begins on a line
	docs   map[*ast.Comment]function
}

// function is the function, or the method of an interface, that has a
// comment above it.
type function struct {
	obj    *types.Func
	params []string
}

const prefix = "//poolproof:"

func (r *reader) read() {
	for _, group := range r.file.Comments {
		for _, c := range group.List {
			if isOurs(c.Text) {
				r.look()
				r.comment(c, group)
			}
		}
	}
}

// isOurs reports whether a comment is a directive, or is meant as one.
func isOurs(text string) bool {
	return strings.HasPrefix(text, prefix) || spaced.MatchString(text) || isNoLint(text)
}

// spaced matches a directive that a space has made prose. Words that only
// begin like one are prose indeed.
var spaced = regexp.MustCompile(`^//\s+poolproof:(ignore|gives|owns|borrows|lends|readonly|drop)\b`)

func isNoLint(text string) bool {
	rest, ok := strings.CutPrefix(text, "//nolint")
	return ok && (rest == "" || rest[0] == ':' || rest[0] == ' ')
}

// look notes what the places of comments are compared with. Most files have no
// directive and are not looked at.
func (r *reader) look() {
	if r.docs != nil {
		return
	}
	r.ends = map[int]int{}
	r.docs = map[*ast.Comment]function{}
	ast.Inspect(r.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			r.function(n.Doc, n.Name, parameters(n.Recv, n.Type.Params))
		case *ast.InterfaceType:
			for _, m := range n.Methods.List {
				if t, ok := m.Type.(*ast.FuncType); ok && len(m.Names) == 1 {
					r.function(m.Doc, m.Names[0], parameters(nil, t.Params))
					r.function(m.Comment, m.Names[0], parameters(nil, t.Params))
				}
			}
		case *ast.AssignStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.GenDecl:
			if !holdsFunction(n) {
				from := r.index.lineOf(n.Pos()).line
				r.ends[from] = max(r.ends[from], r.index.lineOf(n.End()).line)
			}
		}
		return true
	})
}

func (r *reader) function(doc *ast.CommentGroup, name *ast.Ident, params []string) {
	obj, ok := r.info.Defs[name].(*types.Func)
	if doc == nil || !ok {
		return
	}
	for _, c := range doc.List {
		r.docs[c] = function{obj, params}
	}
}

// holdsFunction reports whether a function literal lies in n: what is said of
// its statement is not said of all that it does.
func holdsFunction(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			found = true
		}
		return !found
	})
	return found
}

func (r *reader) comment(c *ast.Comment, group *ast.CommentGroup) {
	if isNoLint(c.Text) {
		if suppresses(c.Text) {
			r.ignore(c, group, &Ignore{Pos: c.Pos(), End: c.End(), NoLint: true})
		}
		return
	}
	if !strings.HasPrefix(c.Text, prefix) {
		r.problem(c, "a comment with a space before poolproof: is prose", "write //"+strings.TrimSpace(strings.TrimPrefix(c.Text, "//")))
		return
	}
	verb, args, _ := strings.Cut(strings.TrimPrefix(c.Text, prefix), " ")
	args = strings.TrimSpace(args)
	switch verb {
	case "ignore":
		r.readIgnore(c, group, args)
	case "gives":
		r.readGives(c, args)
	case "owns":
		r.readOwnership(c, verb, args, r.index.owned)
	case "borrows":
		r.readOwnership(c, verb, args, r.index.borrowed)
	case "lends":
		r.readCalled(c, verb, args, r.index.lent)
	case "readonly":
		r.readCalled(c, verb, args, r.index.readOnly)
	case "drop":
		for _, l := range r.lines(c, group) {
			r.index.drops[l] = true
		}
	default:
		r.problem(c, "there is no directive "+prefix+verb, "write ignore, gives, owns, borrows, lends, readonly or drop")
	}
}

// suppresses reports whether a nolint comment is for poolproof too.
func suppresses(text string) bool {
	names, ok := strings.CutPrefix(text, "//nolint:")
	if !ok {
		return true // all linters
	}
	names, _, _ = strings.Cut(names, " ")
	return slices.ContainsFunc(strings.Split(names, ","), func(name string) bool {
		return strings.EqualFold(name, "poolproof") || strings.EqualFold(name, "all")
	})
}

// codeLike matches what is meant as codes or names of checks, right or wrong. Any
// other word that is no check begins a reason.
var codeLike = regexp.MustCompile(`(?i)^PV\d|,|^[a-z]+(-[a-z]+)+$`)

// readIgnore reads the checks and the reason. Without checks, the directive is for
// poolproof test, which asks for none.
func (r *reader) readIgnore(c *ast.Comment, group *ast.CommentGroup, args string) {
	checks, reason, _ := strings.Cut(args, " ")
	reason = strings.TrimSpace(reason)
	if checks == "" {
		r.problem(c, "//poolproof:ignore names no check", "write //poolproof:ignore PV005 and the reason")
		return
	}
	if _, one := Find(checks); reason != "" && !one && !codeLike.MatchString(checks) {
		return // a reason from its first word on: for poolproof test
	}
	ig := &Ignore{Pos: c.Pos(), End: c.End(), Reason: reason}
	for name := range strings.SplitSeq(checks, ",") {
		code, ok := Find(name)
		if !ok {
			r.problem(c, "//poolproof:ignore "+name+": there is no check of that name", "write one of "+List())
			continue
		}
		ig.Codes = append(ig.Codes, code)
	}
	switch {
	case len(ig.Codes) == 0:
	case reason == "":
		r.problem(c, "//poolproof:ignore "+checks+" gives no reason and is not honoured", "write why this is right")
	default:
		r.ignore(c, group, ig)
	}
}

func (r *reader) ignore(c *ast.Comment, group *ast.CommentGroup, ig *Ignore) {
	r.index.ignores = append(r.index.ignores, ig)
	for _, l := range r.lines(c, group) {
		r.index.at[l] = append(r.index.at[l], ig)
	}
}

// readGives reads a directive that says that the results of a function are the caller's to give back.
func (r *reader) readGives(c *ast.Comment, args string) {
	switch fn, ok := r.docs[c]; {
	case !ok:
		r.problem(c, "//poolproof:gives belongs directly above a function, or a method of an interface", "move it there")
	case args != "":
		r.problem(c, "//poolproof:gives "+args+": it is about all results", "write //poolproof:gives")
	default:
		r.index.given[fn.obj] = true
	}
}

func (r *reader) readOwnership(c *ast.Comment, verb, args string, into map[*types.Func][]Owned) {
	fn, ok := r.docs[c]
	if !ok {
		r.problem(c, prefix+verb+" belongs directly above a function, or a method of an interface", "move it there")
		return
	}
	told := -1
	if list, conditional := strings.CutSuffix(args, "on success"); conditional && verb == "owns" {
		args = strings.TrimSpace(list)
		if told = successOf(fn.obj); told < 0 {
			r.problem(c, prefix+verb+" on success: "+fn.obj.Name()+" has no result that is an error or a bool", "leave out on success")
			return
		}
	}
	if args == "" {
		r.problem(c, prefix+verb+" names no parameter", among(fn.params))
		return
	}
	for _, name := range strings.FieldsFunc(args, func(c rune) bool { return c == ' ' || c == ',' }) {
		param, path, _ := strings.Cut(name, ".")
		fields, wrong := fieldsOf(fn.obj, param, path)
		is := func(o Owned) bool { return o.Param == param && slices.Equal(o.Fields, fields) }
		switch {
		case !slices.Contains(fn.params, param):
			r.problem(c, prefix+verb+" "+name+": "+fn.obj.Name()+" has no such parameter", among(fn.params))
		case wrong != "":
			r.problem(c, prefix+verb+" "+name+": there is no field "+wrong, "name one that there is")
		case verb == "borrows" && path != "":
			r.problem(c, "//poolproof:borrows "+name+": it is about a whole parameter", "write //poolproof:borrows "+param)
		case slices.ContainsFunc(r.index.owned[fn.obj], is) || slices.ContainsFunc(r.index.borrowed[fn.obj], is):
			r.problem(c, prefix+verb+" "+name+": another directive says already whether "+fn.obj.Name()+" owns or borrows it", "remove one of the two")
		default:
			into[fn.obj] = append(into[fn.obj], Owned{Param: param, Fields: fields, Told: told})
		}
	}
}

// readCalled reads a directive about what function values are called with, or about results.
func (r *reader) readCalled(c *ast.Comment, verb, args string, into map[*types.Func][]Called) {
	fn, ok := r.docs[c]
	switch {
	case !ok:
		r.problem(c, prefix+verb+" belongs directly above a function, or a method of an interface", "move it there")
		return
	case args == "" && verb == "lends":
		r.problem(c, "//poolproof:lends names no parameter", among(fn.params))
		return
	case args == "":
		into[fn.obj] = append(into[fn.obj], Called{Arg: -1})
		return
	}
	for _, name := range strings.FieldsFunc(args, func(c rune) bool { return c == ' ' || c == ',' }) {
		param, arg, one := strings.Cut(name, ".")
		called := Called{Param: param, Arg: -1}
		sig, isFunc := callee(fn.obj, param)
		if one && isFunc {
			called.Arg = slices.IndexFunc(slices.Collect(sig.Params().Variables()), func(v *types.Var) bool { return v.Name() == arg })
		}
		switch {
		case !slices.Contains(fn.params, param):
			r.problem(c, prefix+verb+" "+name+": "+fn.obj.Name()+" has no such parameter", among(fn.params))
		case !isFunc:
			r.problem(c, prefix+verb+" "+name+": "+param+" is no function", "name a parameter that is one")
		case one && called.Arg < 0:
			r.problem(c, prefix+verb+" "+name+": "+param+" has no argument "+arg, "name one that it has")
		default:
			into[fn.obj] = append(into[fn.obj], called)
		}
	}
}

// callee returns the type of a parameter that is a function.
func callee(fn *types.Func, param string) (*types.Signature, bool) {
	for v := range fn.Signature().Params().Variables() {
		if v.Name() == param {
			sig, ok := v.Type().Underlying().(*types.Signature)
			return sig, ok
		}
	}
	return nil, false
}

// successOf returns the first result that is an error or a bool, -1 if there is none.
func successOf(fn *types.Func) int {
	for i, v := range slices.Collect(fn.Signature().Results().Variables()) {
		b, ok := v.Type().Underlying().(*types.Basic)
		if ok && b.Info()&types.IsBoolean != 0 || types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
			return i
		}
	}
	return -1
}

// fieldsOf returns the fields on a path from a parameter, or the name of the one that there
// is not.
func fieldsOf(fn *types.Func, param, path string) (fields []*types.Var, wrong string) {
	if path == "" {
		return nil, ""
	}
	t := types.Type(types.Typ[types.Invalid])
	for v := range fn.Signature().Params().Variables() {
		if v.Name() == param {
			t = v.Type()
		}
	}
	if recv := fn.Signature().Recv(); recv != nil && recv.Name() == param {
		t = recv.Type()
	}
	for name := range strings.SplitSeq(path, ".") {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		var field *types.Var
		if st, ok := t.Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				if f.Name() == name {
					field = f
				}
			}
		}
		if field == nil {
			return nil, name
		}
		fields, t = append(fields, field), field.Type()
	}
	return fields, ""
}

// among says which parameters a directive may name.
func among(params []string) string {
	if len(params) == 0 {
		return "give the parameter a name"
	}
	return "name one of " + strings.Join(params, ", ")
}

func (r *reader) problem(c *ast.Comment, message, remedy string) {
	r.index.problems = append(r.index.problems, Problem{c.Pos(), c.End(), message, remedy})
}

// lines are those that a comment speaks of: its own if code stands before it,
// else that below its group; and all of the simple statement there.
func (r *reader) lines(c *ast.Comment, group *ast.CommentGroup) []line {
	at := r.index.lineOf(c.Pos())
	first := at.line
	if r.alone(c.Pos()) {
		first = r.index.lineOf(group.End()).line + 1
	}
	var lines []line
	for n := first; n <= max(first, r.ends[first]); n++ {
		lines = append(lines, line{at.file, n})
	}
	return lines
}

// alone reports whether no code stands before pos on its line.
func (r *reader) alone(pos token.Pos) bool {
	f := r.index.fset.File(pos)
	if r.source == nil {
		r.source, _ = r.index.readFile(f.Name())
	}
	end := f.Offset(pos)
	if end > len(r.source) {
		return false // unreadable: the narrowest meaning
	}
	start := bytes.LastIndexByte(r.source[:end], '\n') + 1
	return len(bytes.TrimSpace(r.source[start:end])) == 0
}

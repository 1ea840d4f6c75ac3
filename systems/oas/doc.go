// Package oas reads, changes, checks and writes OpenAPI documents (versions 2.0,
// 3.0, 3.1 and 3.2) and keeps the order of their keys.
//
//	d, err := oas.Parse(source) // JSON or YAML
//	title := d.Root().Get("info").Get("title").Str()
//	d.Root().Get("info").Set("x-seen", true)
//	text := d.JSON() // compact; AppendIndent and AppendYAML write the other forms
//
// A [Doc] is the text and one array of nodes, which say what is where in it. There
// is no second model: a [Node] reads and edits the document itself, and so do the
// typed views of it, such as [Operation] and [Schema]. So what was not edited is
// written exactly as it was read: 1.0 stays 1.0, and \u003c stays \u003c.
//
// # Who owns what
//
// A document in JSON keeps the source that it was parsed from, which must not
// change. What [Doc.AppendJSON], [Doc.AppendIndent], [Doc.AppendYAML] and
// [Doc.JSON] return is the caller's. The Append methods are the ones for a
// buffer that is used again: they allocate nothing if it is large enough, and
// the caller knows when its bytes are no longer needed. [Doc.Reset] uses the
// memory of a document for the next one; Nodes that are kept across it panic
// when they are used.
//
// A [Cursor] is lent to a function for one call of it. A Node is a value, which
// can be kept.
//
// # What is refused
//
// [Parse] is stricter than encoding/json: text must be UTF-8, a surrogate must
// have its other half, keys must differ when their escapes are undone, and
// nesting ends at [MaxDepth]. YAML is read as the JSON schema of YAML 1.2, which
// OpenAPI demands: dates and 0x1F are strings, keys are strings, merge keys are
// refused, and aliases are expanded within a limit. Each error says line, column
// and JSON pointer.
//
// # What it does not do
//
// It reads no files and no URLs: references to other documents are left to the
// caller, who gets [ErrExternal]. It does not convert between versions, compare
// or join documents, apply overlays, or check traffic against a document.
//
// # Pools
//
// What parsing needs beside the result (the table that finds keys that are there
// twice), the cursors of walks and the chunks of WriteTo come from pools; the
// study ordered-json judges each. Nothing that is pooled is ever returned.
package oas

// Package oas reads, changes and writes OpenAPI documents (versions 2.0,
// 3.0, 3.1 and 3.2) and keeps the order of their keys.
//
//	d, err := oas.Parse(source) // JSON or YAML
//	title := d.Root().Get("info").Get("title").Str()
//	d.Root().Get("info").Set("x-seen", true)
//	text, err := d.AppendSource(nil) // the source with the change in its place
//	text = d.JSON() // compact; AppendIndent and AppendYAML write the other forms
//
// A [Doc] is the text and one array of nodes that point into it. There is no second
// model: a [Node] reads and edits the document itself, and so do the typed views of
// it, such as [Operation] and [Schema]. So the parts that you do not edit are written
// exactly as they were read: 1.0 stays 1.0, and \u003c stays \u003c. [Doc.AppendSource]
// keeps white space and comments too, in JSON and in YAML.
//
// Package check says where a document breaks the specification, and package gen writes Go
// for it.
//
// # Ownership of memory
//
// A document in JSON refers to the source that it was parsed from. The caller must
// not change the source while it uses the document; of one in YAML the document keeps
// a copy. The results of
// [Doc.AppendJSON], [Doc.AppendIndent], [Doc.AppendYAML] and [Doc.JSON] belong to
// the caller. Use the Append methods with a buffer that you keep: they allocate
// nothing if it is large enough. [Doc.Reset] uses the memory of a document for the
// next one. A Node of the earlier document panics when it is used.
//
// A [Cursor] is valid during the call of the function that receives it. A Node is a
// value, which the caller may keep.
//
// # Refused documents
//
// [Parse] is stricter than encoding/json: text must be UTF-8, a surrogate must
// have its other half, keys must differ when their escapes are undone, and
// nesting ends at [MaxDepth]. YAML is read as the JSON schema of YAML 1.2, which
// OpenAPI demands: dates and 0x1F are strings, keys are strings, merge keys are
// refused, and aliases are expanded within a limit. Each error gives the line, the
// column and the JSON pointer.
//
// # Limits
//
// The package reads no URLs, and other files only by [Doc.Bundle], which copies what
// references to them refer to into the document. [Doc.Resolve] returns [ErrExternal]
// for a reference to another document. The package does not convert
// between versions, compare or join documents, apply overlays, or check traffic
// against a document.
//
// # Pools
//
// Three kinds of memory come from pools: the table in which the parser finds
// repeated keys, the cursors of walks, and the chunks of WriteTo. The study
// ordered-json judges each. The package never returns pooled memory.
package oas

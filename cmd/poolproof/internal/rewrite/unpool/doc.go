// Package unpool finds the sync.Pools of a program and takes one of them out, by
// edits of a copy of its source text. It answers what a program would be without that
// pool; all others stay.
//
// A pool is taken out in one of two forms:
//
//   - [Plain]: Get calls New, and Put does nothing. Everything else stays, so that the
//     difference is that of the pool alone.
//   - [Written]: as a programmer would write it. The expression that New returns stands
//     in the place of Get, the Put goes, and with it what only the pool needed. The
//     compiler may then put the object on the stack.
//
// Either is safe in itself: an object that is never handed out twice has one owner.
// What may change is the meaning of a program whose objects carry something from one
// use to the next on purpose; its tests tell.
package unpool

import "go/token"

// Form is a way of taking a pool out.
type Form string

const (
	Plain   Form = "plain"   // Get calls New, Put does nothing
	Written Form = "written" // as one would write it without a pool
)

// Pool is the content of one variable or field: a sync.Pool, a pointer to one, or a set of
// them. A field is one pool, however many structs have it, and variables that hold the
// same pool are one.
type Pool struct {
	ID      string         // FILE:LINE of its declaration, relative to the module's root; :COLUMN where a line has two
	Name    string         // of its variables; a field has that of its type before it: conn.bufs
	Package string         // import path
	Pos     token.Position // of its declaration; the file name is absolute
	Holds   string         // the type that Get is asserted to; "" if that is not one type
	Gets    []Place        // calls of Get, in source order
	Puts    []Place        // calls of Put
	// Misses are the blocks that run when Get found nothing: bodies of New functions,
	// and of tests for nil. Hits are those that run when it found an object.
	Misses, Hits []Place
	Trouble      string // why it cannot be taken out; "" if it can
	PlainOnly    string // why there is no form [Written]; "" if there is one, or Trouble
	Remark       string // what is to be known before it is taken out; "" if nothing is

	at       token.Pos
	uses     []use
	makers   []maker
	decls    []mention
	mentions int  // of its variables, but for their declarations
	bare     bool // a pool of it begins without a New
	loose    bool // it may be a pool of code that is not followed
}

// Place is a part of a source file.
type Place struct {
	File            string // absolute
	Package         string // import path
	Line, Column    int
	EndLine, EndCol int
}

package gen

import (
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
)

// operation is a request as code is written for it.
type operation struct {
	name, paramsType string
	method, path     string
	description      string
	params           []*param
	body             body
	responses        []*response
	result           string // type of the body of an answer of success
	resultType       string // the struct that is declared for it, if there are several
	status           string // of success
	tags             []string
	security         []oas.Node // the alternatives
}

// response is one of an operation.
type response struct {
	status  string // 200, 2XX or default
	success bool
	body    body
	field   string // of resultType
}

// body is the body of a request or an answer.
type body struct {
	contentType string // empty for none
	chosen      bool   // the caller says the type: contentType is a range, or needs a boundary
	isJSON      bool
	form        bool // a form whose members are those of typ
	events      bool
	typ         goType
	required    bool
	key         string // of the schema in the table
	object      *object
	parts       []*param // fields and files
	partsType   string   // of their struct
}

// isParts reports whether b is a struct of fields and files.
func (b *body) isParts() bool { return len(b.parts) > 0 }

// typed reports whether b is a Go value, and no stream.
func (b *body) typed() bool { return b.isJSON || b.form }

// base returns the media type without its parameters.
func (b *body) base() string {
	base, _, _ := strings.Cut(strings.ToLower(b.contentType), ";")
	return strings.TrimSpace(base)
}

// inParts reports whether a boundary stands between the parts of b, which its
// Content-Type names.
func (b *body) inParts() bool { return strings.HasPrefix(strings.ToLower(b.contentType), "multipart/") }

// param is a parameter of a request.
type param struct {
	field, name, in string
	description     string
	conv            string // how a text of it is read: String, Int32, … Time; a part of a body may be JSON or File
	list            bool
	prefix          string // of a value in a path: "." of the style label, ";name=" of matrix
	sep             string // between the elements of a list; empty if each is a value
	required        bool
	object          *object // nil if it is none
	key             string  // of its schema in the table, if that says more than the type
	byDefault       string  // the text that stands for none
	json            goType  // what a part in JSON is
	bare            bool    // its type has a nil that says that it is left out
	contentType     string  // of a part; empty if it is usual
}

// object is how a parameter of several members is written.
type object struct {
	typ     goType
	pointer bool
	way     objectWay
	between string   // a key and its value, where all are one text
	members []string // keys, where each is a parameter of its own
	texts   []string // keys of members that are strings or lists of them; "*" stands for those without a name
	lists   []string // keys of members that are lists, likewise
}

type objectWay uint8

const (
	together objectWay = iota // key,value,key,value or key=value,key=value
	apart                     // key=value&key=value
	deep                      // name[key]=value&name[key]=value
)

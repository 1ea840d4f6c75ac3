// Package grammar holds the OpenAPI Specification as a table: the members that it knows in
// each kind of object, by version. Package oas reads it to say of what kind a value is, and
// package check to say what is wrong.
package grammar

// Kind is the kind of an object by the specification, such as a path item.
type Kind uint8

// The kinds of objects. Free is a value that the specification says nothing of,
// such as an example or an extension, or none.
const (
	Free Kind = iota
	Document
	Info
	Contact
	License
	Server
	ServerVariable
	Paths
	PathItem
	Operation
	ExternalDocs
	Parameter
	Header
	Items // of version 2.0
	RequestBody
	MediaType
	Encoding
	Responses
	Response
	Callback
	Example
	Link
	Tag
	Schema
	Discriminator
	XML
	SecurityScheme
	OAuthFlows
	OAuthFlow
	SecurityRequirement
	Components
	Kinds // how many there are
)

var names = [Kinds]string{
	"free", "document", "info", "contact", "license", "server", "server variable", "paths", "path item", "operation",
	"external documentation", "parameter", "header", "items", "request body", "media type", "encoding", "responses", "response", "callback",
	"example", "link", "tag", "schema", "discriminator", "XML", "security scheme", "OAuth flows", "OAuth flow", "security requirement", "components",
}

// String returns the name in lower case, such as "path item".
func (k Kind) String() string {
	if k < Kinds {
		return names[k]
	}
	return "unknown"
}

// Form says how objects of a kind are found in a value: the value is one, or an
// array of them, or an object whose members, with any names, are.
type Form uint8

// The forms.
const (
	Single Form = iota
	Listed
	Named
)

// Version is a set of versions of the specification.
type Version uint8

// The versions, and sets of them.
const (
	V20 Version = 1 << iota
	V30
	V31
	V32

	Since31 = V31 | V32
	since30 = V30 | Since31
	Every   = V20 | since30
)

// Types is a set of the types of values in JSON, in the order of oas.Kind.
type Types uint8

// The types.
const (
	Null Types = 2 << iota
	Bool
	Number
	String
	Array
	Object
)

// Value describes the values that a member may have.
type Value struct {
	Types  Types // 0 for any
	Kind   Kind  // of the objects in it; Free for none
	Form   Form
	Inside Types // types of the elements or members, if they are scalars; 0 for any
	Words  []string
}

var (
	text    = Value{Types: String}
	boolean = Value{Types: Bool}
	number  = Value{Types: Number}
	free    = Value{Types: Null | Bool | Number | String | Array | Object}
	texts   = Value{Types: Array, Form: Listed, Inside: String}
	textMap = Value{Types: Object, Form: Named, Inside: String}
	freeMap = Value{Types: Object}
	anyList = Value{Types: Array}
)

// word is a text that has to be one of these.
func word(words ...string) Value { return Value{Types: String, Words: words} }

func one(k Kind) Value    { return Value{Types: Object, Kind: k} }
func listOf(k Kind) Value { return Value{Types: Array, Kind: k, Form: Listed} }
func mapOf(k Kind) Value  { return Value{Types: Object, Kind: k, Form: Named} }

// or allows another type beside.
func (v Value) or(t Types) Value {
	v.Types |= t
	return v
}

// Rule says what a member of an object may be.
type Rule struct {
	Key      string
	Versions Version // that know it
	Required Version // that demand it
	Value
}

// Members is all that the specification says of the members of a kind.
type Members struct {
	Rules []Rule

	// Others returns the rule of a key that none of Rules is for, if the kind has
	// keys that are not fixed: paths, status codes, names.
	Others func(key []byte) *Rule

	Extensible Version // versions in which members x-… are allowed
	Open       Version // versions in which any other member is
	Refs       Version // versions in which a reference may stand in its place
	Excludes   [][2]string
	AnyOf      []string // one of these must be there, since version 3.1
}

// byKey finds the rules of a key: where versions differ there are two.
var byKey = func() (index [Kinds]map[string][2]*Rule) {
	for k := range Of {
		index[k] = make(map[string][2]*Rule, len(Of[k].Rules))
		for i := range Of[k].Rules {
			r := &Of[k].Rules[i]
			both := index[k][r.Key]
			if both[0] == nil {
				both[0] = r
			} else {
				both[1] = r
			}
			index[k][r.Key] = both
		}
	}
	return index
}()

// Find returns the rule for a member of an object of kind k in a document of
// version v, and nil if there is none. That of the later versions comes first if v has
// several. If no version of v knows the member, it is a rule of other versions. A key is
// given without escapes.
func Find(k Kind, key []byte, v Version) *Rule {
	if both, ok := byKey[k][string(key)]; ok {
		if later := both[1]; later != nil && (later.Versions&v != 0 || both[0].Versions&v == 0) {
			return later
		}
		return both[0]
	}
	if IsExtension(key) {
		return nil
	}
	if others := Of[k].Others; others != nil {
		return others(key)
	}
	return nil
}

// IsExtension reports whether a key is one that the specification leaves to others.
func IsExtension(key []byte) bool { return len(key) > 1 && key[0] == 'x' && key[1] == '-' }

package oas

// ObjectKind is the kind of an object by the specification, such as a path item.
type ObjectKind uint8

// The kinds of objects. Free is a value that the specification says nothing of,
// such as an example or an extension, or none.
const (
	Free ObjectKind = iota
	DocumentObject
	InfoObject
	ContactObject
	LicenseObject
	ServerObject
	ServerVariableObject
	PathsObject
	PathItemObject
	OperationObject
	ExternalDocsObject
	ParameterObject
	HeaderObject
	ItemsObject // of version 2.0
	RequestBodyObject
	MediaTypeObject
	EncodingObject
	ResponsesObject
	ResponseObject
	CallbackObject
	ExampleObject
	LinkObject
	TagObject
	SchemaObject
	DiscriminatorObject
	XMLObject
	SecuritySchemeObject
	OAuthFlowsObject
	OAuthFlowObject
	SecurityRequirementObject
	ComponentsObject
	kinds
)

var objectKindNames = [kinds]string{
	"free", "document", "info", "contact", "license", "server", "server variable", "paths", "path item", "operation",
	"external documentation", "parameter", "header", "items", "request body", "media type", "encoding", "responses", "response", "callback",
	"example", "link", "tag", "schema", "discriminator", "XML", "security scheme", "OAuth flows", "OAuth flow", "security requirement", "components",
}

// String returns the name in lower case, such as "path item".
func (k ObjectKind) String() string {
	if k < kinds {
		return objectKindNames[k]
	}
	return "unknown"
}

// form says how objects of a kind are found in a value: the value is one, or an
// array of them, or an object whose members, with any names, are.
type form uint8

const (
	single form = iota
	listed
	named
)

// value describes the values that a member may have.
type value struct {
	types  uint8      // a bit for each Kind
	kind   ObjectKind // of the objects in it; Free for none
	form   form
	inside uint8 // types of the elements or members, if they are scalars; 0 for any
	words  []string
}

func bit(kinds ...Kind) (bits uint8) {
	for _, k := range kinds {
		bits |= 1 << k
	}
	return bits
}

var (
	text    = value{types: bit(String)}
	boolean = value{types: bit(Bool)}
	number  = value{types: bit(Number)}
	free    = value{types: bit(Null, Bool, Number, String, Array, Object)}
	texts   = value{types: bit(Array), form: listed, inside: bit(String)}
	textMap = value{types: bit(Object), form: named, inside: bit(String)}
	freeMap = value{types: bit(Object)}
	anyList = value{types: bit(Array)}
)

// word is a text that has to be one of these.
func word(words ...string) value { return value{types: bit(String), words: words} }

func one(k ObjectKind) value    { return value{types: bit(Object), kind: k} }
func listOf(k ObjectKind) value { return value{types: bit(Array), kind: k, form: listed} }
func mapOf(k ObjectKind) value  { return value{types: bit(Object), kind: k, form: named} }

// or allows other types beside.
func (v value) or(k ...Kind) value {
	v.types |= bit(k...)
	return v
}

// rule says what a member of an object may be.
type rule struct {
	key      string
	versions Version // that know it
	required Version // that demand it
	value
}

// object is all that the specification says of a kind.
type object struct {
	rules []rule

	// others returns the rule of a key that none of rules is for, if the kind has
	// keys that are not fixed: paths, status codes, names.
	others func(key []byte) *rule

	extensible Version // versions in which members x-… are allowed
	open       Version // versions in which any other member is
	refs       Version // versions in which a reference may stand in its place
	excludes   [][2]string
	anyOf      []string // one of these must be there, in the versions of the rules
}

// byKey finds the rule of a key.
var byKey = func() (index [kinds]map[string]*rule) {
	for k := range grammar {
		index[k] = make(map[string]*rule, len(grammar[k].rules))
		for i := range grammar[k].rules {
			r := &grammar[k].rules[i]
			for ; index[k][r.key] != nil; r.key += "\x00" { // another version's rule for the same key
			}
			index[k][r.key] = r
		}
	}
	return index
}()

// ruleOf returns the rule for a member of an object of kind k in a document of
// version v, and nil if there is none. A key is given without escapes.
func ruleOf(k ObjectKind, key []byte, v Version) *rule {
	if r := byKey[k][string(key)]; r != nil {
		if r.versions&v != 0 {
			return r
		}
		if other := byKey[k][string(key)+"\x00"]; other != nil {
			return other
		}
		return r
	}
	if isExtension(key) {
		return nil
	}
	if others := grammar[k].others; others != nil {
		return others(key)
	}
	return nil
}

func isExtension(key []byte) bool { return len(key) > 1 && key[0] == 'x' && key[1] == '-' }

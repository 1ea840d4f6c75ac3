package oas

import "github.com/poolproof/poolproof/systems/oas/internal/grammar"

// Version is a version of the OpenAPI Specification. Versions that differ in
// the third number only are the same.
type Version uint8

// The versions that this package knows. Unknown is that of a document which does
// not say its version, or says another one; it is read as all of them at once.
const (
	Unknown Version = 0
	V20             = Version(grammar.V20)
	V30             = Version(grammar.V30)
	V31             = Version(grammar.V31)
	V32             = Version(grammar.V32)
)

// String returns the first two numbers, such as "3.1", and "unknown".
func (v Version) String() string {
	switch v {
	case V20:
		return "2.0"
	case V30:
		return "3.0"
	case V31:
		return "3.1"
	case V32:
		return "3.2"
	}
	return "unknown"
}

// Version returns the version that the document says it has, in its member
// openapi or swagger.
func (d *Doc) Version() Version {
	if n := d.Root().Get("openapi"); n.Exists() {
		number := n.Raw()
		for _, v := range []Version{V30, V31, V32} {
			name := v.String()
			if n.Kind() == String && len(number) >= len(name)+2 && string(number[1:1+len(name)]) == name {
				if next := number[1+len(name)]; next == '.' || next == '"' {
					return v
				}
			}
		}
		return Unknown
	}
	if n := d.Root().Get("swagger"); n.Is("2.0") || string(n.Raw()) == "2.0" {
		return V20
	}
	return Unknown
}

package oas

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// scalar writes a scalar as the JSON schema of YAML 1.2 (section 10.2) reads it,
// with what nearly all documents rely on besides: an empty one and ~ are null,
// and null, true and false may begin with a capital letter or be all capitals.
// What is no number in JSON is a string, so 0x1F, 010, 1_000, +1, .5 and dates are.
func (t *transcoder) scalar(n *yaml.Node) error {
	// The tag ! says that a scalar is none of the plain kinds (section 6.9.1).
	quoted := n.Tag == "!" || n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	tagged := n.Style&yaml.TaggedStyle != 0
	kind := String
	if !quoted {
		kind = plainKind(n.Value)
	}
	if tagged {
		switch n.Tag {
		case "!!str":
			kind = String
		case "!!null", "!!bool", "!!int", "!!float":
			if kind = plainKind(n.Value); n.Tag != tagOf(kind, n.Value) && !(n.Tag == "!!float" && kind == Number) {
				return t.fail(n, "%q is no value of the tag %s in an OpenAPI document", n.Value, n.Tag)
			}
		default:
			return t.fail(n, "the tag %s is none that an OpenAPI document can have", n.Tag)
		}
	}
	switch kind {
	case Invalid:
		return t.fail(n, "JSON has no number %s; put it in quotes if it is a string", n.Value)
	case Null:
		t.out = append(t.out, "null"...)
	case Bool:
		t.out = append(t.out, strings.ToLower(n.Value)...)
	case Number:
		t.out = append(t.out, n.Value...)
	default:
		t.out = appendQuoted(t.out, n.Value)
	}
	return nil
}

// plainKind says what a scalar without quotes is; Invalid for what YAML calls a
// number and JSON cannot write.
func plainKind(s string) Kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN", ".NAN":
		return Invalid
	}
	if s[0] == '-' || '0' <= s[0] && s[0] <= '9' {
		p := parser{text: []byte(s)}
		if p.number(0) == len(s) {
			return Number
		}
	}
	return String
}

func tagOf(k Kind, s string) string {
	switch k {
	case Null:
		return "!!null"
	case Bool:
		return "!!bool"
	case Number:
		if strings.ContainsAny(s, ".eE") {
			return "!!float"
		}
		return "!!int"
	}
	return "!!str"
}

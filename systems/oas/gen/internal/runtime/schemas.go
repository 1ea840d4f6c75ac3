//lint:file-ignore U1000 the generator copies what a package needs

package runtime

// schemaTexts are those of the tests of this package. A generated package has its own.
var schemaTexts = []string{
	"#/Pet", `{"type":"object","required":["id","tags"],"properties":{"id":{"type":"string","minLength":1},"tags":{"type":"array","items":{"type":"string","enum":["a","b"]},"uniqueItems":true},"age":{"type":"integer","minimum":0,"maximum":30},"self":{"$ref":"#/Pet"},"born":{"type":"string","format":"date"},"none":{"nullable":true,"type":"string"}},"additionalProperties":false}`,
	"#/Any", `{"oneOf":[{"type":"string"},{"type":"integer","multipleOf":2},{"$ref":"#/Pet"}]}`,
	"#/Circle", `{"allOf":[{"$ref":"#/Circle"},{"type":"string","pattern":"^x+$"}]}`,
	"#/Deep", `{"oneOf":[{"$ref":"#/Deep"},{"$ref":"#/Deep"},{"$ref":"#/Deep"}]}`,
	"#/Set", `{"type":"array","uniqueItems":true}`,
	"#/Look", `{"type":"string","pattern":"(?=a)b"}`,
}

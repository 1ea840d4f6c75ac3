package oas

// itemRules are what versions 2.0 allows of a schema in parameters, headers and
// items, which are none.
var itemRules = []rule{
	{"type", V20, 0, word("string", "number", "integer", "boolean", "array", "file")},
	{"format", V20, 0, text},
	{"items", V20, 0, one(ItemsObject)},
	{"collectionFormat", V20, 0, word("csv", "ssv", "tsv", "pipes", "multi")},
	{"default", V20, 0, free},
	{"maximum", V20, 0, number},
	{"exclusiveMaximum", V20, 0, boolean},
	{"minimum", V20, 0, number},
	{"exclusiveMinimum", V20, 0, boolean},
	{"maxLength", V20, 0, number},
	{"minLength", V20, 0, number},
	{"pattern", V20, 0, text},
	{"maxItems", V20, 0, number},
	{"minItems", V20, 0, number},
	{"uniqueItems", V20, 0, boolean},
	{"enum", V20, 0, anyList},
	{"multipleOf", V20, 0, number},
}

// parameterRules are those that parameters and headers share.
var parameterRules = append([]rule{
	{"description", everyVersion, 0, text},
	{"deprecated", since30, 0, boolean},
	{"explode", since30, 0, boolean},
	{"schema", everyVersion, 0, one(SchemaObject)},
	{"example", since30, 0, free},
	{"examples", since30, 0, mapOf(ExampleObject)},
	{"content", since30, 0, mapOf(MediaTypeObject)},
}, itemRules...)

// schema is a schema; since version 3.1 true and false are schemas too.
var (
	schema     = one(SchemaObject)
	schemas    = listOf(SchemaObject)
	schemaMap  = mapOf(SchemaObject)
	typeNames  = []string{"array", "boolean", "integer", "null", "number", "object", "string"}
	schemaType = value{types: bit(String, Array), form: listed, inside: bit(String), words: typeNames}
)

var schemaRules = []rule{
	{"title", everyVersion, 0, text},
	{"description", everyVersion, 0, text},
	{"type", V20 | V30, 0, word("array", "boolean", "integer", "number", "object", "string", "file", "null")},
	{"type", since31, 0, schemaType},
	{"format", everyVersion, 0, text},
	{"enum", everyVersion, 0, anyList},
	{"const", since31, 0, free},
	{"default", everyVersion, 0, free},
	{"multipleOf", everyVersion, 0, number},
	{"maximum", everyVersion, 0, number},
	{"exclusiveMaximum", V20 | V30, 0, boolean},
	{"exclusiveMaximum", since31, 0, number},
	{"minimum", everyVersion, 0, number},
	{"exclusiveMinimum", V20 | V30, 0, boolean},
	{"exclusiveMinimum", since31, 0, number},
	{"maxLength", everyVersion, 0, number},
	{"minLength", everyVersion, 0, number},
	{"pattern", everyVersion, 0, text},
	{"maxItems", everyVersion, 0, number},
	{"minItems", everyVersion, 0, number},
	{"uniqueItems", everyVersion, 0, boolean},
	{"maxContains", since31, 0, number},
	{"minContains", since31, 0, number},
	{"maxProperties", everyVersion, 0, number},
	{"minProperties", everyVersion, 0, number},
	{"required", everyVersion, 0, texts},
	{"dependentRequired", since31, 0, freeMap},
	{"properties", everyVersion, 0, schemaMap},
	{"patternProperties", since31, 0, schemaMap},
	{"additionalProperties", everyVersion, 0, schema.or(Bool)},
	{"propertyNames", since31, 0, schema},
	{"unevaluatedProperties", since31, 0, schema},
	{"items", everyVersion, 0, schema},
	{"prefixItems", since31, 0, schemas},
	{"contains", since31, 0, schema},
	{"unevaluatedItems", since31, 0, schema},
	{"allOf", everyVersion, 0, schemas},
	{"oneOf", since30, 0, schemas},
	{"anyOf", since30, 0, schemas},
	{"not", since30, 0, schema},
	{"if", since31, 0, schema},
	{"then", since31, 0, schema},
	{"else", since31, 0, schema},
	{"dependentSchemas", since31, 0, schemaMap},
	{"contentEncoding", since31, 0, text},
	{"contentMediaType", since31, 0, text},
	{"contentSchema", since31, 0, schema},
	{"nullable", V30, 0, boolean},
	{"discriminator", V20, 0, text},
	{"discriminator", since30, 0, one(DiscriminatorObject)},
	{"readOnly", everyVersion, 0, boolean},
	{"writeOnly", since30, 0, boolean},
	{"xml", everyVersion, 0, one(XMLObject)},
	{"externalDocs", everyVersion, 0, one(ExternalDocsObject)},
	{"example", everyVersion, 0, free},
	{"examples", since31, 0, anyList},
	{"deprecated", since30, 0, boolean},
	{"$schema", since31, 0, text},
	{"$id", since31, 0, text},
	{"$anchor", since31, 0, text},
	{"$ref", since31, 0, text},
	{"$dynamicRef", since31, 0, text},
	{"$dynamicAnchor", since31, 0, text},
	{"$vocabulary", since31, 0, freeMap},
	{"$comment", since31, 0, text},
	{"$defs", since31, 0, schemaMap},
}

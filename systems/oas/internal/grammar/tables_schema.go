package grammar

// itemRules are the keywords of a schema that version 2.0 allows in parameters, headers and
// items, which are no schemas.
var itemRules = []Rule{
	{"type", V20, 0, word("string", "number", "integer", "boolean", "array", "file")},
	{"format", V20, 0, text},
	{"items", V20, 0, one(Items)},
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
var parameterRules = append([]Rule{
	{"description", Every, 0, text},
	{"deprecated", since30, 0, boolean},
	{"explode", since30, 0, boolean},
	{"schema", Every, 0, one(Schema)},
	{"example", since30, 0, free},
	{"examples", since30, 0, mapOf(Example)},
	{"content", since30, 0, mapOf(MediaType)},
}, itemRules...)

// schema is a schema; since version 3.1 true and false are schemas too.
var (
	schema     = one(Schema)
	schemas    = listOf(Schema)
	schemaMap  = mapOf(Schema)
	typeNames  = []string{"array", "boolean", "integer", "null", "number", "object", "string"}
	schemaType = Value{Types: String | Array, Form: Listed, Inside: String, Words: typeNames}
)

var schemaRules = []Rule{
	{"title", Every, 0, text},
	{"description", Every, 0, text},
	{"type", V20 | V30, 0, word("array", "boolean", "integer", "number", "object", "string", "file", "null")},
	{"type", Since31, 0, schemaType},
	{"format", Every, 0, text},
	{"enum", Every, 0, anyList},
	{"const", Since31, 0, free},
	{"default", Every, 0, free},
	{"multipleOf", Every, 0, number},
	{"maximum", Every, 0, number},
	{"exclusiveMaximum", V20 | V30, 0, boolean},
	{"exclusiveMaximum", Since31, 0, number},
	{"minimum", Every, 0, number},
	{"exclusiveMinimum", V20 | V30, 0, boolean},
	{"exclusiveMinimum", Since31, 0, number},
	{"maxLength", Every, 0, number},
	{"minLength", Every, 0, number},
	{"pattern", Every, 0, text},
	{"maxItems", Every, 0, number},
	{"minItems", Every, 0, number},
	{"uniqueItems", Every, 0, boolean},
	{"maxContains", Since31, 0, number},
	{"minContains", Since31, 0, number},
	{"maxProperties", Every, 0, number},
	{"minProperties", Every, 0, number},
	{"required", Every, 0, texts},
	{"dependentRequired", Since31, 0, freeMap},
	{"properties", Every, 0, schemaMap},
	{"patternProperties", Since31, 0, schemaMap},
	{"additionalProperties", Every, 0, schema.or(Bool)},
	{"propertyNames", Since31, 0, schema},
	{"unevaluatedProperties", Since31, 0, schema},
	{"items", Every, 0, schema},
	{"prefixItems", Since31, 0, schemas},
	{"contains", Since31, 0, schema},
	{"unevaluatedItems", Since31, 0, schema},
	{"allOf", Every, 0, schemas},
	{"oneOf", since30, 0, schemas},
	{"anyOf", since30, 0, schemas},
	{"not", since30, 0, schema},
	{"if", Since31, 0, schema},
	{"then", Since31, 0, schema},
	{"else", Since31, 0, schema},
	{"dependentSchemas", Since31, 0, schemaMap},
	{"contentEncoding", Since31, 0, text},
	{"contentMediaType", Since31, 0, text},
	{"contentSchema", Since31, 0, schema},
	{"nullable", V30, 0, boolean},
	{"discriminator", V20, 0, text},
	{"discriminator", since30, 0, one(Discriminator)},
	{"readOnly", Every, 0, boolean},
	{"writeOnly", since30, 0, boolean},
	{"xml", Every, 0, one(XML)},
	{"externalDocs", Every, 0, one(ExternalDocs)},
	{"example", Every, 0, free},
	{"examples", Since31, 0, anyList},
	{"deprecated", since30, 0, boolean},
	{"$schema", Since31, 0, text},
	{"$id", Since31, 0, text},
	{"$anchor", Since31, 0, text},
	{"$ref", Since31, 0, text},
	{"$dynamicRef", Since31, 0, text},
	{"$dynamicAnchor", Since31, 0, text},
	{"$vocabulary", Since31, 0, freeMap},
	{"$comment", Since31, 0, text},
	{"$defs", Since31, 0, schemaMap},
}

package ipcmeta

// The tables of Arrow's metadata: Message.fbs, Schema.fbs and File.fbs of the
// Arrow format 1.5.

const (
	headerSchema     = 1
	headerDictionary = 2
	headerRecord     = 3
)

func message() table {
	return table{
		{name: "version", size: 2},
		{name: "header type", size: 1},
		{name: "header", kind: oneOf, union: func(tag byte) (table, bool) {
			switch tag {
			case headerSchema:
				return schema(), true
			case headerDictionary:
				return dictionaryBatch(), true
			case headerRecord:
				return recordBatch(), true
			}
			return nil, false
		}},
		{name: "body length", size: 8},
		{name: "custom metadata", kind: tables, of: keyValue},
	}
}

func footer() table {
	return table{
		{name: "version", size: 2},
		{name: "schema", kind: child, of: schema},
		{name: "dictionaries", kind: vector, size: blockSize},
		{name: "record batches", kind: vector, size: blockSize},
		{name: "custom metadata", kind: tables, of: keyValue},
	}
}

func schema() table {
	return table{
		{name: "endianness", size: 2},
		{name: "fields", kind: tables, of: fieldTable},
		{name: "custom metadata", kind: tables, of: keyValue},
		{name: "features", kind: vector, size: 8},
	}
}

func fieldTable() table {
	return table{
		{name: "name", kind: text},
		{name: "nullable", size: 1},
		{name: "type number", size: 1},
		{name: "type", kind: oneOf, union: func(tag byte) (table, bool) { t, ok := types[tag]; return t, ok }},
		{name: "dictionary", kind: child, of: func() table {
			return table{
				{name: "id", size: 8},
				{name: "index type", kind: child, of: func() table { return types[typeInt] }},
				{name: "is ordered", size: 1},
				{name: "kind", size: 2},
			}
		}},
		{name: "children", kind: tables, of: fieldTable},
		{name: "custom metadata", kind: tables, of: keyValue},
	}
}

func keyValue() table { return table{{name: "key", kind: text}, {name: "value", kind: text}} }

func recordBatch() table {
	return table{
		{name: "length", size: 8},
		{name: "nodes", kind: vector, size: nodeSize},
		{name: "buffers", kind: vector, size: bufferSize},
		{name: "compression", kind: child, of: func() table { return table{{name: "codec", size: 1}, {name: "method", size: 1}} }},
		{name: "variadic buffer counts", kind: vector, size: 8},
	}
}

func dictionaryBatch() table {
	return table{{name: "id", size: 8}, {name: "data", kind: child, of: recordBatch}, {name: "is delta", size: 1}}
}

const (
	nodeSize   = 16 // length, null count
	bufferSize = 16 // offset, length
	blockSize  = 24 // offset, length of the metadata, length of the body

	typeInt = 2
)

// types are the members of the union Type, by number.
var types = map[byte]table{
	1:       {}, // Null
	typeInt: {{name: "bit width", size: 4}, {name: "is signed", size: 1}},
	3:       {{name: "precision", size: 2}}, // FloatingPoint
	4:       {}, 5: {}, 6: {},               // Binary, Utf8, Bool
	7:  {{name: "precision", size: 4}, {name: "scale", size: 4}, {name: "bit width", size: 4}}, // Decimal
	8:  {{name: "unit", size: 2}},                                                              // Date
	9:  {{name: "unit", size: 2}, {name: "bit width", size: 4}},                                // Time
	10: {{name: "unit", size: 2}, {name: "time zone", kind: text}},                             // Timestamp
	11: {{name: "unit", size: 2}},                                                              // Interval
	12: {}, 13: {},                                                                             // List, Struct
	14: {{name: "mode", size: 2}, {name: "type ids", kind: vector, size: 4}}, // Union
	15: {{name: "byte width", size: 4}},                                      // FixedSizeBinary
	16: {{name: "list size", size: 4}},                                       // FixedSizeList
	17: {{name: "keys sorted", size: 1}},                                     // Map
	18: {{name: "unit", size: 2}},                                            // Duration
	19: {}, 20: {}, 21: {}, 22: {}, 23: {}, 24: {}, 25: {}, 26: {},           // LargeBinary to LargeListView
}

package profile

// Kind says what allocates at a site. Its text is what users read.
type Kind string

const (
	KindConstructor Kind = "constructor"        // of a type with a Reset method, in a callee
	KindMakeSlice   Kind = "make of a slice"    //
	KindMakeMap     Kind = "make of a map"      // a literal of a map, too
	KindMakeChan    Kind = "make of a channel"  //
	KindMapGrowth   Kind = "map growth"         // an assignment to an element
	KindNew         Kind = "new"                // new(T), and a variable that was moved to the heap
	KindComposite   Kind = "composite literal"  //
	KindAppend      Kind = "append growth"      //
	KindConversion  Kind = "conversion"         // between string and []byte or []rune
	KindConcat      Kind = "concatenation"      // of strings
	KindClosure     Kind = "closure"            // a function literal, a method value
	KindBoxing      Kind = "boxing"             // a value that is converted to an interface
	KindGo          Kind = "goroutine"          // a go statement
	KindCallee      Kind = "in callee"          // the allocation is in another module, or in the standard library
	KindGrowth      Kind = "growth of a buffer" // of a bytes.Buffer or strings.Builder that a function called here writes to
	KindUnknown     Kind = "allocation"         // the source is not there, or the line leaves a choice
)

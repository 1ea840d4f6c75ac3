package size

var rest = 1

// Rest returns the rest.
func Rest() int { return rest }

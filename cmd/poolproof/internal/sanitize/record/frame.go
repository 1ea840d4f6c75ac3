package record

// Frame is one call of a stack.
type Frame struct {
	Func string `json:"func"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// Stack is a stack that lives refer to.
type Stack struct {
	PID    int     `json:"pid"`
	ID     int     `json:"id"`
	Frames []Frame `json:"frames"`
}

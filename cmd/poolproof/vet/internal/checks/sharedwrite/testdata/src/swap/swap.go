package swap

type Table struct {
	Version int
	Rows    []int
}

type Ref struct{ value *Table }

//poolproof:readonly
func (r *Ref) Value() *Table { return r.value }

//poolproof:readonly f
func Do(f func(*Table)) { f(new(Table)) }

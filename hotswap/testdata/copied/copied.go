// Package copied copies guards, which go vet must report.
package copied

import "github.com/poolproof/poolproof/hotswap"

// Assigned assigns a Ref.
func Assigned(r *hotswap.Ref[int]) {
	copied := *r
	copied.Release()
}

func returned(d *hotswap.Draft[int]) hotswap.Draft[int] {
	return *d
}

// Passed passes a Ref by value.
func Passed(r *hotswap.Ref[int]) {
	use(*r)
}
func use(r hotswap.Ref[int]) { r.Release() }

// Ranged copies Refs one after the other.
func Ranged(refs []hotswap.Ref[int]) {
	for _, r := range refs {
		r.Release()
	}
}

// Boxed puts a Reader into an interface.
func Boxed(r *hotswap.Reader[int]) any {
	return *r
}

// Container copies one.
func Container(c *hotswap.Container[int]) {
	copied := *c
	copied.Clear()
}

// Pool copies one.
func Pool(p *hotswap.Pool[int]) {
	copied := *p
	copied.Trim()
}

// Delta copies one.
func Delta(d *hotswap.Delta[int, int]) {
	copied := *d
	_ = copied.Update(1)
}

var _ = returned

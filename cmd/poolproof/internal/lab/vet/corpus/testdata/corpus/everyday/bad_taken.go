package everyday

func validateAndKeep(n int) (err error) {
	c := checks.Get().(*check)
	c.run(n)
	if len(c.errs) > 0 {
		err = failures(c.errs)
	}
	checks.Put(c)
	return // want "PV001"
}

func (g *guarded) swap(mk func() any) {
	old := g.get()
	g.pool.New = mk
	g.pool.Put(old)
}

package a

func ownPool() {
	b := getSmall()
	small.Put(b)
}

func bySize(f func(*[]byte)) {
	b := getSmall()
	f(b)
	if cap(*b) >= 1<<16 {
		large.Put(b)
	} else {
		small.Put(b)
	}
}

func sameClass(i int) {
	b, _ := classes[i].Get().(*[]byte)
	classes[i].Put(b)
}

func either(first bool) {
	var b *[]byte
	if first {
		b = small.Get().(*[]byte)
	} else {
		b = large.Get().(*[]byte)
	}
	small.Put(b)
}

// A slab: the elements are nobody else's.
func slab() {
	all := make([]row, 64)
	for i := range all {
		rows.Put(&all[i])
	}
}

func warm() {
	rows.Put(new(row))
	rows.Put(&row{cells: make([]string, 0, 8)})
}

func swap(s *stage, x *node) {
	s.out.Put(x)
}

func Recycle(p []byte) { putChunk(p) }

func local() {
	var scratch [512]byte
	putChunk(scratch[:])
}

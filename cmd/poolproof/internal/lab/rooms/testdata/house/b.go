package house

type Opener interface{ Open() }

func (d Door) turn() { var o Opener = d; o.Open(); back := d.Shut; back() }

type Lock = Door

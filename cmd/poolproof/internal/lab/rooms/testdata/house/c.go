package house

func Key[T any]() { var l Lock; l.turn() }

package leakpath

func countPut(user string) (int, error) {
	s, err := openDialog(user)
	if err != nil {
		return 0, err // fine "PV005" openDialog has put it
	}
	n := len(s.user)
	dialogs.Put(s) // fine "PV002" openDialog puts only what it does not return
	return n, nil
}

func countDeferredPut(user string) (int, error) {
	s, err := openDialogDeferred(user)
	if err != nil {
		return 0, err // fine "PV005" openDialogDeferred has put it
	}
	defer dialogs.Put(s) // fine "PV002" the first defer has put only what failed
	return len(s.user), nil
}

func countFitPut(user string, check func(string) error) (int, error) {
	s := openFitDialog(user)
	defer dialogs.Put(s)
	if err := check(user); err != nil {
		return 0, err // fine "PV005" the defer puts it
	}
	return len(s.log), nil
}

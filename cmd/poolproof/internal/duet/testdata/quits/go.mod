module example.org/quits

go 1.24

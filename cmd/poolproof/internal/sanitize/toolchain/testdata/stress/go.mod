module example.org/stress

go 1.24

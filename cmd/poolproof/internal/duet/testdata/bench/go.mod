module example.org/bench

go 1.24

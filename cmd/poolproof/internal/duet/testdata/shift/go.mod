module example.org/shift

go 1.24

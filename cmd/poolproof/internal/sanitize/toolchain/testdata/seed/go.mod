module example.org/seed

go 1.24

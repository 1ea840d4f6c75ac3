module example.org/repeated

go 1.24

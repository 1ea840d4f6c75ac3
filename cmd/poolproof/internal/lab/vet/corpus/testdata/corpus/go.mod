module example.org/corpus

go 1.25

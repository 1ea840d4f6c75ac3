module example.com/fresh

go 1.25
